"""Papers of a session: candidates, look-ups, the library, the researcher's own."""
