"""Domain types, addresses, decisions, versions and the fold. No I/O."""
