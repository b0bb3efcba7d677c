"""The steps of Chain of Ideas, a file each."""
