"""The proposal in Markdown: sections, warnings, references (COI-16)."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from coi_tui.present.snapshot import SessionSnapshot

from .building import (
    CHECKER,
    COT,
    PAPERS,
    TREE,
    Builder,
    anchor_why,
    card,
    chain_of_three,
    full,
    idea,
    paper,
    plan,
    report,
    row,
    search,
    section,
    side_why,
    unlinked,
    whole,
)


def done(origin: str = "model", **more: object) -> str:
    b, kept = full(origin)
    return whole(b.subject(**{**kept, **more}))


def test_sections_in_order() -> None:
    heads = re.findall(r"^(?:##?|### A\.\d+) (.+)$", done(), re.MULTILINE)
    assert heads == [
        "Evidence-gated chains",
        "In short",
        "The idea",
        "Where it applies",
        "First decisive step",
        "Experiment",
        "Cost and risks",
        "Simplest rival",
        "References",
        "Appendix",
        "Warnings",
        "Topic",
        "The idea part by part",
        "What it rests on",
        "Novelty evidence",
        "Experiment plan",
        "Review points and answers",
        "Other ideas and ratings",
        "How this was made",
        "Works without a paper",
        "Further references",
    ]


def test_chain_is_dated_with_reasons_links_and_labels() -> None:
    text = unlinked(section(done(), "What it rests on"))
    years = re.findall(r"^\d\. \*\*(\S+)\*\*", text, re.MULTILINE)
    assert years == ["2021", "2022-01", "2023"]
    assert "Why here: rank 1 of 6, ranked locally." in text
    assert "Judged: topic 3, kinship 2: builds on. It widens the chain." in text
    assert (
        r"Link: Yao et al. 2023 \[1\] cites Wei et al. 2022 \[3\] (starter library: checked in ../shared/data)."
        in text
    )
    assert (
        r"Link, unconfirmed: Wei et al. 2022 \[3\] is said to cite Nye 2021 \[2\] (starter library: not checked in a source)."
        in text
    )
    assert "Read from: full text." in text
    assert "Read from: abstract." in text
    assert "Why the backward side ends here: its share of 2 papers is used." in text
    assert "Why the forward side ends here: none of the 3 candidates judged is relevant." in text


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (
            {"link": "cites, unconfirmed", "evidence": ""},
            r"Link, unconfirmed: Yao et al. 2023 \[2\] is said to cite Wei et al. 2022 \[1\] (",
        ),
        ({"link": "placed by you", "by": "you"}, "Link: placed by the researcher ("),
        ({"link": "", "evidence": "", "reasoning": ""}, "Link: none is recorded"),
    ],
)
def test_a_link_is_shown_with_its_evidence(why: dict[str, str], said: str) -> None:
    b = Builder()
    b.place("1/0", COT.id, **anchor_why())
    b.place("1/+1", TREE.id, **side_why(COT, **why))
    text = unlinked(whole(b.subject()))
    assert said in text
    if "is said to cite" in said:
        assert r"\] cites Wei" not in text
        assert "**Unconfirmed link**" in text


def test_the_researchers_own_words_are_marked() -> None:
    text = section(done(), "What it rests on")
    mine, other = text.split("### 1/0..+1: ")
    assert "*The researcher's own words.*" in mine
    assert "own words" not in other


def test_novelty_evidence_is_bounded() -> None:
    text = section(done(), "Novelty evidence")
    assert "**No close match in 2 papers searched on 2026-11-20; 1 partial overlap.**" in text
    assert "| 1 | step verification | starter library | 2026-11-20 | 2 | answered |" in text
    assert "(NEW in this report)" in text
    assert "1 more paper was found but not judged" in text
    assert re.search(
        r"\[Let's Verify Step by Step\].*\n +- \*\*partial\*\*.*Reason: It checks steps after the fact\.",
        text,
    )


def novelty(
    rows: list[dict[str, object]], searches: list[dict[str, object]], verdict: str, **more: object
) -> str:
    b = Builder()
    chain_of_three(b)
    seq = b.text("1/idea", idea())
    b.text("1/nov", report(rows, searches, verdict, seq, **more))
    return whole(b.subject())


@pytest.mark.parametrize(
    ("rows", "searches"),
    [
        ([], [search(hits=0, result="empty")]),
        ([row(CHECKER, "not close")], [search(), search("b", 0, "failed", note="429")]),
    ],
)
def test_an_inconclusive_report_is_said_to_be_one(
    rows: list[dict[str, object]], searches: list[dict[str, object]]
) -> None:
    text = novelty(rows, searches, "INCONCLUSIVE")
    assert "**INCONCLUSIVE: " in section(text, "Novelty evidence")
    assert "- **Novelty INCONCLUSIVE**: branch 1" in text
    assert "No close match" not in text


def test_others_ratings_and_flips() -> None:
    text = section(done(), "Other ideas and ratings")
    assert "### Idea 2: Graphs that forget" in text
    assert "Prune the graph of thoughts by age." in text
    assert "| 1: Evidence-gated chains (shown above) | 1013 | 1016 |" in text
    assert "clarity: tie (flipped with the order)" in text


def test_plan_and_review() -> None:
    text = done()
    made = section(text, "Experiment plan")
    assert "A gate finds drift. (refuted if chains drift as often with it)" in made
    assert "(**unverified**: no paper of the session has this title)" in made
    answers = section(text, "Review points and answers")
    assert "**answered**: Added tokens per item to the metrics." in answers
    assert "Say how many seeds. **NOT ADDRESSED**" in answers
    assert "**dismissed**: by the researcher: out of reach for us." in answers
    assert "Labels cost 800 hours." in answers
    assert "**Not addressed**: point 2 " in section(text, "Warnings")


def test_a_claimed_change_without_a_change_is_not_addressed() -> None:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea())
    first = b.text("1/exp", plan())
    review = b.text(
        "1/review", {"points": [{"n": 1, "part": "design", "point": "Seeds"}], "of": first}
    )
    b.text(
        "1/exp",
        plan(answers=[{"point": 1, "change": "Added seeds."}]),
        parents=(first,),
        recipe={"review": review},
    )
    assert "**NOT ADDRESSED**: a change is claimed (Added seeds.)" in whole(b.subject())


def test_references_are_papers_of_the_session_each_once() -> None:
    text = done()
    entries = re.findall(
        r"^(\d+)\. (.+)$",
        section(text, "References") + section(text, "Further references"),
        re.MULTILINE,
    )
    assert [int(n) for n, _ in entries] == list(range(1, len(entries) + 1))
    titles = [p.title for p in PAPERS.values()]
    found = [next(t for t in titles if t in line) for _, line in entries]
    assert len(found) == len(set(found)) == len(titles)
    used = {int(n) for n in re.findall(r"\\\[(\d+)\\\]", text)}
    assert used == {int(n) for n, _ in entries}
    assert (
        "Jason Wei, Xuezhi Wang (2022). Chain-of-Thought Prompting Elicits Reasoning. *NeurIPS*."
        in text
    )
    assert "<https://arxiv.org/abs/2201.11903>" in text


def test_one_paper_under_two_ids_is_one_reference() -> None:
    b = Builder()
    twin = paper("x", COT.title, 2022, "J. Wei").model_copy(
        update={"id": "S2:" + "a" * 40, "ids": {"arXiv": "2201.11903", "S2": "a" * 40}}
    )
    b.papers[twin.id] = twin
    b.place("1/0", COT.id, **anchor_why())
    b.place("2/0", twin.id, **anchor_why())
    assert (
        len(re.findall(r"^\d+\. ", section(whole(b.subject()), "Further references"), re.MULTILINE))
        == 1
    )


def test_a_title_named_in_a_text_is_cited_or_marked() -> None:
    b = Builder()
    chain_of_three(b)
    said = (
        "“Least to most prompting” helps; “A Survey of Everything Under the Sun” says so,"
        ' as does "Gated Minds: Towards Careful Machines" (2024).'
    )
    b.text(
        "1/idea",
        idea(problem=said, mechanism='We call it “the gate” and quote "step by step, then stop".'),
    )
    text = whole(b.subject())
    assert "Least-to-Most Prompting" in section(text, "Further references")
    listed = section(text, "Works without a paper")
    assert re.findall(r"^- (.+?) \(\*\*unverified", listed, re.MULTILINE) == [
        "A Survey of Everything Under the Sun",
        "Gated Minds: Towards Careful Machines",
    ]
    assert text.count("- **Unverified title**") == 2


def test_made_part() -> None:
    text = section(done(), "How this was made")
    assert "- big, served as big-2026: 2 calls." in text
    assert "| coi\\_idea | 1 | abcdef012345 | built in | 2 |" in text
    assert "Tokens: 2,000 sent, 400 received." in text
    assert "Cost: 0.01 US dollars. The price of 1 call is not known and not included." in text
    assert "accept 1/0, arXiv:2201.11903: the classic." in text
    assert "the trend from 1/-1 to 1/0" in text
    assert "Calls on record: text generation 2, search or record 1." in text
    assert "18 versions of 17 texts are kept in the session." in text
    assert "2 cards from the abstract only" in text


def test_drafted_without_a_language_model_is_said_near_the_top() -> None:
    text = done("drafter")
    assert text.split("\n\n")[1].startswith(
        "*Worksheet, drafted without a language model: every generated text. The built-in drafter"
    )
    assert "drafted without a language model" not in done("model")


def test_a_warning_for_each_stale_failed_and_undecided_part() -> None:
    b, more = full()
    fresh = {
        "1/dir": "stale",
        "1/idea": "upstream",
        "1/nov": "fresh",
        "1/exp": "kept",
        "2/dir": "stale",
        "2/nov": "stale",
    }
    failures = {"1/+2.cands": "Semantic Scholar did not answer"}
    warned = section(whole(b.subject(**{**more, "fresh": fresh, "failures": failures})), "Warnings")
    assert "**Stale**: the future direction of branch 1 (1/dir)" in warned
    assert "**Stale upstream**: the idea of branch 1 (1/idea)" in warned
    assert "**Stale**: the novelty report of branch 2 (2/nov)" in warned
    assert "2/dir" not in warned
    assert (
        "**Failed**: the candidates of 1/+2 (1/+2.cands) failed: Semantic Scholar did not answer."
        in warned
    )
    assert "**Undecided**: 1/-1 and 1/+1 were proposed" in warned


def test_a_report_about_an_older_idea_is_a_warning() -> None:
    b, more = full()
    b.text("1/idea", idea("Evidence-gated trees"))
    assert (
        "**Novelty of another version**: the novelty report of branch 1 is about v1 of the idea, but v2 is in use."
        in whole(b.subject(**more))
    )


@pytest.mark.parametrize("count", range(1, 30, 4))
def test_unfinished_sessions(count: int) -> None:
    """Every beginning of a full session can be exported and says what is missing."""
    b, more = full()
    b.entries = b.entries[:count]
    subject = b.subject(calls=more["calls"])
    text = whole(subject)
    assert text.startswith("# ")
    if subject.state.in_use("1/exp") is None:
        assert "ot made yet" in text
    assert "is novel" not in text.lower()
    assert "None" not in re.sub(r"\bNone( on record)?[.:]", "", text)


def test_no_branch_at_all() -> None:
    text = whole(SessionSnapshot("empty", "Chain of Ideas", "", Builder().subject().state))
    assert text.startswith("# empty\n")
    assert "the session has no branch yet" in text
    assert "No paper is cited yet." in text


HOSTILE = "[x](javascript:alert(1)) `b` a|b <script>alert(1)</script> **bold** \n# head"


def test_hostile_texts_make_no_markup() -> None:
    evil = paper(
        "2201.11903",
        HOSTILE,
        2022,
        HOSTILE,
        venue=HOSTILE,
        ids={"arXiv": "2201.11903](javascript:1)", "DOI": "10.1/a)b(c"},
    )
    b = Builder({evil.id: evil})
    b.text("topic", {"text": f"# {HOSTILE}"}, "person")
    b.text("Q1", {"text": f"- {HOSTILE}", "note": HOSTILE})
    b.place("1/0", evil.id, **anchor_why(query=HOSTILE, source=HOSTILE, ranked=HOSTILE))
    b.text("1/0.card", card(contribution=HOSTILE, limitation=HOSTILE, source=HOSTILE, note=HOSTILE))
    b.text("1/dir", {"text": f"# {HOSTILE}\n\n- {HOSTILE}", "note": HOSTILE})
    b.text("1/idea", {k: [HOSTILE] * 3 if k == "works" else HOSTILE for k in idea()})
    rows = [row(evil, "partial", overlap=HOSTILE, reason=HOSTILE)]
    b.text(
        "1/nov",
        report(rows, [search(HOSTILE, note=HOSTILE, source=HOSTILE)], "partial", summary=HOSTILE),
    )
    listed = {"references": [HOSTILE], "claims": [{"name": HOSTILE, "description": HOSTILE}]}
    first = b.text("1/exp", {k: listed.get(k, HOSTILE) for k in plan()})
    b.text("1/review", {"points": [{"n": 1, "part": HOSTILE, "point": HOSTILE}], "of": first})
    b.decide("accept", "1/0", paper=evil.id, reason=HOSTILE)
    text = whole(
        b.subject(
            name=HOSTILE,
            method=HOSTILE,
            failures={"1/+1.cands": HOSTILE},
            stopped={(1, "forward"): HOSTILE},
        )
    )
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    links = {
        str(c.attrs["href"]) for t in tokens for c in t.children or () if c.type == "link_open"
    }
    assert links - {"https://doi.org/10.1/a%29b%28c"} == {"#ref-1"}
    assert not any(t.type.startswith("html") for t in tokens)
    assert [c.content for t in tokens for c in t.children or () if c.type == "html_inline"] == [
        '<span id="ref-1">',
        "</span>",
    ]
    heads = {tokens[i + 1].content for i, t in enumerate(tokens) if t.type == "heading_open"}
    assert not any(h.startswith("head") for h in heads)


def test_nothing_is_called_novel() -> None:
    b, more = full()
    b.text("1/idea", idea(summary="This gate is novel.", final="It is\nnovel and **is novel**."))
    assert "is novel" not in whole(b.subject(**more)).lower()
