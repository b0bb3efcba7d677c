"""Where papers come from: sources, identifiers, ranking, full text."""
