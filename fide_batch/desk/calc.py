"""A single game or a tournament on the back of an envelope: what it does to both players' ratings."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
