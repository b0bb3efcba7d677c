"""Links of own papers: asked of a source after a yes, and what they are worth offline afterwards; and
papers of one's own beside those of the starter library."""

from pathlib import Path

from coi_tui.model.papers import BY_TOPIC
from coi_tui.paths import paths
from coi_tui.session.papers.own_papers import own_papers
from tests.e2e.conftest import Run
from tests.support.standins import StandInProcess, make_corpus
from tests.support.standins.corpus import topic_near

TWELVE = Path(__file__).with_name("molecules.bib")


MOLECULES = "few-shot learning of molecular properties with in-context language models"


def slots(run: Run, name: str) -> list[str]:
    """The rows of papers in chains."""
    lines = run("show", name).out.splitlines()
    return [line for line in lines if line[:2] in ("1/", "2/") and ".card" not in line]


def test_twelve_own_papers_anchor_by_fit_although_nobody_knows_a_link_of_them(
    offline: Run,
) -> None:
    added = offline("papers", "add", str(TWELVE))
    assert "12 new" in added.out
    ran = offline(
        "run",
        MOLECULES,
        "--name",
        "m",
        "--offline",
        "--yes",
        "--until",
        "chains",
        "--branches",
        "2",
    )
    assert ran.code == 0, ran.err
    first, *others = (
        offline("show", "m", "1/0.cands").out.split("Candidates\n")[1].splitlines()[1:9]
    )
    own = [line for line in (first, *others) if "olecul" in line or "FS-Mol" in line]
    assert "olecul" in first
    assert len(own) >= 6, "papers on the topic go before those that are cited most"
    rows = offline("papers", "reading", "m", "--top", "8").out
    assert rows.index("Few-Shot Graph Learning") < rows.index("Flamingo")
    growing = offline("show", "m", "1/+1.cands").out
    assert BY_TOPIC in growing
    assert "no links known: connect (`coi papers links`), or attach the PDF" in growing


def test_links_are_asked_for_after_a_yes_and_grow_chains_offline(
    online: Run, services: StandInProcess, tmp_path: Path
) -> None:
    corpus = make_corpus()
    topic = corpus.topics[0]
    mine = [p for p in corpus.papers if p.arxiv and p.topic == topic_near(topic)][:40]
    file = tmp_path / "ids.bib"
    file.write_text(
        "".join(
            f"@misc{{k{p.arxiv}, title={{{p.title}}}, eprint={{{p.arxiv}}}, archiveprefix={{arXiv}}}}\n"
            for p in mine
        )
    )
    assert f"{len(mine)} new" in online("papers", "add", str(file)).out
    refused = online("papers", "links")
    assert refused.code == 3
    assert f"The ids of {len(mine)} papers to Semantic Scholar (free)" in refused.err
    assert "Nobody was asked" in refused.err
    assert "0 of your" in online("papers", "links", "--offline").out
    asked = online("papers", "links", "--yes")
    assert asked.code == 0, asked.err
    assert f"{len(mine)} of {len(mine)} asked" in asked.out
    filled = own_papers(paths({"COI_HOME": str(tmp_path)}))
    assert sum(bool(paper.abstract) for paper in filled) > len(mine) / 2
    again = online("papers", "links")
    assert again.code == 0
    assert "asked" not in again.out + again.err, "what is known is not asked for again"
    ran = online(
        "run", topic, "--name", "mine", "--offline", "--yes", "--until", "chains", "--branches", "1"
    )
    assert ran.code == 0, ran.err
    rows = slots(online, "mine")
    by_link = [
        row for row in rows if "◆" not in row and "empty" not in row and "no link" not in row
    ]
    assert len([row for row in by_link if row.split()[1] in "?✓"]) >= 2, rows
    shown = online("show", "mine", "1/+1.cands").out
    assert "my library" in shown
