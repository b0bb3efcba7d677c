"""When an answer that was kept may stand for a new one: by its age, and never for another request, source or time cut."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.literature.cached_answers import age_text, answer_key, days_old, is_old, worth_caching
from coi_tui.literature.types import HttpAnswer, HttpRequest

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
moments = st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=400)).map(
    lambda back: NOW - back
)
limits = st.integers(min_value=0, max_value=365)


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


@given(moments, limits)
def test_an_answer_is_old_exactly_after_its_days(given_at: datetime, limit: int) -> None:
    assert is_old(iso(given_at), iso(NOW), limit) == (
        NOW - given_at.replace(microsecond=0) >= timedelta(days=limit)
    )


@given(moments, limits, limits)
def test_what_is_old_for_a_long_limit_is_old_for_a_shorter_one(
    given_at: datetime, one: int, two: int
) -> None:
    short, long = sorted((one, two))
    assert is_old(iso(given_at), iso(NOW), short) or not is_old(iso(given_at), iso(NOW), long)


@given(st.lists(moments, min_size=3, max_size=3), limits)
def test_an_old_answer_does_not_become_young_again(three: list[datetime], limit: int) -> None:
    given_at, earlier, later = sorted(three)
    assert is_old(iso(given_at), iso(later), limit) or not is_old(
        iso(given_at), iso(earlier), limit
    )


@pytest.mark.parametrize("said", ["", "yesterday", "2026-13-45T00:00:00Z"])
def test_an_answer_without_a_date_is_old(said: str) -> None:
    assert is_old(said, iso(NOW), 365)
    assert days_old(said, iso(NOW)) is None


def test_an_answer_from_the_future_is_not_trusted_for_longer_than_a_new_one() -> None:
    """A clock that was set wrong must not keep an answer for years."""
    assert is_old(iso(NOW + timedelta(days=2)), iso(NOW), 30)
    assert not is_old(iso(NOW + timedelta(hours=2)), iso(NOW), 30)


requests = st.builds(
    HttpRequest,
    url=st.sampled_from(["https://a.example/works", "https://a.example/paper"]),
    params=st.lists(st.tuples(st.sampled_from("pq"), st.text(max_size=3)), max_size=2).map(tuple),
    body=st.sampled_from([None, {"ids": ["1"]}, {"ids": ["2"]}]),
)
places = st.tuples(
    st.sampled_from(["OpenAlex", "Semantic Scholar"]),
    st.sampled_from(["", "2023", "2023-06"]),
    requests,
)


@given(places, places)
def test_two_answers_share_a_key_only_where_source_cut_and_request_are_the_same(
    one: tuple[str, str, HttpRequest], two: tuple[str, str, HttpRequest]
) -> None:
    assert (answer_key(*one) == answer_key(*two)) == (one == two)


@pytest.mark.parametrize(
    ("status", "payload", "kept"),
    [
        (200, {"data": [{"paperId": "1"}]}, True),
        (200, {"results": [{"id": "W1"}]}, True),
        (200, {"paperId": "1"}, True),
        (200, [{"paperId": "1"}, None], True),
        (200, {"data": []}, False),
        (200, {"results": [], "meta": {"count": 0}}, False),
        (200, {"total": 0, "offset": 0}, False),
        (200, [None, None], False),
        (200, None, False),
        (200, {}, False),
        (404, {"error": "not found"}, False),
    ],
)
def test_what_holds_nothing_is_not_kept(status: int, payload: object, kept: bool) -> None:
    """What a service does not know today it may know tomorrow."""
    assert worth_caching(HttpAnswer(status=status, payload=payload)) is kept


@pytest.mark.parametrize(
    ("given_on", "kept", "said"),
    [
        ("2026-11-21", False, "answered today"),
        ("2026-11-20", False, "answered 1 d ago"),
        ("2026-11-18", True, "answered 3 d ago, from the library"),
        ("2026-11-21", True, "answered today, from the library"),
        ("", True, ""),
        ("soon", False, ""),
    ],
)
def test_ages_in_words(given_on: str, kept: bool, said: str) -> None:
    assert age_text(given_on, iso(NOW), cached=kept) == said
