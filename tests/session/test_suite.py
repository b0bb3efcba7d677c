"""Suites: the file, sessions and texts, judges in both orders, what a second start asks, and what
people say."""

import asyncio
import errno
import itertools
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from coi_tui.arena.ratings import CRITERIA, OF_EXPERIMENTS
from coi_tui.cli import cli
from coi_tui.config import Keys, LlmSettings, Price, Settings
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.paths import Paths
from coi_tui.services.llm.chat import ChatModel, ChatRequest
from coi_tui.session.environment import Environment
from coi_tui.session.suite.ballot import Ballot
from coi_tui.session.suite.contest import Contest
from coi_tui.session.suite.example import PLANTED, POSITION, example
from coi_tui.session.suite.record import cut
from coi_tui.session.suite.report import report
from coi_tui.session.suite.views import FORMATS, as_text
from tests.support.desk import paths_in
from tests.support.script import HashModel, judged, reply_to, shown

SUITE = """
topics = ["Tests that teach", "Maps for the blind"]
repeats = 1
words = 40

[[contestant]]
name = "plain"
method = "One call"

[[contestant]]
name = "again"
method = "One call"

[[contestant]]
name = "papers"
texts = "papers"

[[judge]]
name = "fond of papers"
model = "judge-1"

[[judge]]
name = "readers"
people = true
"""
QUICK = Settings(llm=LlmSettings(retries=0))
PAPER = "A paper proposes it. " * 20


def prefers_papers(request: ChatRequest) -> Any:
    """Finds the texts of papers better, wherever they stand."""
    first, second = (str(request.values[side]) for side in ("first", "second"))
    better = [text.startswith("A paper") for text in (first, second)]
    return judged(2 if better[0] == better[1] else better.index(True))


def in_words(request: ChatRequest) -> Any:
    return {"text": f"{request.values['text']} In {request.values['words']} words."}


class Suite:
    """A suite in a folder, with scripted models that count what they are asked."""

    def __init__(self, home: Path, text: str = SUITE, *, alike: bool = False) -> None:
        """``alike``: an idea depends on what the model was shown and not on when."""
        self.file, self.home = home / "suite.toml", home
        self.file.write_text(text, encoding="utf-8")
        (home / "papers").mkdir(exist_ok=True)
        for number in range(1, 6):
            (home / "papers" / f"{number:02} paper.md").write_text(PAPER, encoding="utf-8")
        numbers = itertools.count()
        told = shown if alike else lambda _asked: str(next(numbers))
        ideas = {"one_call": lambda asked: {**reply_to(asked), "final": f"Idea {told(asked)}."}}
        self.writer = HashModel({"arena_text": in_words, **ideas})
        self.judge = HashModel({"arena_judge": prefers_papers})
        self.clients: dict[str, ChatModel] = {"fond of papers": self.judge}

    def contest(self, **options: Any) -> Contest:
        places = paths_in(self.home)
        return Contest(
            self.file,
            Environment(places, QUICK, Keys(), model=self.writer),
            clients=self.clients,
            **options,
        )

    def run(self, **options: Any) -> Contest:
        contest = self.contest(**options)
        asyncio.run(contest.run())
        assert not contest.failed
        return contest

    @property
    def asked(self) -> int:
        return len(self.writer.requests) + len(self.judge.requests)


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path)


def test_every_pair_is_judged_in_both_orders_and_the_truth_is_found(suite: Suite) -> None:
    contest = suite.run()
    said = contest.judged()
    assert len(said) == 2 * 3 * 2 * len(CRITERIA)
    assert len(suite.judge.requests) == 2 * 3 * 2
    assert {one.first_length for one in said} == {one.second_length for one in said}
    found = report(contest)
    first = found["judges"]["fond of papers"]["standings"][0]
    assert first["contestant"] == "papers"
    assert found["judges"]["fond of papers"]["flips"]["flipped"] == 0
    assert all(not one["better"] for one in found["judges"]["fond of papers"]["verdicts"])
    assert "| papers |" in FORMATS["md"](found)
    assert FORMATS["csv"](found).splitlines()[1].startswith("fond of papers,papers,")


def test_what_a_kill_left_of_a_line_is_dropped_and_nothing_is_paid_twice(suite: Suite) -> None:
    contest = suite.run()
    asked, whole = suite.asked, contest.judgements.read_bytes()
    said = contest.judged()
    for cut_off in (1, 40, len(whole) // 2):
        contest.judgements.write_bytes(whole[:-cut_off])
        assert len(suite.contest().judged()) < len(said)
        assert suite.run().judged() == said
    contest.judgements.unlink()
    assert suite.run().judged() == said
    assert suite.asked == asked


def test_another_prompt_or_length_is_judged_anew_from_the_same_sessions(suite: Suite) -> None:
    suite.run()
    ideas = sum(request.prompt == "one_call" for request in suite.writer.requests)
    suite.file.write_text(SUITE.replace("words = 40", "words = 30"), encoding="utf-8")
    judged_before = len(suite.judge.requests)
    suite.run()
    assert sum(request.prompt == "one_call" for request in suite.writer.requests) == ideas == 4
    assert len(suite.judge.requests) == 2 * judged_before


def test_an_unreadable_answer_is_asked_for_again_by_the_next_start(suite: Suite) -> None:
    suite.judge.say["arena_judge"] = lambda _request: "nothing"
    contest = suite.contest()
    asyncio.run(contest.run())
    assert contest.failed
    assert not contest.judged()
    suite.judge.say["arena_judge"] = prefers_papers
    assert len(suite.run().judged()) == 60


def test_a_line_that_is_no_judgement_is_named(suite: Suite) -> None:
    contest = suite.run()
    contest.judgements.write_bytes(b"nonsense\n" + contest.judgements.read_bytes())
    with pytest.raises(StoreError, match="Line 1"):
        contest.judged()


def test_people_vote_blind_and_are_compared_with_the_judge(suite: Suite) -> None:
    contest = suite.run()
    ballot = Ballot(contest, "ann")
    while ballot.here:
        ballot.vote("first" if ballot.here[0].first.contestant == "papers" else "second")
    assert Ballot(contest, "ann").given == len(ballot.asked) == 6 * len(CRITERIA)
    assert not Ballot(contest, "bob").given
    assert len(set(ballot.meaning.values())) == len(CRITERIA), "each in words of its own"
    assert all(asks.endswith("?") for asks in ballot.meaning.values()), "and nothing for models"
    found = report(contest)
    assert found["judges"]["ann"]["person"]
    both = next(row for row in found["agreement"] if not row["criterion"])
    assert (both["one"], both["other"], both["common"]) == ("ann", "fond of papers", 30)
    with pytest.raises(UsageError):
        Ballot(contest, "../ann")


def test_a_vote_is_taken_back_in_the_file_also_after_another_start(suite: Suite) -> None:
    contest = suite.run()
    ballot = Ballot(contest, "ann")
    for _ in range(len(CRITERIA) + 2):
        ballot.vote("first")
    before = ballot.file.read_bytes()
    ballot.undo()
    for lost in (0, 3):  # a kill may cut the line off
        ballot.file.write_bytes(ballot.file.read_bytes()[: -lost or None])
        again = Ballot(contest, "ann")
        assert again.given == len(CRITERIA) + 1 + bool(lost)
    assert ballot.file.read_bytes().startswith(before)
    for _ in range(again.given):
        again.undo()
    again.vote("tie")
    last = Ballot(contest, "ann")
    assert (last.given, last.asked[0]) == (1, ballot.asked[0])
    assert [one.outcome for one in contest.judged() if one.person] == ["tie"]


def test_nobody_votes_where_there_are_no_texts(suite: Suite) -> None:
    with pytest.raises(UsageError):
        Ballot(suite.contest(), "ann")


def test_a_vote_that_cannot_be_written_is_not_counted(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    ballot = Ballot(suite.run(), "ann")

    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError):
        ballot.vote("first")
    assert not ballot.given


def test_a_vote_on_the_command_line_names_nobody_and_goes_on_where_it_stopped(
    suite: Suite,
) -> None:
    contest = suite.run()
    runner = CliRunner(env={"COI_HOME": str(suite.home / "home"), "COI_MODEL": "scripted"})
    arguments = ["arena", "vote", str(suite.file), "--rater", "ann"]
    first = runner.invoke(cli, arguments, input="a\nb\nq\n", catch_exceptions=False)
    assert "Idea" in first.output
    ballot, shown = Ballot(contest, "ann"), first.output
    for question in ballot.meaning.values():
        assert shown.count(question) <= 1
        shown = shown.replace(question, "")
    assert not any(name in shown for name in ("plain", "again", "papers"))
    assert ballot.given == 2
    runner.invoke(cli, arguments, input="t\nt\nt\nq\n", catch_exceptions=False)
    assert Ballot(contest, "ann").given == 5


def test_a_contestant_has_a_model_of_its_own_and_another_model_makes_another_session(
    suite: Suite,
) -> None:
    text = SUITE.replace('name = "again"', 'name = "again"\nmodel = "other-1"')
    suite.file.write_text(text, encoding="utf-8")
    other = HashModel({"one_call": lambda asked: {**reply_to(asked), "final": "Another idea."}})
    suite.clients["again"] = other
    contest = suite.run()
    assert [request.prompt for request in other.requests] == ["one_call"] * 2
    entry = next(e for e in contest.entries if e.contestant.name == "again")
    with contest.sessions.of(entry) as session:
        assert session.settings.llm.main.model == "other-1"
        assert session.settings.llm.reader.model == ""
        assert session.state.value(f"{session.state.ideas()[0]}/idea#final") == "Another idea."
    suite.file.write_text(text.replace("other-1", "other-2"), encoding="utf-8")
    sources = {e.source for e in suite.contest().entries} ^ {e.source for e in contest.entries}
    assert len(sources) == 4


def test_the_key_of_a_contestant_comes_from_the_environment(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = 'model = "other"\nbase_url = "http://127.0.0.1:9/v1"\nkey_env = "OTHER_KEY"'
    suite.file.write_text(SUITE.replace('name = "again"', f'name = "again"\n{server}'), "utf-8")
    with pytest.raises(UsageError, match="OTHER_KEY"):
        asyncio.run(suite.contest().run())
    assert not suite.asked
    monkeypatch.setenv("OTHER_KEY", "k")
    contest = suite.contest()
    assert asyncio.run(contest.run()) is None
    assert len(contest.failed) == 2, "nothing answers there"


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (
            'method = "One call"\n\n[[contestant]]\nname = "again"',
            '\n[[contestant]]\nname = "again"',
            "plain",
        ),
        ("words = 40", "words = 4", "words"),
        ("words = 40", "wrods = 40", "wrods"),
        ('name = "again"', 'name = "plain"', "contestants"),
        ('name = "again"', 'name = "readers"', "contestants or judges"),
        ('name = "again"', 'name = "again"\nkey_env = "KEY"', "again"),
        ('texts = "papers"', 'texts = "papers"\nmodel = "m"', "papers"),
        ('model = "judge-1"', 'model = "judge-1"\npeople = true', "fond of papers"),
        ("repeats = 1", "repeats = ", "TOML"),
        ('model = "judge-1"', 'model = "judge-1"\nkey_env = "sk-f4k3f4k3f4k3f4k3f4k3"', "key"),
        ('texts = "papers"', 'method = "One call"\nsettings = {novelty_hits = 0}', "novelty_hits"),
        ('texts = "papers"', 'method = "One call"\nsettings = {chains = 2}', "chains"),
        ('texts = "papers"', 'texts = "nowhere"', "nowhere"),
        ('texts = "papers"', 'method = "Two calls"', "Two calls"),
        ("repeats = 1", 'stage = "fame"', "fame"),
        ("repeats = 1", "best = 3", "best"),
        ("repeats = 1", 'known_until = "tomorrow"', "known_until"),
        ('model = "judge-1"', 'model = "judge-1"\nbase_url = "my server:11434"', "base_url"),
    ],
)
def test_each_mistake_is_named_in_a_sentence(suite: Suite, old: str, new: str, named: str) -> None:
    text = SUITE.replace(old, new, 1)
    assert text != SUITE
    suite.file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=named):
        suite.contest()
    suite.file.unlink()  # one of them holds a key


def test_a_budget_stops_before_a_call(suite: Suite) -> None:
    suite.writer.kind = suite.judge.kind = "model"
    suite.file.write_text("budget_usd = 0.0\n" + SUITE, encoding="utf-8")
    contest = suite.contest()
    asyncio.run(contest.run())
    assert contest.stop is not None
    assert not suite.asked


def test_a_batch_halves_the_price_of_judges_in_the_plan_and_in_what_is_stored(
    suite: Suite,
) -> None:
    class Halved(HashModel):
        kind = "model"
        price_share = 0.5

    said = {"arena_judge": prefers_papers}
    prices = dict.fromkeys(("judge-1", HashModel().model_for("main")), Price(input=1, output=2))
    spent = list[float]()
    for name, judge in (("whole", HashModel(said)), ("half", Halved(said))):
        judge.kind = "model"
        (suite.home / name).mkdir()
        other = Suite(suite.home / name, alike=True)
        other.clients = {"fond of papers": judge}
        contest = Contest(
            other.file,
            Environment(
                paths_in(suite.home),
                Settings(llm=LlmSettings(prices=prices)),
                Keys(),
                model=other.writer,
            ),
            clients=other.clients,
            batch=name == "half",
        )
        low, high = contest.plan()[-1].usd or (0.0, 0.0)
        asyncio.run(contest.run())
        total = contest.spent().total
        assert total is not None
        spent += [low, high, total]
    assert all(spent)
    assert spent[3:] == pytest.approx([usd / 2 for usd in spent[:3]])


def test_a_text_is_cut_at_the_end_of_a_sentence() -> None:
    assert cut("One two three. Four five. Six.", 5) == "One two three. Four five."
    assert cut("One two three. Four five. Six.", 4) == "One two three."
    assert cut("One two three", 2) == "One two"


def among_six(best: int) -> str:
    """Six contestants with texts on twelve topics, of which ``best`` are looked for."""
    topics = ", ".join(f'"Topic {n}"' for n in range(1, 13))
    text = f"topics = [{topics}]\nbest = {best}\nat_once = 12\n"
    for name in "abcdef":
        text += f'[[contestant]]\nname = "{name}"\ntexts = "{name}"\n'
    return text + '[[judge]]\nname = "judge"\nmodel = "j"\n'


def in_order_of_names(request: ChatRequest) -> Any:
    first, second = (str(request.values[side]) for side in ("first", "second"))
    return judged(int(second[0] < first[0]))


def test_the_best_few_are_found_by_at_most_half_of_the_pairs_over_two_starts(
    tmp_path: Path,
) -> None:
    suite = Suite(tmp_path, among_six(2))
    for name, number in itertools.product("abcdef", range(1, 13)):
        file = tmp_path / name / f"{number}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"{name} is text {number}.", encoding="utf-8")
    suite.writer.say["arena_text"] = lambda request: {"text": request.values["text"]}
    suite.clients["judge"] = judge = HashModel()
    contest, asked = suite.contest(), itertools.count()

    def ends_after_twenty(request: ChatRequest) -> Any:
        if next(asked) == 20:
            contest.end()
        return in_order_of_names(request)

    judge.say["arena_judge"] = ends_after_twenty
    asyncio.run(contest.run())
    assert 20 <= len(judge.requests) < 60
    contest = suite.run()
    assert not contest.plan()
    every = 12 * 15 * 2
    assert len(judge.requests) <= every / 2
    assert len({str(r.values) for r in judge.requests}) == len(judge.requests)
    found = report(contest)["judges"]["judge"]
    assert {row["contestant"] for row in found["standings"][:2]} == {"a", "b"}
    better = {(one["better"], one["a"], one["b"]) for one in found["verdicts"]}
    assert ("b", "b", "c") in better


def test_the_output_of_another_program_may_be_json(suite: Suite) -> None:
    for number, text in (
        (1, '{"Title": "A paper", "Steps": [{"n": 1, "do": "ask"}, "count"]}'),
        (2, "["),
    ):
        (suite.home / "papers" / f"{number:02} paper.md").unlink()
        (suite.home / "papers" / f"{number} out.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="papers"):
        suite.contest()
    (suite.home / "papers" / "2 out.json").unlink()
    sources = [e.source for e in suite.contest().entries if e.contestant.texts]
    assert sources == ["Title: A paper\n\nSteps: 1 ask; count", ""]


def test_experiments_are_judged_by_their_own_criteria(suite: Suite) -> None:
    suite.file.write_text('judged = "experiments"\n' + SUITE, encoding="utf-8")
    suite.writer.say["arena_text_experiment"] = in_words

    def judge(request: ChatRequest) -> Any:
        fond = prefers_papers(request)
        return {**dict.fromkeys(OF_EXPERIMENTS, fond["novelty"])}

    suite.judge.say["arena_judge_experiment"] = judge
    contest = suite.run()
    found = report(contest)
    assert found["criteria"] == OF_EXPERIMENTS
    first = found["judges"]["fond of papers"]["standings"][0]
    assert first["contestant"] == "papers"
    assert all(first[name] > 1000 for name in OF_EXPERIMENTS)
    ballot = Ballot(contest, "ann")
    assert {name for _, name in ballot.asked} == set(OF_EXPERIMENTS)
    assert len(set(ballot.meaning.values())) == len(OF_EXPERIMENTS)
    assert all(asks.endswith("?") for asks in ballot.meaning.values())
    assert all(show(found) for show in FORMATS.values())
    assert as_text(found, 80)


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Contest:
    """The bundled suite, run and opened once more."""
    folder = tmp_path_factory.mktemp("bundled")
    here = Environment(Paths(folder, folder, folder), Settings(), Keys())
    first = example(here)
    asyncio.run(first.run())
    assert not first.failed
    return example(here)


@pytest.mark.parametrize("columns", [80, 120])
def test_a_report_fits_the_terminal_and_its_bars_stand_on_one_scale(
    bundled: Contest, columns: int
) -> None:
    found = report(bundled)
    lines = as_text(found, columns).splitlines()
    assert max(map(len, lines)) <= columns
    bars = [line for line in lines if "-o" in line]
    assert len(bars) == 2
    assert bars[0].index("-o") > bars[1].rindex("-")
    picture = ElementTree.fromstring(FORMATS["svg"](found))
    at = [float(one.attrib["cx"]) for one in picture.iter() if one.tag.endswith("circle")]
    assert at[0] > at[1]


def test_the_bundled_suite_finds_what_was_planted_and_asks_nothing_twice(bundled: Contest) -> None:
    assert not bundled.plan()
    found = report(bundled)
    assert found["topics"] == 11
    one = found["judges"]["judge"]
    [verdict] = one["verdicts"]
    planted = PLANTED["strong"] - PLANTED["weak"]
    assert verdict["better"] == "strong"
    assert verdict["difference"]["low"] < planted < verdict["difference"]["high"]
    assert one["position"]["low"] < POSITION < one["position"]["high"]
    assert {row["usd"] for row in found["costs"]} == {0.0}
    rows = {row["name"]: row for row in found["costs"]}
    assert rows["strong"]["sessions"] == 11


def test_without_a_suite_and_without_the_example_it_says_what_to_name(tmp_path: Path) -> None:
    runner = CliRunner(env={"COI_HOME": str(tmp_path)})
    found = runner.invoke(cli, ["arena", "report"])
    assert isinstance(found.exception, UsageError)
