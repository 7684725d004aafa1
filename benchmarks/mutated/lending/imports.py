"""Taking over records of other libraries."""

from __future__ import annotations

from lending.errors import (
    FileUnreadableError,
    HeaderMissingError,
    IsbnInvalidError,
    LanguageUnknownError,
    QuotaExceededError,
    RecordDuplicateError,
    RowMalformedError,
    ShelfUnknownError,
)
from lending.store import ITEMS, SHELVES, Item

MOST_ROWS = 5000


def rows_of(file: str, content: bytes) -> list[list[str]]:
    """Return the cells of a file."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise FileUnreadableError(
            f"The file {file} is not encoded in UTF-8",
            hints=["Export the file again as UTF-8", "Open it in a text editor and save it"],
            file=file,
        ) from error
    rows = [line.split(";") for line in text.splitlines()]
    if len(rows) > MOST_ROWS:
        raise QuotaExceededError(
            f"The file {file} has {len(rows)} records, more than one import takes",
            hints=["Split the file into several ones"],
            file=file,
        )
    return rows


def take(file: str, number: int, names: list[str], cells: list[str]) -> Item:
    """Take over one record."""
    for name in names:
        if not name:
            raise HeaderMissingError(
                f"Column {names.index(name)} of {file} has no heading",
                hints=["Name every column in the first line"],
                file=file,
            )
    if len(cells) != len(names):
        raise RowMalformedError(
            f"Row {number} has {len(cells)} cells, the heading names {len(names)}",
            hints=["Quote cells that contain a semicolon", "Remove empty lines at the end"],
            file=file,
            row=number,
        )
    record = dict(zip(names, cells, strict=True))
    if len(record["isbn"]) not in (10, 13):
        raise IsbnInvalidError(
            f"The book number {record['isbn']} is neither ten nor thirteen digits long",
            hints=["Copy the number from the imprint"],
            row=number,
            column="isbn",
        )
    if record["isbn"] in ITEMS:
        raise RecordDuplicateError(
            f"The record {record['isbn']} was imported earlier",
            hints=["Delete the row", "Import with the option for updates"],
            row=number,
        )
    if len(record["language"]) != 3:
        raise LanguageUnknownError(
            f"No language is abbreviated {record['language']}",
            hints=["Use the three letters of ISO 639"],
            row=number,
            column="language",
        )
    if record["shelf"] not in SHELVES:
        raise ShelfUnknownError(
            f"No room of the library has a shelf {record['shelf']}",
            hints=["Add the shelf to the plan", "Leave the cell empty for the store room"],
            row=number,
            column="shelf",
        )
    return Item(record["isbn"], record["shelf"])
