"""One's own PDFs over the wire: what reaches the services, byte by byte, in a whole run with a
model and a search service."""

from __future__ import annotations

from pathlib import Path

from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings, SourceSettings
from coi_tui.literature.ids import known_ids
from coi_tui.methods.coi import CoiSettings
from coi_tui.session.papers.imported_pdfs import add_pdfs, read_pdf
from coi_tui.session.papers.lookup import id_lookup
from coi_tui.session.papers.reading import read
from coi_tui.session.session import Session
from tests.support.desk import paths_in
from tests.support.pdfs import pdf_of
from tests.support.standins import QUICK, StandIns, make_corpus
from tests.support.standins import Settings as StandInSettings

LIBRARY, ATTACHED = b"quixotical", b"zyxwvutsrq"
ONE = CoiSettings(
    branches=1, length=3, forward=1, backward=1, novelty_queries=1, novelty_hits=2, refine_papers=1
)


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
            "run", make_corpus().topics[0], paths=places, settings=settings, keys=keys, bounds=ONE
        ) as s:
            await s.runs.run(s.planner.to_stage("anchors"))
            anchor = s.state.papers[str(s.state.slot("1/0").paper)]
            file = tmp_path / "from my library.pdf"
            file.write_bytes(
                pdf_of(
                    anchor.title,
                    LIBRARY.decode(),
                    stamp=f"arXiv:{known_ids(anchor)['arXiv']}v1 [cs.AI] 1 Mar 2022",
                )
            )
            async with id_lookup(places, settings, keys, str, offline=False) as find:
                (taken,) = [pdf async for pdf in add_pdfs(places, [file], find)]
            assert taken.paper is not None, taken
            assert taken.paper.id == anchor.id
            plan = s.planner.to_stage("review")
            assert (
                "the text of your own PDFs (0 attached here, 1 in your library), each only in the prompt that reads it"
                in plan.sends
            )
            assert (await s.runs.run(plan)).state == "done"
            other = s.state.papers[str(s.state.slot("1/+1").paper)]
            s.decide(
                "attach",
                "1/+1",
                (await read_pdf("mine.pdf", pdf_of(other.title, ATTACHED.decode()))).own,
            )
            plan = s.planner.to_refresh()
            assert any("only in the prompt that reads" in said for said in plan.sends)
            assert (await s.runs.run(plan)).state == "done"
            for address, paper, name in (
                ("1/0", anchor, "from my library.pdf"),
                ("1/+1", other, "mine.pdf"),
            ):
                card = s.state.in_use(f"{address}.card")
                assert card is not None
                assert card.content["source"] == "full text"
                assert name in card.content["note"]
                assert name in read(s.core, paper).note
            entries = list(pair.log.entries)
    for word in (LIBRARY, ATTACHED):
        with_it = [e for e in entries if word in e.body or word.decode() in e.path + repr(e.params)]
        assert [(e.service, e.kind, e.note["schema"]) for e in with_it] == [
            ("chat", "chat", "LongCard")
        ]
        assert not places.library.exists() or word not in places.library.read_bytes()
