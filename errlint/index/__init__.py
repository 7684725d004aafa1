"""Index: what the text of one file says by itself, read in one pass and free of policy."""
