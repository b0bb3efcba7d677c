"""Pictures, where people would rather look."""
