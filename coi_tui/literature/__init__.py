"""Where papers come from.

* Sources: ``semantic_scholar``, ``openalex``, ``arxiv``, ``imported_library`` and
  ``starter`` (the bundled library), all with the protocol of ``types``; ``source_fallback`` and
  ``time_cut`` wrap them.
* Records: ``ids``, ``title_match``, ``deduplication``, ``ranking``; ``bibliography_files`` reads
  those of reference managers, with ``bibtex_reader``, ``latex_text`` and ``ris_reader``.
* Texts: ``full_text`` and ``_pdf_worker`` extract them, ``sections`` divides them,
  ``pdf_ids`` tells whose they are.
* Network: ``http``, ``quota`` and ``routing``; only ``http`` sends anything.
"""
