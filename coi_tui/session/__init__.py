"""The one facade over model, store, engine and methods."""
