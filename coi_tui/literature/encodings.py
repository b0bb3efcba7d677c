"""Which encoding a list of papers is in: its own line (``% Encoding: ...``) or its bytes say so."""

from __future__ import annotations

import re
from contextlib import suppress

_DECLARED = re.compile(
    rb"^[ \t]*%.*?coding[ \t]*[:=][ \t]*(?:x-)?(?!utf|ascii|us-)([\w.:-]+)", re.I | re.M
)
_LIKELY = re.findall(
    r"\w+",
    "cp1252 cp1250 iso8859_2 cp1251 cp1253 cp1254 koi8_r gb18030 big5 cp932 euc_jp cp949 mac_roman"
    " utf_16 utf_32 utf_16_le utf_16_be utf_32_le utf_32_be",
)
"""Encodings that are guessed; of several that fit the bytes equally well the first."""
_ODD = re.compile(
    r"(?<=[a-z])[À-ÖØ-ÞŠŒŽŸ]|(?:[^\w\0-\xa0¿¡«“‘„‚§€£–—’°±]|[²³¹¼½¾])(?=[^\W\d_])"
    # Czech, Hungarian, Croatian and Turkish in the encoding of the West
    r"|[ìøèùïò][íáéýìøèùïò]|[íáéý][ìøèùïò]|[ìù](?=[a-z])|õ\b|\b[èÈ](?=[aeiou])|iæ"
    r"|(?<=[a-zöü])þ|(?<=[^\W\d_])[±¶¦¤¬]"
)
"""What no language has, and charset-normalizer does not count: capitals within words, symbols before
letters, accents that do not meet."""
MOST_LINES = 1_000
"""Of those with letters beyond ASCII, from which the encoding is guessed."""


def decode_list(data: bytes) -> tuple[str, str]:
    """The text of a list, and in words how it was read; empty for UTF-8."""
    said = _DECLARED.search(data)
    sample = data[: len(data) // 4 * 4]
    if data.count(b"\0") <= len(data) / 8:  # else every letter of ASCII has some
        with suppress(ValueError):
            return data.decode("utf-8-sig"), ""
        if said:
            with suppress(LookupError, ValueError):
                return data.decode(name := said[1].decode(), "replace"), f"read as {name}"
        text = data.decode("utf-8-sig", "replace")
        stray = text.count("\ufffd")
        if stray <= len(re.findall("[^\0-\x7f]", text)) / 2:
            return text, f"read as UTF-8, {stray} of its bytes unreadable"
        sample = b"\n".join([one for one in data.splitlines() if not one.isascii()][:MOST_LINES])
    from charset_normalizer import from_bytes

    ranked = sorted(
        from_bytes(sample, cp_isolation=_LIKELY, threshold=0.5),
        key=lambda m: (
            len(_ODD.findall(str(m))),
            round(m.chaos, 2),
            -round(m.coherence, 1),
            _LIKELY.index(m.encoding),
        ),
    )
    name = next(
        (n for m in ranked for n in _LIKELY if n in m.could_be_from_charset),
        "cp1252",
    )
    how = f"read as {name}, a guess: a line `% Encoding: NAME` at its top decides"
    return data.decode(name, "replace"), how
