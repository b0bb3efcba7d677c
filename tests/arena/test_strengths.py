"""Strengths, biases, intervals and verdicts against judges whose truth is known."""

import math
from random import Random

import pytest

from benchmarks import ratings
from coi_tui.arena.judgements import REPEAT, Judgement, strengths
from coi_tui.arena.ratings import LEAST, START, student
from tests.support.planted import SIX, Planted, league

TRUE_OF_100 = {
    "order": (95, 100),
    "best three of 20 in 14 calls": (95, 100),
    "a bias to the first place stays in 19 of 20 intervals": (95, 100),
    "position turns wins into ties": (100, 100),
    "length within 20 %": (95, 100),
    "best three by half of the matches": (95, 100),
    "no verdict on equals": (90, 100),
    "shown by as many topics as needed": (60, 95),
}
"""What must be true of so many of 100 seeds; of intervals 90 to 98."""


@pytest.mark.parametrize("trial", ratings.TRIALS[:6])
def test_a_few_judges_of_known_strength(trial: ratings.Trial) -> None:
    for name, found in ratings.share(trial, 3).items():
        assert found >= TRUE_OF_100[name][0], name


def test_intervals_over_ten_topics_hold_the_truth() -> None:
    for name, found in ratings.share(lambda seed: ratings.covered(seed, topics=10), 50).items():
        assert 88 <= found <= 100, name


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("trial", ratings.TRIALS)
def test_judges_of_known_strength(trial: ratings.Trial) -> None:
    for name, found in ratings.share(trial, 100).items():
        low, high = TRUE_OF_100.get(name, (90, 98))
        assert low <= found <= high, name


def votes(wins: str, topics: int = 0) -> list[Judgement]:
    """``A`` against ``B``, a topic after the other, each in both orders: ``A``, ``B`` or ``-``."""
    return [
        Judgement(
            str(n % topics if topics else n),
            n,
            first,
            second,
            "m",
            "clarity",
            "tie" if winner == "-" else "first" if winner == first else "second",
            100,
            100,
        )
        for n, winner in enumerate(wins)
        for first, second in ("AB", "BA")
    ]


@pytest.mark.parametrize(
    ("wins", "better"),
    [
        ("A" * (LEAST - 1), ""),
        ("A" * LEAST, "A"),
        ("B" * LEAST, "B"),
        ("AAAAAB", ""),
        ("AB" * 20, ""),
        ("AAAB" * 10, "A"),
        ("-" * 20, ""),
    ],
)
def test_who_is_better_only_with_topics_enough(wins: str, better: str) -> None:
    fit = strengths(votes(wins))
    verdict = fit.verdict("A", "B")
    assert (verdict.better, verdict.units) == (better, len(wins))
    other = fit.verdict("B", "A")
    assert (other.better, other.needed) == (better, verdict.needed)
    assert other.difference.value == pytest.approx(-verdict.difference.value)


def test_more_topics_are_needed_for_a_smaller_difference_and_none_show_no_difference() -> None:
    large, small, none = (
        strengths(votes(wins)).verdict("A", "B") for wins in ("AAAB" * 5, "AAABB" * 4, "-" * 20)
    )
    assert large.needed
    assert small.needed
    assert LEAST <= large.needed < small.needed
    assert small.needed > small.units
    assert none.needed is None


def test_repeats_of_one_topic_speak_of_that_topic_alone() -> None:
    judgements = votes("A" * 10, topics=1)
    assert strengths(judgements).verdict("A", "B").better == ""
    assert strengths(judgements).rating("A").high == math.inf
    verdict = strengths(judgements, unit=REPEAT).verdict("A", "B")
    assert (verdict.better, verdict.units) == ("A", 10)


def test_many_verdicts_read_together_each_need_more() -> None:
    fit = strengths(votes("AAAB" * 6))
    alone, together = (fit.verdict("A", "B", among=among) for among in (1, 15))
    assert (alone.better, together.better) == ("A", "")
    assert alone.needed
    assert together.needed
    assert together.needed > alone.needed


def test_a_judge_that_favours_length_does_not_make_the_longer_contestant_better() -> None:
    equal = {"long": 1000.0, "short": 1000.0}
    judge = Planted(equal, length=200, words={"long": 1000})
    fit = strengths(judge.judge(league(equal, 60)))
    assert fit.verdict("long", "short").better == ""
    assert fit.length.low > 0
    same = Planted(equal, length=200, words={"long": 1000}, spread=0)
    fit = strengths(same.judge(league(equal, 60)))
    assert fit.verdict("long", "short").better == "", "length alone might have done it"


def test_what_no_judgement_tells_apart_stays_open() -> None:
    one_order = [one for one in votes("A" * 20) if one.first == "A"]
    fit = strengths(one_order)
    assert fit.verdict("A", "B").better == "", "position alone might have done it"
    assert fit.position.low < 0 < fit.position.high
    apart = [*votes("AAAB" * 5), Judgement("t", 0, "C", "D", "m", "x", "first", 1, 1)]
    assert strengths(apart).verdict("A", "C").better == ""
    nothing = strengths([], ["A", "B"])
    assert nothing.rating("A").value == START
    assert nothing.verdict("A", "B").difference.high == math.inf


def test_the_order_of_the_record_and_of_the_names_changes_nothing() -> None:
    judgements = Planted(SIX).judge(league(SIX, 5))
    fit = strengths(judgements)
    assert sum(fit.rating(name).value for name in SIX) == pytest.approx(START * len(SIX))
    Random(1).shuffle(judgements)
    again = strengths(judgements, list(SIX)[::-1])
    for name in SIX:
        assert again.rating(name).low == pytest.approx(fit.rating(name).low, abs=0.1)
        assert again.rating(name).high == pytest.approx(fit.rating(name).high, abs=0.1)
    with pytest.raises(KeyError):
        fit.rating("G")
    with pytest.raises(KeyError):
        strengths(judgements, ["A", "B"])


def test_extreme_judges_come_to_an_end() -> None:
    far = {name: 1000.0 + 2000 * n for n, name in enumerate("ABC")}
    fit = strengths(Planted(far, position=5000, length=5000, spread=2).judge(league(far, 10)))
    assert fit.position.value > 500
    assert all(math.isfinite(fit.rating(name).error) for name in far)


@pytest.mark.parametrize(
    ("level", "freedom", "errors"),
    [(0.95, 5, 2.571), (0.95, 9, 2.262), (0.95, 49, 2.010), (0.99, 9, 3.250), (0.95, 10**9, 1.960)],
)
def test_students_t(level: float, freedom: int, errors: float) -> None:
    assert student(level, freedom) == pytest.approx(errors, abs=0.005)
