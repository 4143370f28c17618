"""A second, slow opinion: the month worked out in plain Python and fractions, without a line of the product's rules."""
