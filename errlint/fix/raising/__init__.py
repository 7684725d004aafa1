"""From an error that is answered to the raise that takes its place."""
