"""Imports that a fix adds stand where import sorters keep them: Ruff says nothing of them."""

from __future__ import annotations

import libcst as cst
import pytest

from errlint.fix.raising.imports import Needed, add_imports

TOOL_ERROR = Needed("fastmcp.exceptions", "ToolError", ("shop",))
SHOP_ERROR = Needed("shop.errors", "ShopError", ("shop",))

PLACES = {
    "below plain imports of its section": (
        "import os\n\nimport httpx\n\nfrom shop.a import b\n",
        TOOL_ERROR,
        "import os\n\nimport httpx\nfrom fastmcp.exceptions import ToolError\n\nfrom shop.a import b\n",
    ),
    "between others of its section": (
        "import os\n\nfrom anyio import run\nfrom zeta import b\n",
        TOOL_ERROR,
        "import os\n\nfrom anyio import run\nfrom fastmcp.exceptions import ToolError\nfrom zeta import b\n",
    ),
    "in a section of its own, above the project's": (
        "import os\n\nfrom shop.a import b\n",
        TOOL_ERROR,
        "import os\n\nfrom fastmcp.exceptions import ToolError\n\nfrom shop.a import b\n",
    ),
    "in a section of its own, above relative ones": (
        "from .a import b\n",
        TOOL_ERROR,
        "from fastmcp.exceptions import ToolError\n\nfrom .a import b\n",
    ),
    "in a section of its own, at the end": (
        '"""Shop."""\n\nfrom __future__ import annotations\n\nimport os\n',
        TOOL_ERROR,
        '"""Shop."""\n\nfrom __future__ import annotations\n\nimport os\n\nfrom fastmcp.exceptions import ToolError\n',
    ),
    "below a licence": (
        "# All rights reserved.\nimport httpx\n",
        TOOL_ERROR,
        "# All rights reserved.\nimport httpx\nfrom fastmcp.exceptions import ToolError\n",
    ),
    "the project's behind those of others": (
        "import os\n\nimport httpx\n",
        SHOP_ERROR,
        "import os\n\nimport httpx\n\nfrom shop.errors import ShopError\n",
    ),
    "the project's among its own": (
        "import httpx\n\nfrom shop.a import b\nfrom shop.z import y\n",
        SHOP_ERROR,
        "import httpx\n\nfrom shop.a import b\nfrom shop.errors import ShopError\nfrom shop.z import y\n",
    ),
}


@pytest.mark.parametrize(("before", "needed", "after"), PLACES.values(), ids=PLACES)
def test_an_import_is_added(before: str, needed: Needed, after: str) -> None:
    assert add_imports(cst.parse_module(before), [needed]).code == after
