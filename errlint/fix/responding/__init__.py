"""Under the style ``return``: from an error that is answered to an object of a declared type."""
