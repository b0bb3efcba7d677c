"""The starter library: real AI papers with the project's own summaries, so that everything runs offline."""
