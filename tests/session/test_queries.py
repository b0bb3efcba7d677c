"""Plain rows for screens: what a bulk accept takes, the versions of a text, the shelf, the log."""

from dataclasses import replace
from pathlib import Path

import pytest

from coi_tui.methods.chain.chains import Chains
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.session.decisions.bulk_accept import accepted, in_sentence, left_out
from coi_tui.session.queries.history import log, shelf, versions
from coi_tui.session.wording import Verdict
from tests.support.desk import chains, copy_of
from tests.support.folding import fold
from tests.support.logs import decision, numbered, version


def test_what_a_bulk_accept_leaves_out() -> None:
    def card(place: str, source: str) -> object:
        return version(f"1/{place}.card", "t").model_copy(
            update={"content": {"text": "t", "source": source}}
        )

    def verdicts(place: str, paper: str, *, unread: bool = False) -> object:
        rows = {"verdicts": [{"paper": paper, "unread": unread, "reasoning": ""}]}
        return version(f"1/{place}.rel", "t").model_copy(update={"content": rows})

    places = {"-2": "a", "-1": "b", "0": "c", "+1": "d", "+2": "e", "+3": "f"}
    entries = [
        decision("propose", f"1/{place}", {"paper": paper}, "coi")
        for place, paper in places.items()
    ]
    more = [
        card("-2", "full text"),
        card("-1", "abstract"),
        card("0", "full text"),
        card("+2", "full text"),
        verdicts("+2", "e"),
        verdicts("+3", "f", unread=True),
        decision("protect", "1/0"),
    ]
    papers = {
        p: Paper(id=p, title=p, open_pdf="https://example.org/d.pdf" if p == "d" else None)
        for p in places.values()
    }
    state = fold(numbered([*entries, *more]), papers)  # type: ignore[list-item]
    off = {
        held.address: Chains.of(state).left_out(held.address) for held in Chains.of(state).filled(1)
    }
    assert off == {
        "1/-2": "",
        "1/-1": "read only from its abstract",
        "1/0": "",
        "1/+1": "",
        "1/+2": "judged not to fit",
        "1/+3": "not read yet, and no open full text is known",
    }


def test_accept_all_is_one_group_and_refuses_what_is_not_proposed(tmp_path: Path) -> None:
    s = copy_of(tmp_path, "small").session
    addresses = [one.address for one in s.undecided(1) if not one.is_text]
    assert len(addresses) > 1
    before = s.state.seq
    s.decide("accept_all", "session", addresses)
    assert {chains(s).slot(a).verdict for a in addresses} == {"accepted"}
    with pytest.raises(UsageError, match="already accepted"):
        s.decide("accept_all", "session", addresses)
    with pytest.raises(UsageError, match="Nothing was named"):
        s.decide("accept_all", "session", [])
    assert s.state.seq == before + len(addresses)
    s.undo()
    assert {chains(s).slot(a).verdict for a in addresses} == {"proposed"}
    s.redo()
    assert {chains(s).slot(a).verdict for a in addresses} == {"accepted"}


def test_all_undecided_texts_are_accepted_in_one_go_and_no_idea_is_picked_by_that(
    tmp_path: Path,
) -> None:
    """``]`` stops at every card and trend; before, the bulk accept took papers alone."""
    s = copy_of(tmp_path, "small").session
    s.decide("protect", "1/dir")
    here, everywhere = s.undecided(1), s.undecided()
    signed = {row.address for row in s.rows() if row.verdict is Verdict.UNDECIDED and not row.aside}
    assert {one.address for one in everywhere} == signed
    assert {one.address for one in here} < {one.address for one in everywhere}
    texts = [one for one in everywhere if one.is_text and not one.off]
    assert {"1/0.card", "1/-1..0", "1/idea", "2/idea"} <= {one.address for one in texts}
    said = in_sentence(texts, 1)
    assert said.startswith("Accepts ")
    assert said.endswith("; 1 left out.")
    assert sum(int(word) for word in said.split() if word.isdigit()) == len(texts) + 1
    assert " 2 ideas" in said
    assert left_out([one for one in here if one.is_text]) == "Left out: 1/dir (protected by you)."
    assert accepted(texts[:2]) == f"{texts[0].address} and {texts[1].address}"
    before = s.state.seq
    s.decide("accept_all", "session", [one.address for one in texts])
    assert [one.address for one in s.undecided() if one.is_text] == ["1/dir"]
    assert s.state.pick is None
    s.undo()
    assert [one for one in s.undecided() if one.is_text and not one.off] == texts
    assert s.state.seq > before


def test_stale_texts_are_left_out_of_a_bulk_accept_and_the_reason_is_said(tmp_path: Path) -> None:
    s = copy_of(tmp_path, "small").session
    s.edits.save("1/dir", "Another direction altogether.")
    off = {one.address: one.off for one in s.undecided(1)}
    assert off["1/idea"] == "a text that it rests on is stale"
    assert off["1/0.card"] == ""


def test_versions_say_origin_parents_and_standing_also_in_a_fork(tmp_path: Path) -> None:
    s = copy_of(tmp_path, "small").session
    trend = chains(s).pairs(1)[0]
    first = versions(s.state, trend)[0]
    assert (first.standing, first.in_use, first.parents) == ("IN USE", True, ())
    s.edits.save(trend, "my own words")
    mine, made = versions(s.state, trend)
    assert (mine.origin, mine.maker, mine.parents, mine.standing) == (
        "edited",
        "you",
        (f"v{made.number}",),
        "IN USE, by your choice",
    )
    assert (
        replace(made, origin="drafter", maker="drafter").by,
        replace(made, maker="some model").by,
    ) == ("", "some model")
    assert made.standing == "earlier"
    assert dict(s.detail(trend, made.seq).parts) != dict(s.detail(trend).parts)
    with pytest.raises(UsageError, match="has no version"):
        s.detail(trend, 9999)
    new = s.decide("fork", "1/+1").value["branch"]
    shared = next(a for a in chains(s).pairs(new) if len(versions(s.state, a)) > 1)
    assert [v.number for v in versions(s.state, shared)] == [mine.number, made.number]
    assert (
        s.detail(shared, versions(s.state, shared)[1].seq).parts == s.detail(trend, made.seq).parts
    )


def test_shelf_and_log_tell_where_from_why_and_what_was_undone(tmp_path: Path) -> None:
    s = copy_of(tmp_path, "small").session
    s.decide("reject", "1/0", reason="survey")
    lines = shelf(s.state, s.journal.entries)
    assert {(x.item.kind, x.item.reason) for x in lines} == {
        ("detached", "survey"),
        ("rejected", "survey"),
    }
    assert all(x.time and x.title for x in lines)
    s.undo()
    newest = log(s.state, s.journal.entries)
    assert [(x.action, x.mark) for x in newest[:2]] == [("undo", ""), ("reject", "undone")]
    assert newest[0].about == f"decision {newest[1].seq}"
    assert len(newest) == len(s.decision_log())


def test_who_reads_a_text_is_found_by_what_each_step_reads_now(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session

    def by_each_step(address: str) -> set[str]:
        steps = {
            other: step
            for other in session.state.cells
            if other != address and (step := session.methods.task(other)) is not None
        }
        return {
            other
            for other, step in steps.items()
            if any(r.cell == address and not r.parent for r in step.reads(session.state, other))
        }

    for move in (
        lambda: None,
        lambda: session.decide("reject", "1/+1", reason="no"),
        session.undo,
    ):
        move()
        for address in ("topic", "1/0", "1/0.card", "1/+1.card", "1/0..+1", "1/idea", "2/idea"):
            assert set(session.readers(address)) == by_each_step(address)
    assert session.readers("1/0.card")[-1] in session.state.cells


def test_why_begins_with_one_sentence_and_names_no_field_where_all_come_from_one_version(
    tmp_path: Path,
) -> None:
    session = copy_of(tmp_path, "one").session
    first, *rest = session.why("1/idea")
    assert first.startswith(
        "1/idea was made from the topic, the sketch from the chain, 5 papers, 5 cards"
    )
    assert "up to date" in first
    read = next(line for line in rest if "1/0.card" in line)
    assert read.count("1/0.card v1") == 1
    session.decide("reject", "1/+2")
    first, *rest = session.why("1/idea")
    assert "1/+2.card" in first
    assert sum("1/+2.card" in line for line in rest if line.startswith("Stale")) == 1
    assert session.why("topic")[0].startswith("You wrote topic")


def test_ids_in_citations_are_authors_and_year_in_the_tree_and_the_editor_and_come_back(
    tmp_path: Path,
) -> None:
    session = copy_of(tmp_path, "one").session
    one, two = (str(chains(session).slot(at).paper) for at in ("1/0", "1/+1"))
    short = {paper: session.state.papers[paper].short() for paper in (one, two)}
    text = f"It begins [{one}] and goes on [{two}][{one}]."
    session.edits.save("1/0..+1", text)
    assert session.state.value("1/0..+1#text") == text
    (row,) = [row for row in session.rows() if row.address == "1/0..+1"]
    written = session.edits.text_of("1/0..+1")
    for shown in (row.title, written):
        assert one not in shown
        assert all(f"[{name}]" in shown for name in short.values())
    session.edits.save("1/0..+1", f"Indeed: {written}")
    assert session.state.value("1/0..+1#text") == f"Indeed: {text}"
