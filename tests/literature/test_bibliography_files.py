import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.literature.bibliography_files import plain_text, read_bibliography
from coi_tui.literature.list_entries import LIBRARY_NAME
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper

BIB = r"""
@comment{nothing here}
@string{jir = "Journal of Invented Results"}
% a remark
@article{bar2024,
  title = {{On the Growth} of Invented Chains: {\'E}tudes},
  author = {Bar, Ann and M{\"u}ller, Bo and Foo, {\O}le and others},
  journal = jir,
  year = 2024, month = mar,
  doi = {https://doi.org/10.1234/ABC.5},
  abstract = "A {nested} abstract -- with \& signs.",
}
@inproceedings(paren2021, title="Bracketed entry", author="C. Baz", booktitle={Proc.}, year="2021",
  eprint={2104.00001}, archivePrefix={arXiv})
@misc{empty,}
@article{notitle, year=2020}
@book{last, title={A book without ids}, date={2019-07-03}, author={Qux, D.}}
"""


def test_bibtex() -> None:
    found = read_bibliography(BIB, "mine.bib")
    first, second, third = found.papers
    assert first.title == "On the Growth of Invented Chains: Études"
    assert first.authors == ("Ann Bar", "Bo Müller", "Øle Foo")
    assert (first.venue, first.year, first.published) == (
        "Journal of Invented Results",
        2024,
        "2024",
    )
    assert first.id == "DOI:10.1234/abc.5"
    assert first.abstract == "A nested abstract – with & signs."
    assert first.source == LIBRARY_NAME
    assert (second.id, second.title, second.year) == ("arXiv:2104.00001", "Bracketed entry", 2021)
    assert third.title == "A book without ids"
    assert third.id.startswith("title:")
    assert third.published == "2019-07-03"
    assert found.left_out == ["empty (line 15): no title", "notitle (line 16): no title"]


def read(text: str, name: str = "a.bib") -> list[Paper]:
    return read_bibliography(text, name).papers


UNCLOSED = """@article{one, title={One}, year=2020}
@article{two, title={Two, year={2021}, author={Foo, Bo}}
@article{three, title="Three, year=2022}

@article{four, title={Four}, year=2023}
"""


def test_an_unclosed_brace_takes_no_other_entry_with_it_and_is_named_with_its_line() -> None:
    found = read_bibliography(UNCLOSED, "a.bib")
    assert [(p.title, p.year) for p in found.papers] == [("One", 2020), ("Four", 2023)]
    assert found.left_out == [
        "two (line 2): a brace or a quotation mark is not closed",
        "three (line 3): a brace or a quotation mark is not closed",
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("@article{k, title={x}, year}", "k (line 1): it cannot be read: Expected a `=`"),
        ("@article{title={x}}", "(line 1): it cannot be read"),
        ("\n@ article {k, title={x}}", "k (line 2): not written as an entry"),
        ("@string{j {x}}", "j (line 1): it cannot be read"),
        ("@comment{x", ""),
        ("@preamble{x", ""),
        ("@book{k}", "k (line 1): no title"),
    ],
)
def test_what_is_no_entry_is_named(text: str, why: str) -> None:
    left_out = read_bibliography(text, "a.bib").left_out
    assert why in "".join(left_out)
    assert len(left_out) == bool(why)


def test_entries_of_one_key_and_fields_of_one_name_are_all_taken() -> None:
    found = read("@a{k, title={One}}\n@a{k, title={Two}}\n@a{l, title={Three}, title={Four}}")
    assert [p.title for p in found] == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    "again",
    [
        "@article{n, author={Novak, Jan and Roe, Max}, title={T2}, journal=jd, year={2003}}",
        '@book{n, author="Novak, Jan and Roe, Max", title="T2", journal = JD, year=2003}',
        "@article{n, author={Novak, Jan and Roe, Max}, title={T2}, journal=jd, year={2003}, note={a}, note=b}",
        '@article(n, author={Novak, Jan} # { and } # {Roe, Max}, title={T2}, journal=jd, year="2003")',
    ],
)
def test_an_entry_whose_key_was_there_before_is_read_like_the_first(again: str) -> None:
    """Its values have braces, quotation marks and names of strings like those of others."""
    first = "@string{jd = {Journal of Dust}}\n@article{n, title={T1}}\n"
    paper = read(first + again)[1]
    assert (paper.title, paper.year, paper.venue) == ("T2", 2003, "Journal of Dust")
    assert paper.authors == ("Jan Novak", "Max Roe")


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ("title={T}, note={a}, note={b}", ["note"]),
        ("title={T}, title={U}, year=2001, year=2002", ["title", "year"]),
        ("title={T}, Note={a}, NOTE={b}, note={c}", ["note"]),
    ],
)
def test_of_fields_of_one_name_the_first_is_read_and_the_others_are_named(
    fields: str, named: list[str]
) -> None:
    found = read_bibliography(f"\n@article{{k, {fields}}}", "a.bib")
    assert [p.title for p in found.papers] == ["T"]
    assert found.papers[0].year in (None, 2001)
    (line,) = found.left_out
    assert line.startswith("k (line 2)")
    assert all(name in line for name in named)


@pytest.mark.parametrize(
    ("entries", "title", "venue", "year"),
    [
        ('@string{j = "J " # "of Dust"}@a{k, title="A " # "B", journal=j}', "A B", "J of Dust", None),
        ('@string{j = {J}}\n@string{k = j # { } # "K"}@a{k, title={A} # k, journal = K # { } # j}', "AJ K", "J K J", None),
        ('@a{k, title = {C# and "F#"} # " # more", year = "20" # 03}', 'C# and "F#" # more', None, 2003),
        ('@a{k, title = "The {"}quoted{"} # sign", year = {2001}}', 'The "quoted" # sign', None, 2001),
        ("@a{k, title={A}, journal=nowhere # { B}}", "A", "nowhere B", None),
        ("@a{k, title={A}, journal=later}@string{later={Later}}", "A", "Later", None),
    ],
)  # fmt: skip
def test_values_are_joined_and_names_of_strings_replaced(
    entries: str, title: str, venue: str | None, year: int | None
) -> None:
    (paper,) = read(entries.replace("@a", "\n@a").replace("@string", "\n@string"))
    assert (paper.title, paper.venue, paper.year) == (title, venue, year)


@pytest.mark.parametrize(
    ("child", "parent", "venue", "year", "authors"),
    [
        ("", "title={Proc. of Dust}, year=2003", "Proc. of Dust", 2003, ()),
        ("", "title={T}, booktitle={Proc.}, date={2003-01-02}", "Proc.", 2003, ()),
        (", year=2001, booktitle={Own}", "title={P}, date={2003}", "Own", 2001, ()),
        ("", "title={Book}, author={Lee, Ann}, year=2003", "Book", 2003, ("Ann Lee",)),
        (", author={Roe, Max}", "title={B}, author={Lee, Ann}", "B", None, ("Max Roe",)),
    ],
)
def test_a_crossref_lends_what_an_entry_lacks_and_no_identifier(
    child: str, parent: str, venue: str, year: int | None, authors: tuple[str, ...]
) -> None:
    """Keys are compared without case, as BibTeX compares them."""
    found = read(
        f"@inbook{{c, title={{Child}}, crossref={{Par1}}{child}}}\n"
        f"@book{{par1, {parent}, doi={{10.1234/all}}, abstract={{Of all}}}}"
    )
    paper = found[0]
    assert (paper.title, paper.venue, paper.year, paper.authors) == ("Child", venue, year, authors)
    assert (paper.ids, paper.abstract) == ({}, None)


@pytest.mark.parametrize("target", ["a", "b", "nowhere"])
def test_a_crossref_to_itself_in_a_circle_or_to_nothing_ends(target: str) -> None:
    entries = f"@a{{a, title={{A}}, crossref={target}}}\n@a{{b, title={{B}}, crossref=a}}"
    assert [p.title for p in read(entries)] == ["A", "B"]


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"Dust on 3$\times$3 grids", "Dust on 3×3 grids"),
        (r"4$\times$4$\times$4 from $5 to $10", "4×4×4 from $5 to $10"),
        (r"$5-$10 and $n$-grams", "$5-$10 and n-grams"),
        (r"\$5 and $k$ of $10", "$5 and k of $10"),
        (r"H$_2$O in 3$^{rd}$ place", "H_2O in 3^rd place"),
        ("$$x^2$$ for US$ 5", "x^2 for US$ 5"),
    ],
)
def test_formulas_beside_digits_and_sums_of_money_are_told_apart(latex: str, plain: str) -> None:
    assert plain_text(latex) == plain


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"$\rho$ and \rho{} of \chi", "ρ and ρ of χ"),
        (r"See \url{https://a.org/x_y}", "See https://a.org/x_y"),
        (r"$\alpha$-VAE in $O(n^2)$", "α-VAE in O(n^2)"),
        ("Costs $5 and $10", "Costs $5 and $10"),
        (r"50% of R&D, \& more", "50% of R&D, & more"),
        (r"\'Etude {\'e} \v{c} \c c {\o} {\L} \H{o} {\ss}", "Étude é č ç ø Ł ő ß"),
        (r"\mbox{A} \emph{b} {\bf c} \textsc{D}", "A b c D"),
        ("``Quoted'' -- and --- so~on", "“Quoted” – and — so on"),
        (r"H\textsubscript{2}O \today \input{/etc/hostname}", "H2O"),
        (r"\href{x", "x"),
        ("{" * 3000 + "Deep" + "}" * 3000, "Deep"),
        (r"{\b" + "{" * 1500 + "Deep", "Deep"),
    ],
)
def test_latex_reads_as_text(latex: str, plain: str) -> None:
    assert plain_text(latex) == plain


@pytest.mark.parametrize(
    ("fields", "paper_id"),
    [
        ("doi={doi:10.1234/AbC}", "DOI:10.1234/abc"),
        ("doi={DOI 10.1234/x}", "DOI:10.1234/x"),
        (r"doi={\url{https://doi.org/10.1234/x\_y}}", "DOI:10.1234/x_y"),
        ("journal={arXiv preprint arXiv:2005.14165}", "arXiv:2005.14165"),
        ("journal={ArXiv}, volume={abs/1706.03762}", "arXiv:1706.03762"),
        ("note={arXiv:1412.6980 [cs.LG]}", "arXiv:1412.6980"),
        ("howpublished={arXiv:hep-th/9901001}", "arXiv:hep-th/9901001"),
        ("eprint={arXiv:2104.00001}", "arXiv:2104.00001"),
        ("url={doi:10.1234/x}", "DOI:10.1234/x"),
    ],
)
def test_identifiers_are_found_where_people_write_them(fields: str, paper_id: str) -> None:
    assert [p.id for p in read(f"@article{{k, title={{T}}, {fields}}}")] == [paper_id]


def test_authors_of_every_form() -> None:
    names = r"van der Berg, Maarten and King, Jr., Martin and {Barnes and Noble} and M{\"u}ller, Bo"
    (paper,) = read(f"@article{{k, title={{T}}, author={{{names} and others}}}}")
    assert paper.authors == (
        "Maarten van der Berg",
        "Martin King Jr.",
        "Barnes and Noble",
        "Bo Müller",
    )


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"\O stergaard, Bo", "Bo Østergaard"),
        (r"\L{}uk, Jo", "Jo Łuk"),
        (r"\'Alvarez, Juan", "Juan Álvarez"),
        (r"\c{S}ahin, Ali", "Ali Şahin"),
        (r"Mu\~noz, Jos\'e", "José Muñoz"),
        (r"\AA{}ngstr\"om, Bo", "Bo Ångström"),
        (r"Wa\l \k esa, Lech", "Lech Wałęsa"),
        (r"{\O stergaard} and Sons, Bo", ("Østergaard", "Bo Sons")),
        (r"\DJ or\dj evi\'c, Ana", "Ana Đorđević"),
        (r"Nguy{\~{\^e}}n, An", "An Nguyễn"),
        ("{Barnes and Noble}", "Barnes and Noble"),
        ("family=Dijk, given=Jan, prefix=van, useprefix=true", "Jan van Dijk"),
        ("given=Ana, given-i=A, family={de la Cruz}", "Ana de la Cruz"),
        ("prefix=van der, family=Berg, given=Maarten, suffix=Jr.", "Maarten van der Berg Jr."),
        ("family={Robert and Sons, Inc.}", "Robert and Sons, Inc."),
        (r"family=\O stergaard, given=Bo", "Bo Østergaard"),
    ],
)
@pytest.mark.parametrize("around", ["%s", r"Lee, Ann and %s and \`Eve, X"])
def test_no_letter_of_a_name_is_lost(
    written: str, shown: str | tuple[str, ...], around: str
) -> None:
    (paper,) = read(f"@a{{k, title={{T}}, author={{{around.replace('%s', written)}}}}}")
    names = (shown,) if isinstance(shown, str) else shown
    others = around != "%s"
    assert paper.authors == (*["Ann Lee"][:others], *names, *["X Ève"][:others])


def test_two_papers_of_one_title_and_year_are_two() -> None:
    """Many are called "Introduction": without another identifier the first author belongs to it."""
    found = read(
        "@incollection{1, title={Introduction}, author={Foo, Ann}, year=2020}\n"
        "@incollection{2, title={Introduction}, author={Bar, Ann}, year=2020}\n"
    )
    assert len({p.id for p in found}) == 2


@pytest.mark.parametrize(("text", "name"), [("x", "notes.txt"), ("x", "noending")])
def test_what_is_no_list_is_refused_in_a_sentence(text: str, name: str) -> None:
    with pytest.raises(UsageError):
        read_bibliography(text, name)


@given(st.text(alphabet=st.sampled_from("@article{}(),=\"\\'#-~ab1 \n"), max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    for paper in read_bibliography(text, "a.bib").papers:
        assert paper.title.strip()
        assert "\n" not in paper.title


@pytest.mark.parametrize(
    ("field", "files"),
    [
        ("Full Text PDF:files/12/Bar - 2020.pdf:application/pdf", ["files/12/Bar - 2020.pdf"]),
        (
            r"Page:files/1/x.html:text/html;PDF:C\:\\Users\\a\\x.pdf:application/pdf",
            [r"C:\Users\a\x.pdf"],
        ),
        ("/home/a/x y.pdf;/home/a/z.html", ["/home/a/x y.pdf"]),
        (":papers/x.pdf:PDF", ["papers/x.pdf"]),
        (r"A\: b\; c:files/1/A\: b.pdf:application/pdf", ["files/1/A: b.pdf"]),
        ("", []),
        (":::;;", []),
    ],
)
def test_the_pdfs_that_an_entry_names(field: str, files: list[str]) -> None:
    """As Zotero, Better BibTeX and JabRef write them."""
    found = read_bibliography(f"@misc{{k, title={{A}}, file={{{field}}}}}", "a.bib")
    assert found.files[found.papers[0].id] == files


def test_further_identifiers_have_fields_of_their_names() -> None:
    (paper,) = read("@misc{k, title={A}, pmid={12}, openalex={W7}, doi={10.1234/x}}")
    assert paper.ids == {"PMID": "12", "OpenAlex": "W7", "DOI": "10.1234/x"}


@pytest.mark.parametrize(
    ("title", "bare", "notices"),
    [
        ("RETRACTED: Chains of gates", "Chains of gates", ("retracted, as its title says",)),
        ("[Retracted] Chains", "Chains", ("retracted, as its title says",)),
        ("WITHDRAWN: Chains", "Chains", ("retracted, as its title says",)),
        ("Retraction: Chains", "", ("a notice of retraction, as its title says",)),
        ("Retraction notice to “Chains”", "", ("a notice of retraction, as its title says",)),
        (
            "Retraction of: Chains of gates in cats",
            "",
            ("a notice of retraction, as its title says",),
        ),
        (
            "Retraction of Chains of gates in old cats",
            "",
            ("a notice of retraction, as its title says",),
        ),
        ("Correction to: Chains", "", ("a notice of correction, as its title says",)),
        ("Corrigendum to “Chains”", "", ("a notice of correction, as its title says",)),
        ("Erratum: Chains", "", ("a notice of correction, as its title says",)),
        ("Retraction of claws", "", ()),
        ("Correction of old errors in chains of gates", "", ()),
        ("Retractable gates", "", ()),
    ],
)
def test_a_title_tells_of_a_retraction_or_a_correction(
    title: str, bare: str, notices: tuple[str, ...]
) -> None:
    (paper,) = read_bibliography(f"@misc{{k, title={{{title}}}, year=2020}}", "a.bib").papers
    assert (paper.title, paper.notices) == (bare or title, notices)
    assert paper.retracted == bool(bare)


def test_the_key_of_an_entry_is_what_it_is_cited_by() -> None:
    names = ("kale2019gates", "DBLP:conf/x/Kale19", "http://zotero.org/1", "17", "a{b", "b.")
    text = "\n".join(f"@misc{{{name}, title={{{name} x}}, year=2020}}" for name in names)
    keys = [paper.citation_key for paper in read_bibliography(text, "a.bib").papers]
    assert [key for key in keys if key] == ["kale2019gates", "DBLP:conf/x/Kale19"]
    short = ("a", "müller2020", "Łódź:1")
    text = "\n".join(f"@misc{{{name}, title={{{name} x}}, year=2020}}" for name in short)
    kept = [paper.citation_key for paper in read_bibliography(text, "a.bib").papers]
    assert tuple(kept) == short, "of one letter, and with accents"


def test_an_entry_without_a_key_lends_nothing_to_others() -> None:
    first, second = read("@a{, title={One}, author={Bar, Ann}, year=2020}\n@a{kk, title={Two}}")
    assert (first.venue, second.authors, second.year, second.venue) == (None, (), None, None)
