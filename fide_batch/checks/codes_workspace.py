"""The catalogue, another part."""

from __future__ import annotations

from fide_batch.checks.codes_reports import Row

CHAPTERS: dict[str, tuple[Row, ...]] = {}
