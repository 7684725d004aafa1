"""What functions answer when something goes wrong, in whatever form it is written."""
