"""A run of the tiny world: writes the ratio of two invented losses."""

import pathlib
import sys

pathlib.Path(sys.argv[1], "result.json").write_text('{"ratio": 1.8}\n')
