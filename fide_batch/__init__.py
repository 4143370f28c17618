"""fide-batch: a month of chess tournament reports in, the next rating list by the FIDE procedure out, and the reason for every number."""

from __future__ import annotations

import os
from typing import Any

# NumPy's linear algebra, which nothing here uses, starts threads that wait for work: asleep (after 2^16 turns), not turning round for a tenth of a second.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "16")
# NumPy asks for large pages, each of which is filled with zeros first: of many columns that live shortly that is a tenth to a quarter of the time.
os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")

__version__ = "1.0.0"

_LIBRARY = ("rate", "read_list", "read_reports")

__all__ = ["__version__", *_LIBRARY]


def __getattr__(name: str) -> Any:
    """The library's functions, imported when first used: the command line starts without pandas."""
    if name in _LIBRARY:
        from fide_batch import library

        return getattr(library, name)
    raise AttributeError(f"module 'fide_batch' has no attribute {name!r}")
