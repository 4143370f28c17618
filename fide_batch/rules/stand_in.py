"""Rapid and blitz: the standard rating stands in where there is no rating of the control itself."""

from __future__ import annotations

from typing import Any

import numpy as np


def rating_used(own: Any, standard: Any, control: str, stands_in: bool) -> Any:
    """The rating a player counts with in a control (article ``stand_in``): his own there, else the standard one; 0 is none."""
    if control == "standard" or not stands_in:
        return own
    return np.where(np.asarray(own) > 0, own, standard)[()]
