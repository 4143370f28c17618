"""RATE: the regulations as pure functions over columns, one file a subject; `month.rate` is the whole."""
