"""What a person decides, and what follows from it."""
