"""How it was made: services, prompts, spending, searches, decisions, hands (COI-16; issue 2, proposal in Markdown)."""

from __future__ import annotations

from collections import Counter

from coi_tui.export.chain import searches_rows
from coi_tui.export.escape import clipped, code, count, inline, listed, moment, sentence, table
from coi_tui.export.sheet import Sheet, name_of
from coi_tui.export.subject import NUMBERS, Subject
from coi_tui.export.tally import drafted, human_share, models, people, prompts, spending, written
from coi_tui.model.address import parse_address
from coi_tui.model.entries import Decision

_ORIGINS = {
    "model": "by a language model",
    "drafter": "by the built-in drafter, without a language model",
    "scripted": "by a scripted model",
    "source": "from a source of papers",
    "person": "by a person",
    "merged": "by a person, merged with a generated text",
}
_KINDS = (("chat", "language model"), ("embed", "embedding"), ("http", "search and record"), ("text", "full text"))


def made_part(sheet: Sheet) -> str:
    subject = sheet.subject
    sections = (
        ("Texts", _texts(subject)), ("Models", _models(subject)), ("Prompts", _prompts(subject)), ("Calls and cost", _calls(subject)),
        ("Searches for anchors", _searches(sheet)), ("Decisions by people", _decisions(subject)), ("Bounds", _bounds(subject)),
        ("Limits", limits(sheet)),
    )  # fmt: skip
    return "\n\n".join(f"### {head}\n\n{body}" for head, body in sections)


def _texts(subject: Subject) -> str:
    uses = subject.in_use()
    origins = Counter(v.origin for v in uses.values())
    rows = [f"- {count(n, 'text')} in use {'was' if n == 1 else 'were'} made {_ORIGINS[origin]}." for origin, n in sorted(origins.items())]
    own = [name_of(a) for a in written(subject)]
    rows.append(f"- Written or edited by a person: {listed(own) if own else 'none'}."
                f" That is {human_share(subject):.0%} of the characters of these texts, the topic left out.")  # fmt: skip
    kept = {a: len(c.versions) for a, c in sorted(subject.state.cells.items()) if len(c.versions) > 1}
    more = f"; more than one for {', '.join(f'{a} ({n})' for a, n in kept.items())}" if kept else ""
    rows.append(
        f"- {count(len(subject.state.versions), 'version')} of {count(len(subject.state.cells), 'text')} are kept in the session{more}."
    )
    stay = [a for a, word in subject.fresh.items() if word == "kept"]
    rows += [f"- Kept by the researcher although an input has changed: {', '.join(stay)}."] if stay else []
    return "\n".join(rows)


def _models(subject: Subject) -> str:
    rows = []
    for asked, served, n in models(subject):
        same = "" if served == asked else f", served as {code(served)}" if served else ", name as served not told"
        rows.append(f"- {code(asked) or 'no name'}{same}: {count(n, 'call')}.")
    if drafted(subject):
        rows.append("- The built-in drafter is no language model: it puts sentences together by rule from the records of the papers.")
    return "\n".join(rows) or "No model has been called."


def _prompts(subject: Subject) -> str:
    rows = [
        (code(name), inline(version), code(digest[:12]), "own copy" if own else "built in", str(n))
        for name, version, digest, own, n in prompts(subject)
    ]
    return table(("Prompt", "Version", "Hash", "From", "Calls"), rows) if rows else "No prompt has been used."


def _calls(subject: Subject) -> str:
    spent = spending(subject)
    if not subject.calls:
        return "No call has been made."
    kinds = [f"{spent.by_kind[kind]} {word}" for kind, word in _KINDS if spent.by_kind.get(kind)]
    unknown = f" For {count(spent.unpriced, 'call')} no price is known; they are not in this sum." if spent.unpriced else ""
    all_unknown = spent.unpriced and not spent.usd
    cost = "Cost: not known." if all_unknown else f"Cost: {spent.usd:.4f} US dollars.{unknown}"
    return "\n".join([
        f"- Calls kept: {', '.join(kinds)}.",
        f"- Tokens: {spent.prompt_tokens:,} sent, {spent.completion_tokens:,} received.",
        f"- {cost}{unknown if all_unknown else ''}",
    ])  # fmt: skip


def _searches(sheet: Sheet) -> str:
    rows = searches_rows(sheet)
    return table(("For", "Query", "Source", "Date", "Hits"), rows) if rows else "None on record."


def _decisions(subject: Subject) -> str:
    """Counts, then each with its reason; what was taken back is said to be."""
    own, undone = people(subject), subject.undone
    if not own:
        return "None: no person has accepted, rejected or changed anything."
    counts = Counter(d.action for d in own)
    lead = ", ".join(f"{word} {n}" for word, n in sorted(counts.items()))
    rows = [f"- {moment(d.time) if d.time else 'undated'}: {_decision(d)}{' (taken back)' if d.group in undone else ''}" for d in own]
    return "\n\n".join([f"{count(len(own), 'decision')}: {lead}.", "\n".join(rows)])


def _decision(d: Decision) -> str:
    paper = f", {code(d.value['paper'])}" if isinstance(d.value.get("paper"), str) else ""
    point = f", point {inline(d.value['point'])}" if d.value.get("point") else ""
    reason = f": {sentence(inline(clipped(d.reason)))}" if d.reason else "."
    return f"{inline(d.action)} {inline(d.address)}{paper}{point}{reason}"


def _bounds(subject: Subject) -> str:
    said = [f"{name.replace('_', ' ')} {subject.bound(name):,}" for name in NUMBERS]
    cut = str(subject.state.settings.get("known_until") or "")
    seen = f" This session knows no paper published after {inline(cut)}; a language model may know later work all the same." if cut else ""
    return f"Every loop of the method is bounded: {', '.join(said)}.{seen}"


def limits(sheet: Sheet) -> str:
    """What the reader must not conclude from this document."""
    rows = [
        "A novelty search compares abstracts of the papers that a few queries found. What it did not find may still exist.",
        "Where a text says that something is new, the claim is the text's own.",
        "Likeness, Elo and Bradley-Terry order candidates and ideas; they do not measure quality.",
    ]
    cards = [sheet.state.in_use(f"{s.address}.card") for b in sheet.subject.shown for s in sheet.state.filled(b)]
    partial = Counter(str(c.content.get("source")) for c in cards if c and c.content.get("source") != "full text")
    if partial:
        which = [f"{count(n, 'card')} from the {inline(kind)} only" for kind, n in sorted(partial.items())]
        rows.append(f"Not read in full: {listed(which)}.")
    unconfirmed = sum(s.why.get("link") == "cites, unconfirmed" for b in sheet.subject.shown for s in sheet.state.filled(b))
    if unconfirmed:
        rows.append(f"{count(unconfirmed, 'citation link')} of the chain {'is' if unconfirmed == 1 else 'are'} unconfirmed.")
    return "\n".join(f"- {row}" for row in rows)


def parts_of(addresses: list[str]) -> str:
    """Kinds of parts in words, each once: ``cards, trends and the idea``."""
    words = {"Q": "questions", "card": "cards", "trend": "trends", "dir": "directions", "idea": "ideas", "nov": "novelty verdicts",
             "exp": "experiment plan", "review": "review", "match": "matches", "rel": "relevance verdicts"}  # fmt: skip
    return listed(list(dict.fromkeys(words.get(parse_address(a).part, parse_address(a).part) for a in addresses)))
