from __future__ import annotations

import json

from tests.commands.conftest import ROOT, Run


def test_the_committed_schema_is_the_one_that_is_printed(run: Run) -> None:
    ran = run("schema", today=False)
    assert ran.code == 0
    assert json.loads(ran.out)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    committed = (ROOT / "docs/schema/subject.schema.json").read_text(encoding="utf-8")
    assert ran.out == committed, "run `evidence-matrix schema > docs/schema/subject.schema.json`"
