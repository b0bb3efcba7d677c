"""Reading PDFs: their text, and which paper each is."""
