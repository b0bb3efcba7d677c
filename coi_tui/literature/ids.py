"""Identifiers of papers (DOI, arXiv, Semantic Scholar and others): one spelling for each, whatever
was pasted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import unquote, urlsplit

from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

Id = tuple[str, str]
"""A scheme and a value: ``("arXiv", "2201.11903")``."""

PAGES = {
    "arXiv": "https://arxiv.org/abs/",
    "DOI": "https://doi.org/",
    "S2": "https://www.semanticscholar.org/paper/",
    "CorpusId": "https://api.semanticscholar.org/CorpusID:",
    "OpenAlex": "https://openalex.org/",
    "ACL": "https://aclanthology.org/",
    "PMID": "https://pubmed.ncbi.nlm.nih.gov/",
}
"""The schemes, each with the page of a paper. Of several the first names it."""

MOST_CHARS = 1_000
"""No identifier is longer, nor its address."""


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|econ|eess|funct-an"
    "|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|q-alg|q-bio|q-fin|quant-ph"
    "|solv-int|stat|supr-con"
)
_VERSION = r"(?:v\d+)?(?:\.pdf)?"
_FORMS: tuple[tuple[str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("arXiv", _form(rf"(\d{{2}}(?:0[1-9]|1[0-2])\.\d{{4,5}}){_VERSION}"), str),
    # the subject class after the dot is not part of the identifier
    ("arXiv", _form(rf"({_ARCHIVES})(?:\.[a-z-]{{2,}})?(/\d{{7}}){_VERSION}"), str.lower),
    ("S2", _form(r"([0-9a-f]{40})"), str.lower),
    ("OpenAlex", _form(r"(W\d{1,15})"), str.upper),
    ("ACL", _form(r"([A-Z]\d{2}-\d{4,5})"), str.upper),
    ("ACL", _form(r"(\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+)"), str.lower),
    ("CorpusId", _form(r"0*(\d{1,15})"), str),
    ("PMID", _form(r"0*(\d{1,15})"), str),
)
"""The kinds of identifiers but the DOI, each with its pattern and its one spelling."""
_NOT_BARE = ("CorpusId", "PMID")
"""Those that are known by a prefix or an address alone: they are mere numbers."""
_SITES = (
    ("arxiv.org", "arXiv", _form(r"(?:abs|pdf|html|format|ps|e-print)/(.+)")),
    ("doi.org", "DOI", _form(r"(.+)")),
    ("semanticscholar.org", "CorpusId", _form(r"(?:.*/)?corpusid:(\d+)")),
    ("semanticscholar.org", "S2", _form(r"(?:.*/)?([^/]+)")),
    ("openalex.org", "OpenAlex", _form(r"(?:.*/)?([^/]+)")),
    ("pubmed.ncbi.nlm.nih.gov", "PMID", _form(r"(.+)")),
    ("aclanthology.org", "ACL", _form(r"(.+?)(?:v\d+)?(?:\.(?:pdf|bib))?")),
    ("aclweb.org", "ACL", _form(r"(?:anthology/)?(.+?)(?:v\d+)?(?:\.(?:pdf|bib))?")),
    # a publisher's address with a DOI in it
    (
        "",
        "DOI",
        re.compile(
            r"(?:.*?/)?(10\.\d{4,9}(?:\.\d+)*/\S+?)(?:\.pdf|/(?:full|e?pdf|abstract|html|meta))*"
        ),
    ),
)
"""Where in the path of an address an identifier is, by the domain."""
_DOI = _form(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_PREFIX = re.compile(rf"({'|'.join(PAGES)})\s*:\s*(.+)", re.IGNORECASE)
_URL = re.compile(
    r"https?://|(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:org|com|gov|net|edu)/", re.IGNORECASE
)
_OPENING = {")": "(", "]": "[", "}": "{"}


def normalise_id(text: str) -> Id | None:
    """``(scheme, value)`` for an identifier in any usual form, None for other text.

    Knows DOI, arXiv (old and new style, version dropped), Semantic Scholar, CorpusId, OpenAlex,
    PMID and ACL, bare, with a prefix, or as a web address; ``10.48550/arXiv.x`` is arXiv.
    ``scheme:value`` of its own answer gives the same answer.
    """
    if len(text) > MOST_CHARS:
        return None
    text = clean_line(text)
    prefix = _PREFIX.fullmatch(text)
    scheme, rest = (prefix[1].lower(), prefix[2]) if prefix else ("", text)
    return _from_url(rest) if _URL.match(rest) else _read(rest, scheme)


def _read(text: str, scheme: str = "") -> Id | None:
    """An identifier of a scheme (in small letters), or of any."""
    for name, pattern, spell in _FORMS:
        if (name.lower() == scheme if scheme else name not in _NOT_BARE) and (
            found := pattern.fullmatch(text)
        ):
            return name, spell("".join(found.groups()))
    return _doi(text) if scheme in ("", "doi") else None


def _doi(text: str) -> Id | None:
    """A DOI without the punctuation of a sentence around it; a bracket that belongs to it stays."""
    value = text.lower()
    while value and (
        value[-1] in ".,;:'\"<>"
        or value.count(value[-1]) > value.count(_OPENING.get(value[-1], value[-1]))
    ):
        value = value[:-1]
    # dot segments would change an address it is put into
    if not _DOI.fullmatch(value) or re.search(r"/\.\.?(?:/|$)", text):
        return None
    arxiv = value.removeprefix("10.48550/arxiv.")
    return _read(arxiv, "arxiv") if arxiv != value else ("DOI", value)


def _from_url(url: str) -> Id | None:
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        host = f".{(parts.hostname or '').lower()}"
    except ValueError:  # such as an unfinished IPv6 host
        return None
    path = clean_line(unquote(parts.path)).strip("/")
    for domain, scheme, pattern in _SITES:
        if (not domain or host.endswith(f".{domain}")) and (found := pattern.fullmatch(path)):
            return _read(found[1], scheme.lower())
    return None


def paper_key(ids: Mapping[str, str]) -> str:
    """The id a paper goes by, such as ``arXiv:2201.11903``. Raises ValueError when ``ids`` holds
    none of the known schemes."""
    for scheme in PAGES:
        if value := ids.get(scheme):
            return f"{scheme}:{value}"
    raise ValueError("a paper needs at least one identifier")


def known_ids(paper: Paper) -> dict[str, str]:
    """Every identifier of ``paper``, the one in its key included."""
    ids = {scheme: paper.ids[scheme] for scheme in PAGES if paper.ids.get(scheme)}
    if own := normalise_id(paper.id):
        ids.setdefault(*own)
    return ids


def with_id(papers: Iterable[Paper], pair: Id) -> Paper | None:
    """The first of the papers that has an identifier, in its key or among its ids."""
    return next((p for p in papers if known_ids(p).get(pair[0]) == pair[1]), None)


def paper_url(ids: Mapping[str, str]) -> str | None:
    """A page where a person can read about the paper."""
    return next((page + ids[scheme] for scheme, page in PAGES.items() if ids.get(scheme)), None)


def pdf_urls(paper: Paper) -> list[str]:
    """Where its PDF may be found: the open one, then arXiv's, each once."""
    arxiv = known_ids(paper).get("arXiv")
    urls = [f"https://arxiv.org/pdf/{arxiv}"] if arxiv else []
    if paper.open_pdf and not (arxiv and "arxiv.org/" in paper.open_pdf):
        urls.insert(0, paper.open_pdf)
    return urls
