"""Every kind of decision that a person can make, as moves for tests over random histories."""

from collections.abc import Callable

from hypothesis import strategies as st

from coi_tui.model.address import cell_ref, slot
from coi_tui.model.content import CLOSENESS, NewsContent, NoveltyReport
from coi_tui.model.criteria import Criteria
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import digest
from coi_tui.present.comparisons import JUDGEMENTS
from coi_tui.services.pdf.full_text import ExtractedPdf
from coi_tui.services.sources.types import PdfText
from coi_tui.session.papers.own_papers import OwnPdf, PdfRead
from coi_tui.session.session import Session
from tests.support.desk import chains
from tests.support.folding import ACTIONS

Act = Callable[[Session, str, str], object]
TEXTS = (
    "topic",
    "Q1",
    "1/-1..0",
    "1/0..+1",
    "1/dir",
    "1/0.card",
    "1/idea",
    "2/dir",
    "2/idea",
    "1/exp",
)
SLOTS = ("1/-1", "1/0", "1/+1", "2/0", "2/+1")
WORDS = ("one", "two")


def _edit(session: Session, address: str, word: str, *, wording_only: bool = False) -> object:
    part = {"dir": "text", "card": "limits", "idea": "final", "exp": "design"}.get(
        cell_ref(address).kind
    )
    text = f"my {word} at {address}"
    said = session.edits.part_alone(address, part, text) if part else text
    return session.edits.save(address, said, wording_only=wording_only)


def _merge(session: Session, address: str, _word: str) -> object:
    other = session.state.in_use("2/idea")
    text = session.edits.part_alone(address, "final", "of both")
    return session.edits.save(address, text, other=other.seq if other else 0)


def _pin(session: Session, address: str, word: str) -> object:
    year = next(
        (
            p.year
            for pos in (0, 1, -1)
            if (p := chains(session).paper_in(slot(int(address[0]), pos)))
        ),
        2015,
    )
    paper = Paper(
        id=f"arXiv:own{word}", title=f"Own {word}", year=year, abstract=f"own {word}", source="you"
    )
    return session.decide("pin", address, paper=paper)


def _avoid(session: Session, _address: str, word: str) -> object:
    return session.decide(
        "avoid", "X", paper=Paper(id=f"arXiv:own{word}", title=f"Own {word}", source="you")
    )


def _attach(session: Session, address: str, word: str) -> object:
    looked = ExtractedPdf(PdfText(kind="full text", text=word))
    return session.decide(
        "attach",
        address,
        PdfRead(OwnPdf(f"{word}.pdf", digest(word), f"all of {word}"), looked).own,
    )


def _reopen(session: Session, _address: str, _word: str) -> object:
    item = chains(session).shelf[-1] if chains(session).shelf else None
    return session.decide(
        "reopen", str((item.branch if item else 0) or "X"), item.paper if item else ""
    )


def _judged(session: Session) -> str:
    """A paper of the first branch's novelty report."""
    report = session.state.read("1/nov", NoveltyReport)
    return report.papers[0].paper if report is not None and report.papers else ""


def _undo_one(session: Session, _address: str, word: str) -> object:
    """One of a person's decisions, whatever came after it."""
    mine = [e for e in session.decision_log() if e.actor == "you" and not e.creation]
    return session.revert(mine[0 if word == "one" else len(mine) // 2].seq if mine else 0)


def _ask(session: Session, address: str, word: str) -> Decision:
    """Where there is no language model, the decision alone: nothing is rewritten in these
    histories."""
    if session.state.in_use(address) is None:
        raise UsageError(f"Nothing has been made at {address} yet.")
    asked = Decision(actor="you", action="ask", address=address, value={"wish": word})
    return session.write([asked])


def _see(session: Session, address: str, word: str) -> Decision:
    """A look that found something, and that it was seen."""
    content = NewsContent(until="2026-02-01", found=[f"S2:{word}"]).model_dump()
    look = Version(actor="coi", address=address, content=content, meanings={}, origin="source")
    session.journal.write([look])
    return session.decide("seen", address)


def _accept_all(session: Session, address: str, _word: str) -> object:
    return session.decide("accept_all", "session", [address])


def decided(
    verb: str, address: str, value: object = None, reason: str = ""
) -> Callable[[Session], object]:
    return lambda session: session.decide(verb, address, value, reason)


def decide(verb: str, value: object = None) -> Act:
    return lambda session, address, _word: session.decide(verb, address, value)


OF_TEXT: dict[str, Act] = {
    "edit": _edit,
    "edit: wording": lambda s, a, w: _edit(s, a, w, wording_only=True),
    "accept: text": decide("accept"),
    "accept: all texts": _accept_all,
    "ask": _ask,
    "adopt": lambda s, a, w: s.decide("use", a, next(iter(s.state.cell(a).versions), 0)),
    "keep": decide("keep"),
    "protect: text": decide("protect"),
    "unprotect": decide("unprotect"),
    "note": lambda s, a, w: s.decide("note", a, w),
}
OF_SLOT: dict[str, Act] = {
    "accept": decide("accept"),
    "accept: all": _accept_all,
    "reject": lambda s, a, w: s.decide("reject", a, reason=w),
    "reject: everywhere": decide("reject_everywhere"),
    "choose": lambda s, a, w: s.decide("choose", a, {"one": "1", "two": "2"}[w]),
    "pin": _pin,
    "attach": _attach,
    "fork": decide("fork"),
    "end": decide("end"),
}
OF_SESSION: dict[str, tuple[str, Act]] = {
    "edit: criteria": (
        "criteria",
        lambda s, a, w: s.decide("criteria", "criteria", Criteria(without_words=(w,))),
    ),
    "edit: means": ("means", lambda s, a, w: s.edits.save("means", w or "none")),
    "edit: merge": ("1/idea", _merge),
    "edit: claims": ("1/claims", lambda s, a, w: s.edits.save(a, f"- method: it does {w}")),
    "settings: offline": ("session", lambda s, a, w: s.decide("network", "session", w == "one")),
    "settings: match": ("A/1-2", decide("show_match")),
    "reject: question": ("Q1", decide("reject")),
    "reject: end": ("1/+1", decide("reject")),
    "reject: kept out": ("X", _avoid),
    "park: idea": ("1/idea", decide("reject")),
    "park": ("1", decide("set_aside")),
    "unpark": ("1", decide("take_up")),
    "pick": ("1/idea", decide("pick")),
    "pick: other": ("2/idea", decide("pick")),
    "tick": ("1/bad", lambda s, a, w: s.decide("tick", "1/nov", "1")),
    "tick: point": ("1/review", decide("tick", 1)),
    "untick": ("1/review", decide("untick", 1)),
    "dismiss": ("1/review", decide("dismiss", 1)),
    "add": ("1/review", lambda s, a, w: s.decide("add", "1/review", f"say {w}")),
    "judge": (
        "1/nov",
        lambda s, a, w: s.decide(
            "judge", "1/nov", {"paper": _judged(s), "judgement": JUDGEMENTS[0]}
        ),
    ),
    "judge: verdict": (
        "1/nov",
        decide("judge", {"judgement": CLOSENESS[0]}),
    ),
    "vote": (
        "A/1-2",
        lambda s, a, w: s.decide(
            "vote", a, {"criteria": ["novelty"], "winner": 1 if w == "one" else 2}
        ),
    ),
    "reopen": ("X", _reopen),
    "method": ("S1", lambda s, a, w: s.add_method("SciPIP")),
    "seen": ("news", _see),
    "undo": ("session", lambda s, a, w: s.undo()),
    "undo: one": ("session", _undo_one),
    "redo": ("session", lambda s, a, w: s.redo()),
}
ACTS: dict[str, Act] = {
    **OF_TEXT,
    **OF_SLOT,
    **{name: act for name, (_, act) in OF_SESSION.items()},
}
OTHERS = {"propose", "refresh"}
"""Decisions that only a run writes."""
KINDS = {name.partition(":")[0] for name in ACTS}
assert ACTIONS == KINDS | OTHERS
Move = tuple[str, str, str]
words = st.sampled_from(WORDS)
moves: st.SearchStrategy[Move] = st.one_of(
    st.tuples(st.sampled_from(sorted(OF_TEXT)), st.sampled_from(TEXTS), words),
    st.tuples(st.sampled_from(sorted(OF_SLOT)), st.sampled_from(SLOTS), words),
    st.tuples(st.sampled_from(sorted(OF_SESSION)), words).map(
        lambda two: (two[0], OF_SESSION[two[0]][0], two[1])
    ),
)
ON = {
    **dict.fromkeys(OF_TEXT, "1/dir"),
    **dict.fromkeys(OF_SLOT, "1/0"),
    **{name: at for name, (at, _) in OF_SESSION.items()},
}
"""A row on which each can be made."""
ON |= {"accept": "1/+1", "accept: all": "1/+1", "end": "1/+1", "accept: text": "1/dir"}
BEFORE: dict[str, tuple[str, ...]] = {
    "keep": ("reject",),
    "end": ("reject: end",),
    "unpark": ("park",),
    "unprotect": ("protect: text",),
    "untick": ("tick: point",),
    "undo": ("edit",),
    "redo": ("edit", "undo"),
    "undo: one": ("edit", "edit: criteria"),
    "reopen": ("reject",),
    "vote": ("pick",),
}
"""What has to be decided first."""
