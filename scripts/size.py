"""Print how many tokens of code each package has: `python scripts/size.py [FOLDER ...]`, under
Python 3.11.

Counted as `tokenize` reads them, without comments, newlines and indents; a string, also a
docstring, is one token. Line width and comments therefore play no part. Later versions of Python
cut f-strings into parts and count more.
"""

import sys
import tokenize
from collections import Counter
from pathlib import Path

LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def tokens(file: Path) -> int:
    """The tokens of code in one file. Raises what `tokenize` raises where it is not Python."""
    with tokenize.open(file) as source:
        return sum(token.type not in LAYOUT for token in tokenize.generate_tokens(source.readline))


def main(folders: list[str]) -> None:
    if sys.version_info[:2] != (3, 11):
        print(
            "Budgets are counted under Python 3.11; this version counts f-strings otherwise.",
            file=sys.stderr,
        )
    for folder in folders:
        root = Path(folder)
        files, code = Counter[str](), Counter[str]()
        for file in root.rglob("*.py"):
            inside = file.relative_to(root).parts
            package = inside[0] if len(inside) > 1 else "(modules)"
            files[package] += 1
            code[package] += tokens(file)
        print(f"{folder:24}{code.total():>10,} tokens {files.total():>5} files")
        for package, count in code.most_common():
            print(f"  {package:22}{count:>10,}        {files[package]:>5}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["coi_tui", "tests", "benchmarks"])
