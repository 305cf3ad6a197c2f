"""How quantities are written: digits and words, units, hedges, bounds, intervals."""
