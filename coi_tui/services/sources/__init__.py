"""Sources of papers, all with the protocol of ``types``: scholarly services, the researcher's own
papers, and the starter library."""
