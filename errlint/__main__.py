"""``python -m errlint``."""

import os
import sys

if sys.path and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109 -- before anything else is imported
    # The folder under check must not shadow the modules that errlint imports: nothing in it is ever run.
    del sys.path[0]

from errlint.cli import run_and_leave

if __name__ == "__main__":
    run_and_leave()
