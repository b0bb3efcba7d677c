"""A score beside the judges, where the literature was cut: how many of the papers that are most like a
text came after the cut, by the words that they share. What it can be is measured on papers of the
same library, and beside it stands the topic alone."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from coi_tui.literature.ranking import WordTable, paper_words
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean, clean_line
from coi_tui.session.suite.record import Text

NEAREST, YEARS, SAMPLE = 20, 3, 100
"""Papers that a text is compared with; and of how many years before and after the cut how many papers
are taken for measure."""


def read_library(file: Path) -> list[Paper]:
    """Papers with an abstract and a year, one JSON object a line. Raises UsageError."""
    try:
        with (
            gzip.open(file, "rt", encoding="utf-8")
            if file.suffix == ".gz"
            else file.open("rt", -1, "utf-8") as lines
        ):
            return [
                Paper(
                    id=str(n),
                    title=clean_line(row["title"]),
                    abstract=clean(row["abstract"]),
                    year=row["year"],
                )
                for n, row in enumerate(map(json.loads, lines))
                if row["abstract"] and row["year"]
            ]
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{file} cannot be read as papers ({type(error).__name__}).",
            "Each line is a JSON object with title, abstract and year.",
        ) from None


def hindsight(texts: Sequence[Text], papers: Sequence[Paper], cut: int) -> dict[str, Any]:
    """For each contestant, the topics alone, and papers of the years before and after the cut: the mean
    share of later papers among those most alike. ``meets``: the later paper most like each text."""
    table, dice = WordTable(papers), Random(0)
    after = [(paper.year or 0) > cut for paper in papers]
    shares = defaultdict[str, list[float]](list)

    def compare(who: str, text: str, own: str = "") -> dict[str, Any]:
        """The later paper most like a text; empty where there is none."""
        scores = table.similarities(text)
        order = [n for n in (-scores).argsort(kind="stable").tolist() if papers[n].id != own]
        shares[who].append(fmean(after[n] for n in order[:NEAREST]))
        later = next((n for n in order if after[n]), None)
        if later is None:
            return {}
        title, year = papers[later].title, papers[later].year
        return {"title": title, "year": year, "similarity": float(scores[later])}

    meets = [
        {"contestant": text.contestant, "topic": text.topic, "repeat": text.repeat, **later}
        for text in texts
        if (later := compare(text.contestant, text.text))
    ]
    for topic in dict.fromkeys(text.topic for text in texts):
        compare("(the topic alone)", topic)
    for who, years in (
        (f"(papers of {cut + 1} to {cut + YEARS})", range(cut + 1, cut + YEARS + 1)),
        (f"(papers of {cut - YEARS + 1} to {cut})", range(cut - YEARS + 1, cut + 1)),
    ):
        among = [paper for paper in papers if paper.year in years]
        for paper in dice.sample(among, len(among))[:SAMPLE]:
            compare(who, paper_words(paper), paper.id)
    rows = [{"who": who, "texts": len(own), "share": fmean(own)} for who, own in shares.items()]
    return {"cut": cut, "papers": len(papers), "later": sum(after), "rows": rows, "meets": meets}
