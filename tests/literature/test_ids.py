import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.literature.ids import (
    known_ids,
    normalise_id,
    paper_key,
    paper_url,
)

from .helpers import paper, sha

SHA = "649def34f8be52c8b66281af98ae884c09aef38b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.18653/V1/N18-3011", ("DOI", "10.18653/v1/n18-3011")),
        ("doi: 10.1145/1.2", ("DOI", "10.1145/1.2")),
        ("https://doi.org/10.1145/1.2", ("DOI", "10.1145/1.2")),
        ("HTTP://DX.DOI.ORG/10.1145/1.2?x=1#y", ("DOI", "10.1145/1.2")),
        ("doi.org/10.1145/1.2", ("DOI", "10.1145/1.2")),
        ("https://dl.acm.org/doi/pdf/10.1145/1.2", ("DOI", "10.1145/1.2")),
        (
            "https://www.pnas.org/doi/10.1073/pnas.0611396104/full",
            ("DOI", "10.1073/pnas.0611396104"),
        ),
        ("https://doi.org/10.1016/S0140-6736(97)11096-0", ("DOI", "10.1016/s0140-6736(97)11096-0")),
        ("(10.1145/1.2).", None),
        ("10.1145/1.2).", ("DOI", "10.1145/1.2")),
        ("10.1/../../search", None),
        ("10.48550/arXiv.2201.11903v3", ("arXiv", "2201.11903")),
        ("https://doi.org/10.48550/ARXIV.2201.11903", ("arXiv", "2201.11903")),
        ("arXiv:2201.11903v5", ("arXiv", "2201.11903")),
        ("2201.11903", ("arXiv", "2201.11903")),
        ("2213.11903", None),
        ("https://arxiv.org/abs/2201.11903v2", ("arXiv", "2201.11903")),
        ("http://export.arxiv.org/pdf/2201.11903v2.pdf", ("arXiv", "2201.11903")),
        ("arxiv.org/abs/hep-th/9901001v1", ("arXiv", "hep-th/9901001")),
        ("math.GT/0309136", ("arXiv", "math/0309136")),
        ("HEP-TH/9901001", ("arXiv", "hep-th/9901001")),
        (SHA.upper(), ("S2", SHA)),
        (f"S2:{SHA}", ("S2", SHA)),
        (f"https://www.semanticscholar.org/paper/Some-Title/{SHA}", ("S2", SHA)),
        ("https://api.semanticscholar.org/CorpusID:215416146", ("CorpusId", "215416146")),
        ("corpusid:0215416146", ("CorpusId", "215416146")),
        ("W2741809807", ("OpenAlex", "W2741809807")),
        ("https://api.openalex.org/works/w2741809807", ("OpenAlex", "W2741809807")),
        ("PMID: 19872477", ("PMID", "19872477")),
        ("https://pubmed.ncbi.nlm.nih.gov/19872477/", ("PMID", "19872477")),
        ("ACL:w12-3903", ("ACL", "W12-3903")),
        ("https://aclanthology.org/2020.acl-main.1.pdf", ("ACL", "2020.acl-main.1")),
        ("https://www.aclweb.org/anthology/N18-3011/", ("ACL", "N18-3011")),
        ("12345", None),
        ("title:some-slug", None),
        ("chain of thought", None),
        ("https://example.org/", None),
        ("http://[::1", None),
        ("", None),
    ],
)
def test_every_form(text: str, expected: tuple[str, str] | None) -> None:
    assert normalise_id(text) == expected


@given(st.text(max_size=60) | st.from_regex(r"10\.[0-9]{4}/[!-~]{1,20}", fullmatch=True))
def test_an_answer_given_back_is_itself(text: str) -> None:
    if found := normalise_id(text):
        assert normalise_id(":".join(found)) == found


def test_key_prefers_arxiv_then_doi() -> None:
    ids = {"S2": sha(1), "DOI": "10.1/x", "arXiv": "2201.11903"}
    assert paper_key(ids) == "arXiv:2201.11903"
    assert paper_key({"PMID": "1", "CorpusId": "2"}) == "CorpusId:2"
    with pytest.raises(ValueError, match="identifier"):
        paper_key({})


def test_every_id_of_a_paper_and_its_page() -> None:
    assert known_ids(paper("arXiv:2201.11903", ids={"DOI": "10.1000/x"})) == {
        "DOI": "10.1000/x",
        "arXiv": "2201.11903",
    }
    assert paper_url({"DOI": "10.1000/x"}) == "https://doi.org/10.1000/x"
    assert paper_url({}) is None
