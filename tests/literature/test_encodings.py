"""Lists that are not in UTF-8: read in the encoding that they name or that their bytes show, which is
told, and with every entry."""

from pathlib import Path

import pytest

from coi_tui.session.papers.own_papers import ImportResult, import_papers
from tests.support.desk import paths_in

PEOPLE = {
    "Czech": ("Měření prachu ve městech: žár a úžeh", "Žáček, Tomáš"),
    "German": ("Größenänderung der Übergänge", "Müller, Jörg"),
    "Spanish": ("Análisis de la contaminación: niños y años", "Muñoz, Íñigo"),
    "Hungarian": ("Levegő minősége és szűrése", "Kovács, Gergő"),
    "Turkish": ("Şehirlerde toz ölçümü: ışık ve ağaç, taş ve kuş", "Yılmaz, Şükrü"),
    "French": ("Étude de la qualité de l'air : où, quand, été, naïf, créée", "Lefèvre, Noël"),
    "Norwegian": ("Måling av støv i byer på Østlandet", "Sæther, Bjørn"),
    "Icelandic": ("Mælingar á ryki í Reykjavík", "Þórsson, Ægir"),
    "Italian": ("La qualità dell'aria è più buona: perché così", "Niccolò, Zoè"),
    "Polish": ("Pomiar pyłu: żółć, gęś i łąka", "Żak, Józef"),
    "Russian": ("Измерение пыли в городах", "Жуков, Юрий"),
    "Greek": ("Μέτρηση σκόνης στις πόλεις", "Παππάς, Γιώργος"),
    "Chinese": ("城市空气质量传感器的校准研究", "王伟"),
    "Japanese": ("都市の粉塵センサーの校正について", "山田太郎"),
    "Korean": ("도시 먼지 센서의 보정에 관한 연구", "김철수"),
    "quotation marks": ("The authors’ view – of “dust”", "Lee, Ann"),
}


def listed(title: str, author: str, head: str = "") -> str:
    """Three entries, the second with these words."""
    entry = "@article{{k{},\n  title = {{{}}},\n  author = {{{}}},\n  year = {{2010}}\n}}\n"
    plain = [entry.format(n, f"A plain title {n}", "Roe, Max") for n in (1, 3)]
    return f"{head}{plain[0]}{entry.format(2, title, author)}{plain[1]}"


def imported(folder: Path, data: bytes) -> ImportResult:
    (folder / "x.bib").write_bytes(data)
    return import_papers(paths_in(folder / "home"), folder / "x.bib")


def shows(result: ImportResult, title: str, author: str) -> None:
    assert not result.left_out
    assert [paper.title for paper in result.new] == ["A plain title 1", title, "A plain title 3"]
    family, _, given = author.partition(", ")
    assert result.new[1].authors == (f"{given} {family}".strip(),)


@pytest.mark.parametrize(
    ("people", "encoding"),
    [
        ("German", "latin-1"),
        ("Spanish", "latin-1"),
        ("quotation marks", "cp1252"),
        ("Czech", "cp1250"),
        ("Polish", "iso8859-2"),
        ("Russian", "cp1251"),
        ("Russian", "koi8-r"),
        ("Greek", "cp1253"),
        ("Turkish", "cp1254"),
        ("Hungarian", "cp1250"),
        ("French", "latin-1"),
        ("Norwegian", "latin-1"),
        ("Icelandic", "latin-1"),
        ("Italian", "latin-1"),
        ("German", "mac-roman"),
        ("Chinese", "gb18030"),
        ("Japanese", "shift_jis"),
        ("Japanese", "euc_jp"),
        ("Korean", "euc_kr"),
        *(
            (people, wide)
            for people in ("Czech", "Chinese")
            for wide in (
                "utf-16",
                "utf-16-le",
                "utf-16-be",
                "utf-32",
                "utf-32-le",
            )
        ),
    ],
)
def test_an_encoding_is_known_by_its_bytes_and_named(
    tmp_path: Path, people: str, encoding: str
) -> None:
    result = imported(tmp_path, listed(*PEOPLE[people]).encode(encoding))
    shows(result, *PEOPLE[people])
    assert result.encoding


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_utf_8_needs_no_words(tmp_path: Path, encoding: str) -> None:
    result = imported(tmp_path, listed(*PEOPLE["Czech"]).encode(encoding))
    shows(result, *PEOPLE["Czech"])
    assert not result.encoding


@pytest.mark.parametrize(
    ("head", "people", "encoding"),
    [
        ("% Encoding: windows-1250\n", "Czech", "cp1250"),
        ("% Made by hand\n%% encoding: ISO8859_2\n\n", "Polish", "iso8859-2"),
        ("% -*- coding: cp1253 -*-\n", "Greek", "cp1253"),
        ("% Encoding: x-MacRoman\n", "German", "mac-roman"),
        ("% Encoding: gb18030\n", "Chinese", "gb18030"),
    ],
)
def test_an_encoding_that_is_declared_is_taken(
    tmp_path: Path, head: str, people: str, encoding: str
) -> None:
    result = imported(tmp_path, listed(*PEOPLE[people], head).encode(encoding))
    shows(result, *PEOPLE[people])
    assert head.split()[-1 if "-*-" not in head else -2].removeprefix("x-") in result.encoding


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("% Encoding: ISO-8859-1\n", "utf-8"),
        ("% Encoding: UTF-8\n", "cp1252"),
        ("% Encoding: UTF-16\n", "cp1252"),
        ("% Encoding: klingon\n", "cp1252"),
        ("% Encoding: hex\n", "cp1252"),
    ],
)
def test_what_is_declared_wrongly_does_no_harm(tmp_path: Path, head: str, encoding: str) -> None:
    result = imported(tmp_path, listed(*PEOPLE["German"], head).encode(encoding))
    shows(result, *PEOPLE["German"])


@pytest.mark.parametrize("stray", [b"\x81", b"\x9d", b"\xff", b"\x00", b"\x90 \xfe"])
@pytest.mark.parametrize("people", ["Czech", "Chinese"])
def test_stray_bytes_in_utf_8_cost_a_sign_and_no_entry(
    tmp_path: Path, people: str, stray: bytes
) -> None:
    title, author = PEOPLE[people]
    data = listed(title, author).encode().replace(b"plain title 1", b"plain" + stray + b" title 1")
    result = imported(tmp_path, data)
    assert [paper.title for paper in result.new][1:] == [title, "A plain title 3"]
    assert result.new[0].title.startswith("A plain")
    assert not result.left_out


def test_one_letter_of_latin_1_in_ascii_is_that_letter(tmp_path: Path) -> None:
    shows(imported(tmp_path, listed("A café", "Lee, Ann").encode("latin-1")), "A café", "Lee, Ann")


def test_utf_16_that_lost_its_last_byte_is_read(tmp_path: Path) -> None:
    data = listed(*PEOPLE["Czech"]).encode("utf-16")[:-1]
    shows(imported(tmp_path, data), *PEOPLE["Czech"])
