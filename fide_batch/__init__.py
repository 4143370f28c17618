"""fide-batch: a month of chess tournament reports in, the next rating list by the FIDE procedure out, and the reason for every number."""

from __future__ import annotations

from typing import Any

__version__ = "1.0.0"

_LIBRARY = ("rate", "read_list", "read_reports")

__all__ = ["__version__", *_LIBRARY]


def __getattr__(name: str) -> Any:
    """The library's functions, imported when first used: the command line starts without pandas."""
    if name in _LIBRARY:
        from fide_batch import library

        return getattr(library, name)
    raise AttributeError(f"module 'fide_batch' has no attribute {name!r}")
