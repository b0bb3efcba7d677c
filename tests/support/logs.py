"""Random but legal-looking logs for the fold: every kind of entry, preconditions sometimes
broken."""

from __future__ import annotations

from functools import reduce
from typing import Any

from hypothesis import strategies as st

from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.fold import apply
from coi_tui.model.state import State

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


def version(address: str, text: str, origin: str = "model", **more: Any) -> Version:
    content = {"text": text}
    actor = "you" if origin == "person" else "coi"
    fields = {
        "actor": actor,
        "address": address,
        "content": content,
        "meanings": meanings_of(content),
        "origin": origin,
        **more,
    }
    return Version.model_validate(fields)


detached = st.dictionaries(slots, papers, max_size=2)
needs: st.SearchStrategy[dict[str, str | None]] = st.one_of(
    st.just({}), st.dictionaries(slots, st.one_of(st.none(), papers), max_size=1)
)
entries: st.SearchStrategy[Decision | Version] = st.one_of(
    st.builds(
        lambda a, t, o: version(a, t, o),
        cells,
        st.sampled_from("abc"),
        st.sampled_from(["model", "person"]),
    ),
    st.builds(
        lambda a, t: version(a, t, inputs={"topic#text": FROM_A}),
        st.sampled_from(CELLS[1:]),
        st.sampled_from("abc"),
    ),
    st.builds(
        lambda a, p, n: decision("propose", a, {"paper": p, "needs": n}, "coi"),
        slots,
        papers,
        needs,
    ),
    st.builds(
        lambda a, p, d: decision("choose", a, {"paper": p, "detach": d}), slots, papers, detached
    ),
    st.builds(lambda a, p, n: decision("pin", a, {"paper": p, "needs": n}), slots, papers, needs),
    st.builds(lambda a, p: decision("accept", a, {"paper": p}), slots, papers),
    st.builds(
        lambda a, p, d, e: decision(
            "reject", a, {"paper": p, "detach": d, "everywhere": e}, reason="no"
        ),
        slots,
        papers,
        detached,
        st.booleans(),
    ),
    st.builds(
        lambda a, at: decision("fork", a, {"branch": 5, "at": at}),
        st.sampled_from(["1/-1", "1/0", "1/+1"]),
        st.integers(-1, 1),
    ),
    st.builds(lambda a, n: decision("edit", a, {"version": n}), cells, st.integers(1, 20)),
    st.builds(lambda a, n: decision("accept", a, {"version": n}), cells, st.integers(1, 20)),
    st.builds(lambda a: decision("keep", a, {"inputs": {"topic#text": None}}), cells),
    st.builds(lambda a: decision("protect", a), st.one_of(cells, slots)),
    st.builds(lambda a: decision("unprotect", a), st.one_of(cells, slots)),
    st.builds(
        lambda p: decision(
            "tick", "1/bad", {"report": 1, "paper": p, "title": p, "reason": "close"}, "coi"
        ),
        papers,
    ),
    st.builds(
        lambda n: decision("dismiss", "1/review", {"version": 1, "point": n}), st.integers(1, 3)
    ),
    st.builds(lambda p: decision("reopen", "X", {"paper": p, "branch": 1}), papers),
    st.builds(lambda a: decision(a, "2"), st.sampled_from(["park", "unpark"])),
    st.builds(lambda t: decision("note", "1/idea", {"text": t}), st.sampled_from("xyz")),
    st.builds(lambda b: decision("pick", f"{b}/idea"), st.integers(1, 2)),
    st.builds(lambda n: decision("settings", "session", {"branches": n}), st.integers(1, 3)),
    st.builds(
        lambda p: decision(
            "end",
            "1",
            {"side": "forward", "tip_pos": 0, "tip": p, "needs": {"1/0": p}},
            "coi",
            reason="none",
        ),
        papers,
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
    return reduce(apply, log, State())


def everything(state: State) -> dict[str, Any]:
    """All that a state holds, for comparing two of them; not what it has worked out from that."""
    return {k: v for k, v in vars(state).items() if not k.startswith("_")}
