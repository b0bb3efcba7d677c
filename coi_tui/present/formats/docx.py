"""The proposal as a Word file, for whoever comments there; pandoc writes it from the HTML (extra
``pandoc``)."""

from __future__ import annotations

from functools import partial

from coi_tui.present.formats import Format
from coi_tui.present.formats.tex import by_pandoc

FORMAT = Format("the proposal for Word", partial(by_pandoc, form="docx"), options=True)
