"""SciPIP (arXiv 2410.23166): papers found in three ways, and ideas from papers joined with free
brainstorming."""
