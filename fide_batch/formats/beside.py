"""A second process that reads some of the reports while this one reads others, or the list: threads would only take turns.

It is a copy of this process (a fork). It ends with this process, however that ends.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing import connection

Work = Callable[[Callable[[str, int, int], None]], Any]
"""What is done there, called with a progress; what it gives must be such as ``pickle`` can write."""


def possible() -> bool:
    """Whether this system has a second processor and can copy a process."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


class Beside:
    """Something that is being done by another process, once it is begun. To be closed, begun or not."""

    def __init__(self) -> None:
        self._process: Any = None
        self._here: Any = None
        self._done: Any = bytes(8)

    def begin(self, work: Work) -> None:
        """Begin with it.

        Raises:
            OSError: when the system has no process or no memory left for it.
        """
        import multiprocessing  # a hundredth of a second, for those who read much

        self._done = mmap.mmap(-1, 8)
        self._here, there = multiprocessing.Pipe(duplex=False)
        context = multiprocessing.get_context("fork")
        process = context.Process(target=_work, args=(work, self._done, there), daemon=True)
        try:
            with _stopped_later():
                process.start()
                self._process = process
        finally:
            there.close()

    @property
    def done(self) -> int:
        """Files read so far."""
        return int.from_bytes(self._done[:8], "little")

    def ended(self, seconds: float) -> bool:
        """Wait for its end, at most so long."""
        return self._here.poll(seconds)

    def result(self) -> Any:
        """What came out; waits for it. Whatever was raised there is raised here.

        Raises:
            EOFError: when the process was ended by somebody else before it was through.
        """
        try:
            told = self._here.recv_bytes()
        except OSError:  # ended in the middle of telling it
            raise EOFError from None
        raised, found = pickle.loads(told)
        if raised:
            raise found
        return found

    def close(self) -> None:
        """End it, should it still be at work."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._here is not None:
            self._here.close()


@contextlib.contextmanager
def _stopped_later() -> Iterator[None]:
    """Ctrl-C, and whatever else is to stop this process, waits until both processes are known, and is then for the first alone.

    (To block the signals would not do: they may reach the thread of a progress bar.)
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # it would not be stopped here
        return
    came: list[int] = []
    stops = _handled()
    for number in stops:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, stop in stops.items():
            signal.signal(number, stop)
        for number in came[:1]:
            signal.raise_signal(number)


def _handled() -> dict[int, Any]:
    """The signals this process answers by itself, with what answers them."""
    return {number: stop for number in signal.valid_signals() if callable(stop := signal.getsignal(number))}


def _work(work: Work, done: mmap.mmap, there: connection.Connection) -> None:
    """What the second process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both; the first ends this one
    for number in _handled():
        signal.signal(number, signal.SIG_DFL)
    try:
        threading.Thread(target=_end_with_the_first, daemon=True).start()
    except RuntimeError:  # the system has no thread left: unwatched it does not begin, and the first does all
        return

    def progress(_: str, files: int, __: int) -> None:
        done[:8] = files.to_bytes(8, "little")

    try:
        found: tuple[bool, Any] = (False, work(progress))
    except MemoryError:  # there is more when this process is gone
        return
    except Exception as error:
        found = (True, error)
    with contextlib.suppress(Exception):  # what cannot be told is done once more by the first
        there.send_bytes(pickle.dumps(found, pickle.HIGHEST_PROTOCOL))


def _end_with_the_first() -> None:
    import multiprocessing
    from multiprocessing import connection

    first = multiprocessing.parent_process()
    if first is not None:
        connection.wait([first.sentinel])
        os._exit(1)
