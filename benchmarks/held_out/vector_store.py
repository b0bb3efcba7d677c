"""Vectors handed from run to run: each run has a home of its own, and a paper's vector is the same
in all of them."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

_ONE_AT_A_TIME = threading.Lock()
FORGOTTEN = ("papers", "replies")
"""What a library holds besides vectors: a run must not learn what another one found."""


class VectorStore:
    """A library file that holds nothing but vectors, in the folder of the model."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "vectors.db"

    def hand_to(self, home: Path) -> None:
        """Begin a home with the vectors known so far."""
        with _ONE_AT_A_TIME:
            if self.file.exists():
                (home / "data").mkdir(mode=0o700, parents=True)
                shutil.copy(self.file, home / "data" / "library.db")

    def take_from(self, home: Path) -> None:
        """Keep the vectors that a run has computed."""
        library = home / "data" / "library.db"
        if not library.exists():
            return
        with _ONE_AT_A_TIME:
            if not self.file.exists():
                self._begin(library)
                return
            with closing(sqlite3.connect(self.file)) as db, db:
                db.execute("ATTACH ? AS other", [str(library)])
                db.execute("INSERT OR IGNORE INTO embeddings SELECT * FROM other.embeddings")

    def _begin(self, library: Path) -> None:
        with closing(sqlite3.connect(library)) as db, db:
            for table in FORGOTTEN:
                db.execute(f"DELETE FROM {table}")
        with closing(sqlite3.connect(library)) as db:
            db.execute("VACUUM INTO ?", [str(self.file)])
