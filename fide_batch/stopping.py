"""How the command line is stopped from outside: signals, a terminal that is gone, streams that were closed, no memory left."""

from __future__ import annotations

import errno
import os
import signal
import sys
from typing import NoReturn


class Stopped(BaseException):
    """Somebody pressed Ctrl-C, asked for the end, or closed the terminal. (Typer would end in silence with KeyboardInterrupt.)"""


_STOPS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def _stop(number: int, _: object) -> NoReturn:
    for other in _STOPS:
        signal.signal(other, signal.SIG_IGN)  # what is cleared away now is cleared away whole
    raise Stopped(number)


def heed() -> None:
    """Stop as Ctrl-C does, but for what the caller has told this process to ignore (``nohup``)."""
    signal.signal(signal.SIGINT, _stop)
    for number in _STOPS[1:]:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def open_streams() -> None:
    """Where a stream was closed by whoever calls, what is said goes nowhere; else the next file opened would stand in its place."""
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, "w" if descriptor else "r", encoding="utf-8"))


def no_memory(error: BaseException) -> bool:
    """Whether the system had no memory left, or no thread, which needs some too."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    return str(error) == "can't start new thread" or "Failed to launch worker thread" in str(error)  # Python, Arrow
