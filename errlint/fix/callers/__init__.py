"""Who uses what a function answers: callers up to the boundaries, what is around each place, and tests."""
