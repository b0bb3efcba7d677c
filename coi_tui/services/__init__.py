"""Everything that talks to the outside: HTTP, language models, sources of papers, PDFs."""
