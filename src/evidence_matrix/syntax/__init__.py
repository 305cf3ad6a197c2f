"""The letters and files that people write in, with the place of each key."""
