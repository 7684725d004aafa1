"""Which exceptions a statement is known to raise, by what it calls and looks up."""

from __future__ import annotations

import ast

import pytest

from errlint.index.known_raises import known

RAISED = {
    "int(text)": "TypeError ValueError",
    "float(text)": "TypeError ValueError",
    "int()": "",
    "json.loads(text)": "JSONDecodeError TypeError ValueError",
    "loads(text)": "",
    "json.load(file)": "JSONDecodeError ValueError",
    "open(path)": "FileNotFoundError IOError IsADirectoryError OSError PermissionError",
    "shelf.open(path)": "",
    "os.stat(path)": "FileNotFoundError IOError IsADirectoryError OSError PermissionError",
    "next(books)": "StopIteration",
    "next(books, None)": "",
    "getattr(book, name)": "AttributeError",
    "getattr(book, name, None)": "",
    "importlib.import_module(name)": "ImportError ModuleNotFoundError",
    "asyncio.wait_for(call, 3)": "OSError TimeoutError",
    "Decimal(text)": "ArithmeticError InvalidOperation",
    "uuid.UUID(text)": "ValueError",
    "path.read_text()": "FileNotFoundError IOError IsADirectoryError OSError PermissionError UnicodeDecodeError"
    " UnicodeError ValueError",
    "path.read_text(encoding='utf-8')": "FileNotFoundError IOError IsADirectoryError OSError PermissionError"
    " UnicodeDecodeError UnicodeError ValueError",
    "read_text()": "",
    "read_text(path)": "",
    "find(path).read_bytes(1)": "FileNotFoundError IOError IsADirectoryError OSError PermissionError",
    "data.decode()": "UnicodeDecodeError UnicodeError ValueError",
    "datetime.strptime(text, shape)": "ValueError",
    "requests.get(url)": "RequestException Timeout",
    "httpx.post(url)": "ConnectError HTTPError RequestError TimeoutException",
    "shelf.get(url)": "",
    "requests.find(url)": "",
    "subprocess.run(command)": "FileNotFoundError OSError",
    "subprocess.run(command, check=True)": "CalledProcessError FileNotFoundError OSError SubprocessError",
    "subprocess.run(command, check=False)": "FileNotFoundError OSError",
    "subprocess.run(command, check=strict)": "FileNotFoundError OSError",
    "subprocess.run(command, text=True)": "FileNotFoundError OSError",
    "subprocess.check_output(command)": "CalledProcessError FileNotFoundError OSError SubprocessError",
    "books['title']": "KeyError LookupError",
    "books[0]": "IndexError LookupError",
    "books[-1]": "IndexError LookupError",
    "books[key]": "IndexError KeyError LookupError",
    "books[1:]": "",
    "books[1, 2]": "",
    "find(int(text))": "TypeError ValueError",
    "lambda: int(text)": "",
    "find": "",
    "import books": "ImportError ModuleNotFoundError",
    "from shop import books": "ImportError ModuleNotFoundError",
}


@pytest.mark.parametrize("text", RAISED)
def test_what_a_statement_is_known_to_raise(text: str) -> None:
    (statement,) = ast.parse(text).body
    expressions = [statement.value] if isinstance(statement, ast.Expr) else []
    assert " ".join(sorted(known(statement, expressions))) == RAISED[text]
