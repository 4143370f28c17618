"""ASK: one file per question put to sealed months; each answer is a ``Page``."""
