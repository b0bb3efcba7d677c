"""What is new since a person looked: one look, and what a new paper has to do with what they have."""
