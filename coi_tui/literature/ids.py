"""Identifiers of papers (DOI, arXiv, Semantic Scholar and others): one spelling for each, whatever
was pasted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import unquote, urlsplit

from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

PREFERENCE = ("arXiv", "DOI", "S2", "CorpusId", "OpenAlex", "ACL", "PMID")
"""Which identifier names a paper when it has several: the first of these."""

MOST_CHARS = 1_000
"""No identifier is longer, nor its address."""

_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|econ|eess|funct-an"
    "|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|q-alg|q-bio|q-fin|quant-ph"
    "|solv-int|stat|supr-con"
)
_ARXIV_NEW = re.compile(r"(\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})(?:v\d+)?", re.IGNORECASE | re.ASCII)
_ARXIV_OLD = re.compile(
    rf"({_ARCHIVES})(?:\.[a-z-]{{2,}})?/(\d{{7}})(?:v\d+)?", re.IGNORECASE | re.ASCII
)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+", re.ASCII | re.IGNORECASE)
_SHA = re.compile(r"[0-9a-f]{40}", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,15}", re.ASCII)
_OPENALEX = re.compile(r"W\d{1,15}", re.IGNORECASE | re.ASCII)
_ACL_OLD = re.compile(r"[A-Z]\d{2}-\d{4,5}", re.IGNORECASE | re.ASCII)
_ACL_NEW = re.compile(r"\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+", re.IGNORECASE | re.ASCII)
_PREFIX = re.compile(r"(arxiv|doi|s2|corpusid|openalex|acl|pmid)\s*:\s*(.+)", re.IGNORECASE)
_BARE_URL = re.compile(
    r"(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:org|com|gov|net|edu)/", re.IGNORECASE
)
_PUBLISHER_TAIL = re.compile(r"(?:\.pdf|/(?:full|pdf|epdf|abstract|html|meta))+$", re.IGNORECASE)

Id = tuple[str, str]


def normalise_id(text: str) -> Id | None:
    """``(scheme, value)`` for an identifier in any usual form, None for other text.

    Knows DOI, arXiv (old and new style, version dropped), Semantic Scholar, CorpusId, OpenAlex,
    PMID and ACL, bare, with a prefix, or as a web address; ``10.48550/arXiv.x`` is arXiv.
    ``scheme:value`` of its own answer gives the same answer.
    """
    if len(text) > MOST_CHARS:
        return None
    text = clean_line(text)
    if re.match(r"https?://", text, re.IGNORECASE) or _BARE_URL.match(text):
        return _from_url(text)
    if prefix := _PREFIX.fullmatch(text):
        rest = prefix[2]
        if re.match(r"https?://", rest, re.IGNORECASE):
            return _from_url(rest)
        return _read(prefix[1].lower(), rest)
    return _arxiv(text) or _doi(text) or _other(text, *_BARE)


def _arxiv(text: str) -> Id | None:
    text = re.sub(r"\.pdf$", "", text, flags=re.IGNORECASE)
    if new := _ARXIV_NEW.fullmatch(text):
        return "arXiv", new[1]
    if old := _ARXIV_OLD.fullmatch(
        text
    ):  # the subject class after the dot is not part of the identifier
        return "arXiv", f"{old[1].lower()}/{old[2]}"
    return None


def _doi(text: str) -> Id | None:
    found = _DOI.fullmatch(text)
    if (
        not found or "/../" in f"{text}/" or "/./" in f"{text}/"
    ):  # dot segments would change an address it is put into
        return None
    value = _without_tail(text.lower())
    if arxiv := _ARXIV_DOI.fullmatch(value):
        return _arxiv(arxiv[1])
    return ("DOI", value) if _DOI.fullmatch(value) else None


def _without_tail(doi: str) -> str:
    """Without the punctuation of a sentence around it; a bracket that belongs to the DOI stays."""
    while doi and (
        doi[-1] in ".,;:'\"<>"
        or (doi[-1] in ")]}" and doi.count(doi[-1]) > doi.count(_OPENING[doi[-1]]))
    ):
        doi = doi[:-1]
    return doi


_OPENING = {")": "(", "]": "[", "}": "{"}


def _number(text: str) -> str:
    return str(int(text))


_FORMS: tuple[tuple[str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("S2", _SHA, str.lower),
    ("OpenAlex", _OPENALEX, str.upper),
    ("ACL", _ACL_OLD, str.upper),
    ("ACL", _ACL_NEW, str.lower),
    ("CorpusId", _NUMBER, _number),
    ("PMID", _NUMBER, _number),
)
"""The other kinds of identifiers, each with its pattern and its one spelling."""
_BARE = ("S2", "OpenAlex", "ACL")
"""Those that are known without a prefix."""


def _other(text: str, *schemes: str) -> Id | None:
    return next(
        (
            (scheme, spell(text))
            for scheme, pattern, spell in _FORMS
            if scheme in schemes and pattern.fullmatch(text)
        ),
        None,
    )


def _read(scheme: str, text: str) -> Id | None:
    """An identifier of a scheme, whose name may have any case."""
    if scheme == "arxiv":
        return _arxiv(text)
    if scheme == "doi":
        return _doi(text)
    return _other(text, *(known for known in PREFERENCE if known.lower() == scheme))


def _from_url(url: str) -> Id | None:
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        host = (parts.hostname or "").lower()
    except ValueError:  # such as an unfinished IPv6 host
        return None
    path = clean_line(unquote(parts.path)).strip("/")
    for domain, read in _SITES.items():
        if host == domain or host.endswith(f".{domain}"):
            return read(path)
    return _publisher(path)


def _arxiv_path(path: str) -> Id | None:
    found = re.fullmatch(r"(?:abs|pdf|html|format|ps|e-print)/(.+)", path)
    return _arxiv(found[1]) if found else None


def _s2_path(path: str) -> Id | None:
    last = path.rsplit("/", 1)[-1]
    if corpus := re.fullmatch(r"corpusid:(\d+)", last, re.IGNORECASE):
        return _other(corpus[1], "CorpusId")
    return _other(last, "S2")


def _acl_path(path: str) -> Id | None:
    last = re.sub(r"\.(?:pdf|bib)$", "", path.removeprefix("anthology/"))
    return _other(re.sub(r"v\d+$", "", last), "ACL")


def _publisher(path: str) -> Id | None:
    """A DOI inside a publisher's address, as in ``dl.acm.org/doi/pdf/10.1145/1``."""
    found = re.search(r"(?:^|/)(10\.\d{4,9}(?:\.\d+)*/\S+)", path)
    return _doi(_PUBLISHER_TAIL.sub("", found[1])) if found else None


_SITES: dict[str, Callable[[str], Id | None]] = {
    "arxiv.org": _arxiv_path,
    "doi.org": _doi,
    "semanticscholar.org": _s2_path,
    "openalex.org": lambda path: _other(path.rsplit("/", 1)[-1], "OpenAlex"),
    "pubmed.ncbi.nlm.nih.gov": lambda path: _other(path, "PMID"),
    "aclanthology.org": _acl_path,
    "aclweb.org": _acl_path,
}


def paper_key(ids: Mapping[str, str]) -> str:
    """The id a paper goes by, such as ``arXiv:2201.11903``. Raises ValueError when ``ids`` holds
    none of the known schemes."""
    for scheme in PREFERENCE:
        if value := ids.get(scheme):
            return f"{scheme}:{value}"
    raise ValueError("a paper needs at least one identifier")


def known_ids(paper: Paper) -> dict[str, str]:
    """Every identifier of ``paper``, the one in its key included."""
    ids = {scheme: paper.ids[scheme] for scheme in PREFERENCE if paper.ids.get(scheme)}
    if own := normalise_id(paper.id):
        ids.setdefault(*own)
    return ids


def with_id(papers: Iterable[Paper], pair: Id) -> Paper | None:
    """The first of the papers that has an identifier, in its key or among its ids."""
    return next((p for p in papers if known_ids(p).get(pair[0]) == pair[1]), None)


def s2_path_id(paper: Paper) -> str | None:
    """The form of its id that the Semantic Scholar API takes; None for a paper it has no form
    for."""
    return _s2_form(known_ids(paper))


def s2_form(paper_id: str) -> str | None:
    """``s2_path_id`` for a bare key such as ``arXiv:2201.11903``."""
    found = normalise_id(paper_id)
    return _s2_form(dict([found])) if found else None


def _s2_form(ids: Mapping[str, str]) -> str | None:
    # The service's own hash comes first: it needs no look-up there and no escaping in a path.
    for scheme, prefix in (
        ("S2", ""),
        ("CorpusId", "CorpusId:"),
        ("arXiv", "ARXIV:"),
        ("DOI", "DOI:"),
        ("ACL", "ACL:"),
        ("PMID", "PMID:"),
    ):
        if value := ids.get(scheme):
            return prefix + value
    return None


def paper_url(ids: Mapping[str, str]) -> str | None:
    """A page where a person can read about the paper."""
    for scheme, form in _PAGES:
        if value := ids.get(scheme):
            return form + value
    return None


_PAGES = (
    ("arXiv", "https://arxiv.org/abs/"),
    ("DOI", "https://doi.org/"),
    ("S2", "https://www.semanticscholar.org/paper/"),
    ("CorpusId", "https://api.semanticscholar.org/CorpusID:"),
    ("OpenAlex", "https://openalex.org/"),
    ("ACL", "https://aclanthology.org/"),
    ("PMID", "https://pubmed.ncbi.nlm.nih.gov/"),
)
