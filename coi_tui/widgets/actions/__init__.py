"""What a key does in one place, and the keys of a person's own."""
