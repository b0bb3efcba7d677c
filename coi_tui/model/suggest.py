"""What somebody most likely meant by a word that is not known: one suggestion, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable

ALIKE = 60
"""How alike, of 100, two words are at least of which one is suggested for the other."""

SYNONYMS = dict(
    line.split(maxsplit=1)
    for line in """\
adopt       use history
approve     accept
archived    archived archive
bibtex      bib export
branch      fork
budget      cost budget_usd
choose      use
clone       copy duplicate
commands    help
continue    resume generate
delete      delete reject forget of_sessions
duplicate   duplicate copy of_sessions
exit        quit cancel
filter      find
fork        fork derive
help        help
latex       tex export
markdown    md export
money       cost
notes       note
open        enter open show
park        set_aside set-aside
pdf         html export
price       cost
quit        quit cancel
remove      reject delete forget
rename      rename of_sessions
restore     undo
search      find
theme       settings display.theme
tokens      cost budget_tokens
unpark      take-up
vote        compare
word        docx export
zotero      own_papers
""".splitlines()
)
"""Words that people bring along, and what each is called here: actions of screens, commands, verbs,
formats and settings."""


def meant(word: str) -> list[str]:
    """What a word from elsewhere is called here, the likeliest first."""
    return SYNONYMS.get(word.strip().casefold(), "").split()


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that somebody who typed ``name`` most likely meant; empty where none is like
    it."""
    known = list(known)
    if other := next((one for one in meant(name) if one in known), ""):
        return other
    from rapidfuzz import fuzz, process  # takes 40 ms

    found = process.extractOne(
        name, known, scorer=fuzz.ratio, processor=str.casefold, score_cutoff=ALIKE
    )
    return found[0] if found else ""


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The sentence that suggests the nearest name; ``otherwise`` where none is like it."""
    near = nearest(name, known)
    return f"Did you mean {near}?" if near else otherwise
