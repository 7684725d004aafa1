"""``python -m errlint``."""

from errlint.cli import main

if __name__ == "__main__":
    main()
