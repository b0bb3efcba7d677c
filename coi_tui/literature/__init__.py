"""Pure rules on papers: identifiers, titles, ranking, deduplication, sections, and the files of
reference managers."""
