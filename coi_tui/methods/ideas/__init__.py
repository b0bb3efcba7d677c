"""What follows from an idea, whichever method made it."""
