"""The recorded curves are what the objectives give now, and each is known by hand somewhere."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from evidence_matrix.objectives.dapo import dapo
from evidence_matrix.runs import objective_shapes as run
from evidence_matrix.runs.one_sample import of_ratio

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "sources" / "runs" / "objective-shapes"
FIGURES = {figure.name: figure for figure in run.FIGURES}


def curve(name: str, sign: int = 1, **constants: float | str) -> dict[float, float]:
    """Gradients by place of the figure's first setting that has these constants."""
    figure = FIGURES[name]
    setting = next(s for s in figure.settings if constants.items() <= s.items())
    found = run.curve(figure, setting, sign)
    return dict(zip(found["x"], found["gradient"], strict=True))


def test_the_recorded_curves_are_those_that_the_objectives_give_now():
    assert run.text() == (FOLDER / run.FILE).read_text(encoding="utf-8"), (
        "an objective has changed: run it again, and see what its figure says now"
    )


def test_the_record_names_the_program_and_the_output_as_they_are():
    record = yaml.safe_load((FOLDER / "run.yaml").read_text(encoding="utf-8"))
    assert record["code"]["path"] == "src/evidence_matrix/runs/objective_shapes.py"
    for named, folder in ((record["code"], ROOT), (record["outputs"][0], FOLDER)):
        assert hashlib.sha256((folder / named["path"]).read_bytes()).hexdigest() == named["sha256"]


def test_another_objective_is_another_curve():
    figure = FIGURES["dapo"]
    wider = of_ratio(
        lambda *given, clip_low, clip_high: dapo(*given, clip_low=clip_low, clip_high=9)
    )
    assert run.curve(replace(figure, at=wider), figure.settings[0], 1) != run.curve(
        figure, figure.settings[0], 1
    )


def test_it_writes_where_it_is_told_a_curve_a_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "FIGURES", (FIGURES["dft"],))
    run.main(["--out", str(tmp_path / "new")])
    lines = (tmp_path / "new" / run.FILE).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["setting"] for line in lines] == [{"loss": "DFT"}, {"loss": "SFT"}]
    assert capsys.readouterr().out == f"{tmp_path / 'new' / run.FILE}\n"


@pytest.mark.parametrize("figure", run.FIGURES, ids=lambda figure: figure.name)
def test_an_edge_is_read_on_both_sides_and_never_on_it(figure):
    for setting in figure.settings:
        places = run.places(figure, setting)
        assert places == sorted(set(places))
        for edge in figure.edges(setting):
            if figure.grid[0] < edge < figure.grid[-1]:
                assert min(abs(place - edge) for place in places) > edge * run.STEP_ASIDE / 2
                assert any(edge * 0.999 < place < edge for place in places)
                assert any(edge < place < edge * 1.001 for place in places)


SAMPLERS = ("ppo", "grpo", "dapo", "gspo", "sapo", "sao", "kimi-token-mirror-descent", "compared")


@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_fresh_sample_gets_the_gradient_of_reinforce(name, sign):
    figure = FIGURES[name]
    for setting in figure.settings:
        if setting.get("weight") != "differentiated":
            found = run.curve(replace(figure, grid=(0.5, 1.0, 1.5)), setting, sign)
            assert found["gradient"][found["x"].index(1.0)] == pytest.approx(1, abs=1e-9)


def test_known_places_of_the_clips():
    up, down = curve("ppo", 1), curve("ppo", -1)
    assert (up[0.5], up[1.15], up[1.25]) == (0.5, 1.15, 0)
    assert (down[0.5], down[0.85], down[3.5]) == (0, 0.85, 3.5)
    dual = curve("ppo", -1, dual_clip=3.0)
    assert (dual[2.95], dual[3.05]) == (2.95, 0)
    assert curve("vapo", 1, nll_coef=0.1)[1.5] == pytest.approx(0.1)
    assert curve("decoupled-ppo", 1, proximal=1.5)[1.75] == 1.75
    assert curve("decoupled-ppo", 1, proximal=1.5)[1.85] == 0
    assert set(curve("decoupled-ppo", 1, bound="popped").values()) == {0}


def test_known_places_of_gates_weights_and_masks():
    assert curve("cispo", -1, weight_max=2.0)[3.5] == 2
    assert curve("cispo", 1, weight_min=0.8)[0.5] == 0.8
    mask = curve("sao", 1, clip_high=5.0, weight="held")
    assert (mask[0.6], mask[0.8], mask[5.9], mask[6.1]) == (0, 0.8, 5.9, 0)
    turned = curve("sao", 1, weight="differentiated")
    assert turned[3.6] < 0 < turned[3.7]  # where 0.1 times the ratio passes 1/e
    assert curve("gspo", 1, length=1000.0)[1.45] > 0 == curve("gspo", 1, length=1000.0)[1.55]


def test_known_places_of_what_is_no_ratio():
    assert curve("kimi-mirror-descent", 1, tau=2.0)[0.5] == 0
    assert curve("kl", estimator="k1")[-1.0] == 1
    assert curve("kl", estimator="k3_straight_through")[-2.0] == -2
    assert curve("dft", loss="DFT")[0.5] == 0.25
    assert curve("dft", loss="SFT")[0.1] == pytest.approx(0.9)
    assert curve("dpo", beta=0.1)[0.0] == pytest.approx(0.05)
    assert curve("ipo", tau=0.1)[5.0] == 0
    assert curve("kto", -1, beta=1.0)[0.0] == 0.25
    assert curve("simpo", beta=2.5, simpo_gamma=0.0)[0.0] == 1.25
    assert set(curve("orpo", orpo_lambda=0.0).values()) == {1.0}
    with pytest.raises(StopIteration):
        curve("orpo", orpo_lambda=3.0)
