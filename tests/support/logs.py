"""Random but legal-looking logs for the fold: every kind of entry, preconditions sometimes
broken."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from hypothesis import strategies as st

from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.fold import apply
from coi_tui.model.state import State
from tests.support.folding import empty_state

PAPERS = ["p1", "p2", "p3", "p4"]
SLOTS = ["1/-1", "1/0", "1/+1", "2/0"]
FROM_A = meanings_of({"text": "a"})["text"]
CELLS = ["topic", "1/0..+1", "1/dir", "1/idea", "1/0.card"]

papers, slots, cells = st.sampled_from(PAPERS), st.sampled_from(SLOTS), st.sampled_from(CELLS)


def decision(
    action: str, address: str, value: dict[str, Any] | None = None, actor: str = "you", **more: Any
) -> Decision:
    return Decision.model_validate(
        {"actor": actor, "action": action, "address": address, "value": value or {}, **more}
    )


def version(
    address: str, content: str | Mapping[str, Any], origin: str = "model", **more: Any
) -> Version:
    """A version; a content that is a text alone is a running text."""
    fields = {"text": content} if isinstance(content, str) else content
    own = {
        "actor": "you" if origin in ("person", "merged") else "coi",
        "address": address,
        "content": fields,
        "meanings": meanings_of(fields),
        "origin": origin,
    }
    return Version.model_validate({**own, **more})


numbers, places = st.integers(1, 20), st.one_of(cells, slots)
needs = st.dictionaries(slots, st.one_of(st.none(), papers), max_size=1)
detached = st.dictionaries(slots, papers, max_size=2)
values: dict[str, tuple[st.SearchStrategy[str], dict[str, st.SearchStrategy[Any]]]] = {
    "choose": (slots, {"paper": papers, "detach": detached}),
    "pin": (slots, {"paper": papers, "needs": needs}),
    "accept": (places, {"paper": papers, "version": numbers}),
    "reject": (slots, {"paper": papers, "detach": detached, "everywhere": st.booleans()}),
    "fork": (st.sampled_from(SLOTS[:3]), {"branch": st.just(5), "at": st.integers(-1, 1)}),
    "edit": (cells, {"version": numbers}),
    "keep": (cells, {"inputs": st.just({"topic#text": None})}),
    "protect": (places, {}),
    "unprotect": (places, {}),
    "dismiss": (st.just("1/review"), {"version": st.just(1), "point": st.integers(1, 3)}),
    "reopen": (st.just("X"), {"paper": papers, "branch": st.just(1)}),
    "park": (st.just("2"), {}),
    "unpark": (st.just("2"), {}),
    "note": (st.just("1/idea"), {"text": st.sampled_from("xyz")}),
    "pick": (st.sampled_from(["1/idea", "2/idea"]), {}),
    "settings": (st.just("session"), {"branches": st.integers(1, 3)}),
}
"""The decisions of a person, each with where it is made and its value."""


def tick(paper: str) -> Decision:
    return decision(
        "tick", "1/bad", {"report": 1, "paper": paper, "title": paper, "reason": "close"}, "coi"
    )


def end(paper: str) -> Decision:
    value = {"side": "forward", "tip_pos": 0, "tip": paper, "needs": {"1/0": paper}}
    return decision("end", "1", value, "coi")


entries: st.SearchStrategy[Decision | Version] = st.one_of(
    st.builds(version, cells, st.sampled_from("abc"), st.sampled_from(["model", "person"])),
    st.builds(
        lambda a, t: version(a, t, inputs={"topic#text": FROM_A}),
        st.sampled_from(CELLS[1:]),
        st.sampled_from("abc"),
    ),
    st.builds(
        lambda a, v: decision("propose", a, v, "coi"),
        slots,
        st.fixed_dictionaries({"paper": papers, "needs": needs}),
    ),
    st.builds(tick, papers),
    st.builds(end, papers),
    *(
        st.builds(decision, st.just(action), where, st.fixed_dictionaries(value))
        for action, (where, value) in values.items()
    ),
)


def numbered(log: list[Decision | Version]) -> list[Decision | Version]:
    """Sequence numbers and groups, as the journal gives them."""
    out: list[Decision | Version] = []
    for n, e in enumerate(log, start=1):
        more = {"group": e.group or f"d{n}"} if isinstance(e, Decision) else {}
        out.append(e.model_copy(update={"seq": n, **more}))
    return out


logs = st.lists(entries, max_size=25).map(numbered)


def by_apply(log: list[Decision | Version]) -> State:
    return reduce(apply, log, empty_state())


def everything(state: State) -> dict[str, Any]:
    """All that a state holds, for comparing two of them; not what it has worked out from that."""
    own = {k: v for k, v in vars(state).items() if not k.startswith("_") and k != "holders"}
    held = {kind.__name__: vars(one) for kind, one in state.components.items()}
    return own | {"components": {name: _told(each) for name, each in held.items()}}


def _told(held: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in held.items() if k not in ("state", "_chains", "_papers")}
