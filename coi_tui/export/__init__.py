"""A session as a document: proposal in Markdown, references for reference managers, JSON (COI-16).

Everything comes in by argument; only ``write_new`` does I/O.
"""

from coi_tui.export.bibtex import bibtex
from coi_tui.export.csl import csl_json
from coi_tui.export.files import write_new
from coi_tui.export.json_export import as_json
from coi_tui.export.markdown import proposal
from coi_tui.export.ris import ris
from coi_tui.export.snapshot import SessionSnapshot

__all__ = ["SessionSnapshot", "as_json", "bibtex", "csl_json", "proposal", "ris", "write_new"]
