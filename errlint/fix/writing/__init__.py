"""Files on disk: all changed or none, brought back after a crash, and verified."""
