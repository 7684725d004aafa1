"""What a person asks for beside checks and fixes: a catalog of the errors of the code, shown and written."""
