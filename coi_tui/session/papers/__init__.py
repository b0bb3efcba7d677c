"""Papers of a session: candidates, finding, links, the library."""
