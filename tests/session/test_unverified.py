"""What a text names and no paper of the session is, is told beside the text, and by the export."""

from __future__ import annotations

import json
from pathlib import Path

from coi_tui.present.snapshot import WITH_APPENDIX
from tests.support.desk import copy_of

INVENTED = "It goes beyond Quandry et al. (2019) and “Sparse Memory for Adaptive Planning”."


def test_an_invented_citation_is_marked_in_the_detail_and_in_the_export(tmp_path: Path) -> None:
    session = copy_of(tmp_path).session
    address = f"{session.state.ideas()[0]}/idea"
    before = dict(session.queries.detail(address).parts)
    assert not any(head.startswith("Unverified") for head in before)
    own = next(p for p in session.state.papers.values() if p.authors and p.year)
    text = f"{INVENTED} It builds on “{own.title}”."
    session.edits.save(address, f"## final\n{text}\n")
    marked = next(
        said
        for head, said in session.queries.detail(address).parts
        if head.startswith("Unverified")
    )
    assert marked.splitlines() == [
        "- “Sparse Memory for Adaptive Planning”",
        "- Quandry et al. (2019)",
    ]
    session.decide("pick", address)
    made = session.exports.text("md", WITH_APPENDIX)
    assert all(name in made.partition("Unverified ")[2] for name in ("Quandry", "Sparse Memory"))
    data = json.loads(session.exports.text("json"))
    assert data["unverified"] == {
        "Sparse Memory for Adaptive Planning": [address],
        "Quandry et al. (2019)": [address],
    }
