"""Nova: seed ideas, plans of what to search for next, and new seeds from what was found, round by round."""
