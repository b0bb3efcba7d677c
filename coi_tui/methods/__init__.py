"""The methods: a folder each, with its tasks and its drafts for the built-in drafter."""
