"""What ideas of every method share: novelty check, match, experiment, review."""
