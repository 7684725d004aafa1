"""The workspace: which files a run is about, where they are, and what is written beside them."""
