"""Writing a file whole or not at all. Needs nothing but the standard library."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(file: Path, content: str | bytes, *, mode: int = 0o600) -> None:
    """Put a content in the place of a file; it is on the disk when this returns.

    Raises OSError, also for a missing folder; then nothing has changed.
    """
    number, part = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:40]}.")
    try:
        with os.fdopen(number, "wb") as out:
            out.write(content.encode("utf-8") if isinstance(content, str) else content)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(part, mode)
        os.replace(part, file)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
