"""Papers that ideas rest on: the reading list, works named by title, papers read into cards."""
