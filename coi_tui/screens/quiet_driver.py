"""A terminal that goes away must not hold the app: what is written to a closed window is dropped."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.driver import Driver


class Quiet:
    """A text file whose errors of the device are swallowed once its window is closed.

    The toolkit writes from a thread behind a short queue. An error would end that thread, the queue would fill up, and the app would wait
    for ever to hand over its next frame, with the session still open.
    """

    def __init__(self, file: IO[str]) -> None:
        self._to = file

    def write(self, text: str) -> int:
        try:
            return self._to.write(text)
        except OSError:  # the window is closed; SIGHUP is on its way and ends the app
            return len(text)

    def flush(self) -> None:
        try:
            self._to.flush()
        except OSError:
            return

    def __getattr__(self, name: str) -> Any:
        return getattr(self._to, name)


def quiet(driver: type[Driver]) -> type[Driver]:
    """The driver with such a file, where it writes to one."""

    class QuietDriver(driver):  # type: ignore[misc, valid-type]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            file: Any = self.__dict__.get("_file")
            if file is not None:
                self.__dict__["_file"] = Quiet(file)

    return QuietDriver
