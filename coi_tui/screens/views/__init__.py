"""A novelty report, the matches of ideas, a review: what the machine said, and what the researcher
says beside it."""
