"""The idea in its parts, the other ideas, and what the matches gave (COI-11, COI-13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coi_tui.export.escape import clipped as clip
from coi_tui.export.escape import fence, inline, paragraphs, sentence, table
from coi_tui.export.novelty import outcome
from coi_tui.export.sheet import NOT_MADE, Sheet, by
from coi_tui.model.address import parse_address, slot
from coi_tui.model.entries import Version

IDEA = (
    ("final", "In short"), ("motivation", "Motivation"), ("novelty", "What the text claims as new"), ("contributions", "Contributions"),
    ("method", "Method"), ("origin", "Where it comes from"), ("difference", "How it differs"), ("challenges", "Challenges"),
)  # fmt: skip
PLAN = (
    ("design", "Design"), ("baselines", "Baselines"), ("ablation", "Ablation"), ("metrics", "Metrics"),
    ("implementation", "Implementation"), ("feasibility", "Feasibility"),
)  # fmt: skip
CRITERIA = ("novelty", "significance", "feasibility", "clarity", "effectiveness")


def title_of(sheet: Sheet, branch: int) -> str:
    """An idea's title (not escaped), or words for a missing one."""
    return str(sheet.state.value(f"{branch}/idea#title") or f"Idea {branch} (no title yet)")


def idea_part(sheet: Sheet, branch: int, level: str) -> str:
    version = sheet.state.in_use(f"{branch}/idea")
    if version is None:
        return NOT_MADE
    return "\n\n".join(filter(None, [by(version), *sheet.parts(f"{branch}/idea", IDEA, level)]))


def plan_part(sheet: Sheet, branch: int, level: str) -> str:
    """The plan in its parts, pseudocode as code, references with the papers they mean."""
    version = sheet.state.in_use(f"{branch}/exp")
    if version is None:
        return NOT_MADE
    out = [by(version), *sheet.parts(f"{branch}/exp", PLAN, level)]
    if code := str(version.content.get("pseudocode") or "").strip():
        out += [f"{level} Pseudocode", fence(code)]
    if titles := version.content.get("references"):
        out += [f"{level} References of the plan", "\n".join(_reference(sheet, str(title)) for title in titles)]
    return "\n\n".join(filter(None, out))


def _reference(sheet: Sheet, title: str) -> str:
    found = sheet.book.shelf.find(title)
    return f"- {sheet.book.titled(found)}" if found else f"- {inline(title)} (**unverified**: no paper of the session has this title)"


def others_part(sheet: Sheet) -> str:
    """Every idea that is not told in full, then ratings and matches."""
    rest = [b for b in sheet.state.branches if b not in sheet.subject.shown]
    told = [_other(sheet, branch) for branch in rest]
    return "\n\n".join([*(told or ["There is no other idea." if sheet.subject.branch else "All ideas are shown above."]), *ratings(sheet)])


def _other(sheet: Sheet, branch: int) -> str:
    version = sheet.state.in_use(f"{branch}/idea")
    parked = " (parked by the researcher)" if branch in sheet.state.parked else ""
    chain = ", ".join(sheet.book.short(p) for p in _papers(sheet, branch))
    rows = [f"Chain: {chain or 'none yet'}."]
    if version is not None:
        report = sheet.state.in_use(f"{branch}/nov")
        rows.append(f"Novelty: {inline(outcome(report.content).said) if report else 'not searched yet.'}")
    body = paragraphs(version.content.get("final") or version.content.get("motivation")) if version else NOT_MADE
    title = title_of(sheet, branch) if version else "no idea yet"
    return "\n\n".join(
        filter(None, [f"### Idea {branch}: {inline(title)}{parked}", by(version), body, "\n".join(f"- {row}" for row in rows)])
    )


def _papers(sheet: Sheet, branch: int) -> list[str]:
    slots = (sheet.state.slot(slot(branch, pos)) for pos in sheet.state.chain(branch))
    return [s.paper for s in slots if s.paper]


def ratings(sheet: Sheet) -> list[str]:
    """The table of places, and each match with its reasons."""
    lines, matches = sheet.subject.standings, sheet.subject.matches
    if not lines or not matches:
        return [
            "### Ratings",
            "The ideas have not been compared yet." if len(lines) != 1 else "There is one idea, so nothing to compare it with.",
        ]
    names = [*CRITERIA, *sorted({n for line in lines for n in line.elo} - set(CRITERIA))]
    head = ("Idea", "Elo, mean", *(f"Elo, {name}" for name in names), "Bradley-Terry", "Points")
    rows = [
        (
            f"{line.player}: {inline(clip(title_of(sheet, line.player), 14))}{_mark(sheet, line.player)}", f"{line.average:.0f}",
            *(f"{line.elo[n]:.0f}" if n in line.elo else "" for n in names), f"{line.strength:.2f}", f"{line.points:g} of {line.games}",
        )
        for line in lines
    ]  # fmt: skip
    lead = ("Every pair is judged in both orders on five criteria. A criterion whose winner flips with the order counts as a tie. "
            "Elo starts at 1,000; Bradley-Terry strengths have mean 1. "
            "They order these ideas among themselves and say nothing beyond.")  # fmt: skip
    out = ["### Ratings", lead, table(head, rows)]
    return [*out, "### Matches", "\n".join(_match(v) for v in (sheet.state.in_use(a) for a in matches) if v)]


def _mark(sheet: Sheet, player: int) -> str:
    picked = " (the researcher's pick)" if sheet.state.pick == player else ""
    return picked or (" (shown above)" if sheet.subject.branch == player else "")


def _match(version: Version) -> str:
    at, content = parse_address(version.address), version.content
    results: Mapping[str, Any] = content.get("results") or {}
    flipped = flips(content)
    said = [
        f"{inline(name)}: {f'idea {won}' if won else 'tie (flipped with the order)' if name in flipped else 'tie'}"
        for name, won in results.items()
    ]
    ratio = content.get("length_ratio")
    long = f" One text is {ratio} times as long as the other." if isinstance(ratio, int | float) and ratio >= 1.5 else ""
    rows = [f"- **Idea {at.branch} against idea {at.other}.** {', '.join(said) or 'no result'}.{long}"]
    for key, order in (("straight", f"Idea {at.branch} shown first"), ("swapped", f"Idea {at.other} shown first")):
        reason = inline(clip((content.get(key) or {}).get("reasoning"), 50))
        rows += [f"  - {order}: {sentence(reason)}"] if reason else []
    rows += [f"  - The researcher's judgement: {sentence(inline(content['yours']))}"] if content.get("yours") else []
    return "\n".join(rows)


def flips(content: Mapping[str, Any]) -> list[str]:
    """Criteria for which the two orders named different winners."""
    straight, swapped = content.get("straight") or {}, content.get("swapped") or {}
    names = [n for n in content.get("results") or {} if {straight.get(n), swapped.get(n)} <= {0, 1}]
    return [n for n in names if straight[n] == swapped[n]]
