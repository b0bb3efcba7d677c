"""Small sheets that ask or tell one thing."""
