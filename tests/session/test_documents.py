"""A document as headings with text, and as JSON values."""

import json
from pathlib import Path

from coi_tui.model.address import cell_ref
from coi_tui.model.document import (
    Bullets,
    Paragraph,
    Passage,
    Quote,
    Section,
    Table,
    TableRow,
    Transcript,
    Turn,
    plain_table,
)
from coi_tui.present.plain_text import as_data, parts
from tests.support.desk import copy_of

BLOCKS = (
    Paragraph("see note"),
    Section("Outer", (Bullets(("one", "two")), Section("Inner", (Quote("words", "same"),)))),
    plain_table(("a", "bb"), [("1", "2")]),
    Table(("a",), (TableRow(("x",), blocks=(Passage("1/idea", "text"),)),)),
    Table(("a",), ()),
    Transcript((Turn("Ada", "Hello."),)),
)


def test_sections_and_rows_with_details_are_headings_and_all_else_is_text() -> None:
    assert list(parts(BLOCKS)) == [
        ("", "see note"),
        ("Outer", "- one\n- two"),
        ("Inner", "same: “words”"),
        ("", "a  bb\n1  2"),
        ("x", "text"),
        ("", "Ada: Hello."),
    ]


def test_every_cell_of_a_session_is_json_and_has_something_to_read(tmp_path: Path) -> None:
    session = copy_of(tmp_path).session
    for row in session.rows():
        found = session.detail(row.address)
        assert found.parts or cell_ref(row.address).kind == "branch"
        data = as_data(found.blocks)
        assert json.loads(json.dumps(data)) == data
        assert all(block["type"] for block in data)
