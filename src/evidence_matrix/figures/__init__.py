"""What is drawn from claims and runs: lanes, bars, lineages, plates, curves."""
