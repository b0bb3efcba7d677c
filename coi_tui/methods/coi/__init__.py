"""Chain of Ideas (arXiv 2410.13185), capabilities COI-1 to COI-16."""
