"""The circulation desk of a public library."""
