"""Sources that stand in the sentences: a prompt shows papers under labels, a reply cites them
(``[P2]``) with the words that bear on the sentence, and a stored text has the paper's id in its
place (``[arXiv:2201.11903]``), so that it can be read, edited and quoted anywhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from coi_tui.literature.citations import ID_MARK
from coi_tui.literature.ranking import paper_words
from coi_tui.model.content import CitedSource
from coi_tui.model.papers import Paper
from coi_tui.model.text import Fields, Values, strings

R = TypeVar("R", bound=BaseModel)

_LABELS = re.compile(r"\s?\[\s*(P\d+(?:\s*[,;]\s*P\d+)*)\s*\]", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:[.!?:]|(?<![\s\S]))\s?\[[^\]]+\]\s+[a-z]")
"""A mark with which a sentence begins, after the end of the one before."""
_GAP = re.compile(r"\[?(?:\.\.\.|…)\]?")
FEWEST_WORDS, MOST_WORDS = 3, 40
"""A passage of fewer words shows nothing; 25 are asked for, and somewhat more are no fault."""
_OTHERS_WORDS = ("same", "left", "said")
"""What a prompt says of a paper, from memory or in short, is no passage of it."""


class CitationLabels:
    """The values of a prompt: where its reply cites, every object with a ``paper`` (an id) has a
    ``label``, and marks of these papers in texts are their labels. The mark of any other paper is
    its short name (``[Wei et al. 2022]``), so that no sentence loses its subject."""

    def __init__(self, values: Values, papers: Mapping[str, Paper], *, cites: bool = True) -> None:
        self._papers = papers
        self._texts: dict[str, list[str]] = {}
        """What the prompt quotes of each paper, in the order of their labels."""
        for row in _rows(values) if cites else ():
            own = {name: said for name, said in row.items() if name not in _OTHERS_WORDS}
            self._texts.setdefault(row["paper"], []).extend(strings(own))
        self.labels = {paper: f"P{n}" for n, paper in enumerate(self._texts, 1)}
        self._named: dict[str, str] = {}
        """The papers of the marks that are short names."""
        self.values: Fields = _mapped(values, self._as_shown)
        for row in _rows(self.values) if cites else ():
            row["label"] = self.labels[row["paper"]]

    def _as_shown(self, text: str) -> str:
        def mark(found: re.Match[str]) -> str:
            paper = found[1]
            return found[0].replace(paper, self.labels.get(paper) or self._name(paper))

        return ID_MARK.sub(mark, text) if "[" in text else text

    def _name(self, paper: str) -> str:
        """The short name of a paper, with its title where another paper has the same one."""
        known = self._papers.get(paper)
        if known is None:
            return paper
        name = known.short()
        if self._named.setdefault(name, paper) != paper:
            self._named.setdefault(name := f"{name}, {known.title}", paper)
        return name

    def resolved(self, reply: R) -> R:
        """A reply with ids in place of labels and short names. A label that was not shown is taken
        out, but for one that a sentence begins with; of each source it is said whether its words
        stand in what is known of the paper."""
        ids = {label: paper for paper, label in self.labels.items()}

        def mark(found: re.Match[str]) -> str:
            known = (ids.get(label.strip().upper()) for label in re.split("[,;]", found[1]))
            marks = "".join(f"[{paper}]" for paper in known if paper)
            if not marks and _SUBJECT.match(found.string, max(0, found.start() - 1)):
                return found[0]
            return (found[0][: found[0].index("[")] if marks else "") + marks

        def with_ids(text: str) -> str:
            text = _LABELS.sub(mark, text)
            for name, paper in self._named.items():
                text = text.replace(f"[{name}]", f"[{paper}]")
            return text

        fields = _mapped(dict(reply), with_ids)
        if "sources" in fields:
            pairs = ((ids.get(label_of(one.paper)), one.words) for one in fields["sources"])
            fields["sources"] = [
                CitedSource(paper=paper, words=words, found=self._has(paper, words))
                for paper, words in pairs
                if paper is not None
            ]
        return reply.model_copy(update=fields)

    def _has(self, paper: str, words: str) -> bool:
        known = self._papers.get(paper)
        own = [paper_words(known)] if known is not None else []
        short = len(words.split()) <= MOST_WORDS
        return short and any(contains_quote(words, text) for text in (*self._texts[paper], *own))


def _rows(value: Any) -> Iterator[Fields]:
    """The objects within a value that are about a paper."""
    if isinstance(value, Mapping):
        if value.get("paper") and isinstance(value["paper"], str):
            yield value  # type: ignore[misc]
        for inner in value.values():
            yield from _rows(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _rows(inner)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """A value with every text in it changed; objects and lists are copied."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        plain = ("paper", "label")
        return {k: v if k in plain else _mapped(v, change) for k, v in value.items()}
    if isinstance(value, list):
        return [_mapped(inner, change) for inner in value]
    if isinstance(value, BaseModel):
        return value.model_copy(update=_mapped(dict(value), change))
    return value


def contains_quote(passage: str, text: str) -> bool:
    """Whether a passage is in a text word for word. Spelling of quotes, dashes, capitals, ligatures
    and spaces does not count.

    What an ellipsis leaves out may be missing; the parts around it must follow each other.
    """
    parts = [part for part in _GAP.split(passage) if _words(part)]
    if sum(len(part.split()) for part in parts) < FEWEST_WORDS:
        return False
    pattern = r"\b.*\b".join(re.escape(_words(part)) for part in parts)
    return re.search(rf"\b{pattern}\b", _words(text)) is not None


def _words(text: str) -> str:
    """The words of a text in lower case, with one space between them."""
    return " ".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold()))


def label_of(text: str) -> str:
    """The label in what a model wrote for it: ``[P1]``, ``paper p1``; the text as it is where it
    names none, or several."""
    found = {f"P{number}" for number in re.findall(r"\bP(\d+)\b", text, re.IGNORECASE)}
    return found.pop() if len(found) == 1 else text
