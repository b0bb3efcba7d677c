"""What every method may use: ideas, novelty reports, matches, experiment plans and their review,
evidence from chains."""
