"""The exceptions of the desk."""

from __future__ import annotations

from lending.codes import Code


class LendingError(Exception):
    """Something that the desk cannot do.

    ``hints`` are what to try next; the other arguments tell what the error is about, as far as that is known.
    """

    def __init__(
        self,
        message: str,
        *,
        code: Code | str,
        status: int,
        hints: list[str] | None = None,
        card: str | None = None,
        loan_id: str | None = None,
        item_id: str | None = None,
        branch: str | None = None,
        limit: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.hints = hints or []
        self.card = card
        self.loan_id = loan_id
        self.item_id = item_id
        self.branch = branch
        self.limit = limit


class MemberError(LendingError):
    """A member may not do this."""


class FeeError(LendingError):
    """A fee cannot be paid."""


class LoanError(LendingError):
    """A loan cannot be made, renewed or ended."""


class ItemError(LendingError):
    """An item cannot be lent."""


class HoldError(LendingError):
    """A hold cannot be placed or kept."""


class ImportFailure(LendingError):
    """A file of records cannot be taken over."""

    code: Code

    def __init__(
        self,
        message: str,
        *,
        hints: list[str] | None = None,
        file: str | None = None,
        row: int | None = None,
        column: str | None = None,
    ) -> None:
        super().__init__(message, code=self.code, status=422, hints=hints)
        self.file = file
        self.row = row
        self.column = column


class FileUnreadableError(ImportFailure):
    """The file is none that can be read."""

    code = Code.FILE_UNREADABLE


class HeaderMissingError(ImportFailure):
    """A column has no name."""

    code = Code.HEADER_MISSING


class RowMalformedError(ImportFailure):
    """A row has too few or too many cells."""

    code = Code.ROW_MALFORMED


class IsbnInvalidError(ImportFailure):
    """A number of a book is none."""

    code = Code.ISBN_INVALID


class RecordDuplicateError(ImportFailure):
    """A record is there already."""

    code = Code.RECORD_DUPLICATE


class LanguageUnknownError(ImportFailure):
    """A language has no such name."""

    code = Code.LANGUAGE_UNKNOWN


class ShelfUnknownError(ImportFailure):
    """There is no such shelf."""

    code = Code.SHELF_UNKNOWN


class QuotaExceededError(ImportFailure):
    """There are too many records in one file."""

    code = Code.QUOTA_EXCEEDED
