"""What the runtime of every convention has."""
