"""``coi papers`` and ``coi forget`` as a person types them, and where the text of a PDF goes."""

from pathlib import Path

from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings, SourceSettings
from coi_tui.literature.ids import known_ids
from coi_tui.methods.coi import CoiSettings
from coi_tui.session.environment import Environment
from coi_tui.session.lookup import id_lookup
from coi_tui.session.papers.own_papers import add_pdfs, read_pdf
from coi_tui.session.session import Session
from tests.e2e.conftest import Run
from tests.support.desk import chains, paths_in, version_at
from tests.support.pdfs import pdf_of
from tests.support.standins import QUICK, StandInProcess, StandIns, make_corpus
from tests.support.standins import Settings as StandInSettings

LIBRARY, ATTACHED = b"quixotical", b"zyxwvutsrq"
ONE = CoiSettings(
    branches=1, length=3, forward=1, backward=1, novelty_queries=1, novelty_hits=2, refine_papers=1
)


def test_own_papers_from_the_command_line(offline: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.bib"
    file.write_text(
        "@misc{a, title={A paper of mine}, year=2020}\n@misc{b, year=2020}\n",
        encoding="utf-8",
    )
    added = offline("papers", "add", str(file))
    assert added.code == 0
    assert "1 new, 0 already known, 1 left out" in added.out
    listed = offline("papers", "list")
    assert "A paper of mine" in listed.out
    name = listed.out.split()[0]
    assert offline("papers", "remove", name).code == 0
    assert "no papers yet" in offline("papers", "list").out
    refused = offline("papers", "add", str(tmp_path / "none.bib"))
    assert refused.code == 2
    assert "cannot be read" in refused.err


def test_the_pdfs_that_a_list_names_are_read_where_they_are(offline: Run, tmp_path: Path) -> None:
    folder = tmp_path / "export" / "files" / "12"
    folder.mkdir(parents=True)
    (folder / "Bar - Gates.pdf").write_bytes(pdf_of("Gates that weigh evidence"))
    (folder / "other.pdf").write_bytes(pdf_of("Something else altogether"))
    (tmp_path / "export" / "mine.bib").write_text(
        "@article{a, title={Gates that weigh evidence}, doi={10.1234/gate},"
        " file={PDF:files/12/Bar - Gates.pdf:application/pdf;Other:gone.pdf:application/pdf}}\n"
        "@misc{b, title={Shelves of forgotten claims}, file={files/12/other.pdf}}\n"
        "@misc{c, title={Chains that nobody pulled}, file={:gone.pdf:PDF}}\n",
        encoding="utf-8",
    )
    ran = offline("papers", "add", str(tmp_path / "export" / "mine.bib"))
    assert ran.code == 0
    _, *lines = ran.out.splitlines()
    assert lines[0] == "added      Bar - Gates.pdf: Gates that weigh evidence (DOI:10.1234/gate)"
    assert lines[1].startswith("left out   gone.pdf is another PDF of a paper that has one")
    assert lines[2].startswith("added      other.pdf: Shelves of forgotten claims (title:")
    assert lines[2].endswith(") its first page does not show this title")
    assert lines[3].startswith("left out   gone.pdf cannot be read (No such file or directory)")
    assert "(your PDF Bar - Gates.pdf)" in offline("papers", "list").out
    assert list(tmp_path.glob("data/**/*.pdf")) == [], "no PDF is copied"


def test_own_papers_leave_in_each_form_and_come_back(offline: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.ris").write_text(
        "TY  - JOUR\nTI  - Gates that weigh evidence\nAU  - Bar, Ann\nDO  - 10.1234/gate\nER  - \n"
        "TY  - JOUR\nAU  - Foo, Bo\nER  - \n",
        encoding="utf-8",
    )
    added = offline("papers", "add", str(tmp_path / "mine.ris"))
    assert "1 new, 0 already known, 1 left out" in added.out
    assert "left out: AU - Foo, Bo: no title" in added.err
    for form, name in (("bib", "out.bib"), ("ris", "out.ris"), ("csl", "out.json")):
        file = tmp_path / name
        ran = offline("papers", "export", "--format", form, "--out", str(file))
        assert ran.code == 0, ran.err
        assert "10.1234/gate" in file.read_text(encoding="utf-8")
        assert "0 new, 1 already known, 0 left out" in offline("papers", "add", str(file)).out
        assert offline("papers", "export", "--format", form, "--out", str(file)).code == 2
    assert "@misc{bar" in offline("papers", "export").out


def test_forgetting_a_session_asks_for_its_name_and_leaves_nothing(
    offline: Run, tmp_path: Path
) -> None:
    assert offline("new", "chain of thought reasoning", "--name", "gone", "--offline").code == 0
    assert offline("forget", "gone", stdin="no\n").code == 3
    assert offline("show", "gone").code == 0
    done = offline("forget", "gone", stdin="gone\n")
    assert done.code == 0, done.err
    assert not [f for f in tmp_path.rglob("*gone*") if f.is_file()]
    assert offline("show", "gone").code == 2
    assert offline("forget", "gone", "--yes").code == 2


def test_pdfs_are_added_by_their_ids_and_the_others_are_listed(
    online: Run, services: StandInProcess, tmp_path: Path
) -> None:
    known = [p for p in make_corpus().papers if len(p.title) > 40][:2]
    folder = tmp_path / "pdfs"
    folder.mkdir()
    (folder / "1 stamp.pdf").write_bytes(
        pdf_of(known[0].title, stamp=f"arXiv:{known[0].arxiv}v1 [cs.AI] 1 Mar 2022")
    )
    (folder / "2 title.pdf").write_bytes(pdf_of(known[1].title))
    (folder / "3 page.pdf").write_bytes(b"<html>")
    alone = online("papers", "add", "--offline", str(folder))
    assert alone.code == 1
    assert "nothing leaves it" in alone.err
    assert "0 of 3 PDFs added." in alone.out
    done = online("papers", "add", str(folder))
    assert done.code == 1
    assert "What is not known here is sent to Semantic Scholar." in done.err
    assert f"added      1 stamp.pdf: {known[0].title} (" in done.out
    assert "left out   2 title.pdf names no DOI or arXiv id" in done.out
    assert "left out   3 page.pdf" in done.out
    assert "(your PDF 1 stamp.pdf)" in online("papers", "list").out


async def test_the_texts_reach_the_model_in_the_reading_prompt_and_nobody_else(
    tmp_path: Path,
) -> None:
    places = paths_in(tmp_path)
    async with StandIns(StandInSettings(latency=QUICK)) as pair:
        llm = LlmSettings(
            base_url=pair.chat_url,
            main=RoleSettings(model="standin-main"),
            reader=RoleSettings(model="standin-reader"),
        )
        settings = Settings(
            llm=llm, semantic_scholar=SourceSettings(base_url=pair.s2_url, pace_s=0)
        )
        keys = Keys(llm="sk-fake-of-this-test")
        with Session.create(
            "run", make_corpus().topics[0], Environment(places, settings, keys), bounds=ONE
        ) as s:
            await s.runs.run(s.planner.to_stage("anchors"))
            anchor = s.state.papers[str(chains(s).slot("1/0").paper)]
            file = tmp_path / "from my library.pdf"
            file.write_bytes(
                pdf_of(
                    anchor.title,
                    LIBRARY.decode(),
                    stamp=f"arXiv:{known_ids(anchor)['arXiv']}v1 [cs.AI] 1 Mar 2022",
                )
            )
            async with id_lookup(
                Environment(places, settings, keys, clock=str), offline=False
            ) as find:
                (taken,) = [pdf async for pdf in add_pdfs(places, [file], find)]
            assert taken.paper is not None, taken
            assert taken.paper.id == anchor.id
            plan = s.planner.to_stage("review")
            assert (
                "the text of your own PDFs (0 attached here, 1 in your library), each only in the prompt that reads it"
                in plan.sends
            )
            assert (await s.runs.run(plan)).state == "done"
            other = s.state.papers[str(chains(s).slot("1/+1").paper)]
            mine = tmp_path / "mine.pdf"
            mine.write_bytes(pdf_of(other.title, ATTACHED.decode()))
            s.decide("attach", "1/+1", (await read_pdf(mine)).own)
            plan = s.planner.to_refresh()
            assert any("only in the prompt that reads" in said for said in plan.sends)
            assert (await s.runs.run(plan)).state == "done"
            for address, paper, name in (
                ("1/0", anchor, "from my library.pdf"),
                ("1/+1", other, "mine.pdf"),
            ):
                card = version_at(s, f"{address}.card")
                assert card.content["source"] == "full text"
                assert name in card.content["note"]
                assert name in s.papers.read(paper).note
            entries = list(pair.log.entries)
    for word in (LIBRARY, ATTACHED):
        with_it = [e for e in entries if word in e.body or word.decode() in e.path + repr(e.params)]
        assert [(e.service, e.kind, e.note["schema"]) for e in with_it] == [
            ("chat", "chat", "LongCard")
        ]
        assert not places.library.exists() or word not in places.library.read_bytes()
