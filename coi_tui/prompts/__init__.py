"""Prompt files (Markdown with TOML front matter) and their loader."""
