"""What a person decides, what it would change, and how it is taken back."""
