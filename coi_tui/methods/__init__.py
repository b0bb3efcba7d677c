"""The methods: a folder each, with its steps and its drafts for the built-in drafter."""
