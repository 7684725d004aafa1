"""What people and editors are told of fixes, and what they are asked."""
