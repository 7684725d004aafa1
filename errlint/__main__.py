"""``python -m errlint``, and the command ``errlint``."""

import os
import sys


def _working_folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 -- before anything else is imported
    except OSError:
        return ""


if sys.path and sys.path[0] in ("", _working_folder()):
    # The folder under check must not shadow the modules that errlint imports: nothing in it is ever run.
    del sys.path[0]


def run() -> None:
    """Be the process of the command; also where there is not enough of something to load errlint."""
    try:
        from errlint.cli import run_and_leave

        run_and_leave()
    except KeyboardInterrupt:
        os._exit(130)
    except (OSError, MemoryError) as error:
        reason = getattr(error, "strerror", None) or "there is not enough memory"
        try:
            os.write(2, f"errlint: error: errlint cannot be loaded: {reason}\n".encode())
        finally:
            os._exit(2)


if __name__ == "__main__":
    run()
