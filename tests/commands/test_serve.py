from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.commands.conftest import ROOT, Run
from tests.conftest import TODAY

World = Callable[[dict[str, str]], Path]


@pytest.fixture
def served(world: World) -> Iterator[tuple[Path, str, subprocess.Popen[str]]]:
    root = world({"mkdocs.yml": (ROOT / "mkdocs.yml").read_text()})
    command = [sys.executable, "-m", "evidence_matrix.cli", "serve", "--root", str(root)]
    child = subprocess.Popen(
        [*command, "--port", "0", "--today", str(TODAY)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    address = next(line for line in child.stdout if line.startswith("http://")).split()[0]
    yield root, address, child
    child.terminate()
    child.wait()
    child.stdout.close()


def page(address: str, path: str) -> str:
    with urllib.request.urlopen(f"{address}{path}") as answer:
        return str(answer.read().decode())


def test_it_answers_on_this_machine_alone_and_builds_again_when_a_record_changes(
    served: tuple[Path, str, subprocess.Popen[str]],
) -> None:
    root, address, child = served
    assert address.startswith("http://127.0.0.1:")
    assert "96.3B" in page(address, "claims/heron-1/")
    card = root / "claims/acme/egret-2.yaml"
    text = card.read_text()
    card.write_text(text.replace("name: Egret 2", "name: Egret Two"))
    assert child.stdout is not None
    assert "pages stand in" in next(iter(child.stdout))
    assert "Egret Two" in page(address, "claims/egret-2/")
    card.write_text("subject: [\n")
    assert "stop the build" in next(iter(child.stdout))
    assert "Egret Two" in page(address, "claims/egret-2/"), "the last good site stays up"
    card.write_text(text)
    assert "pages stand in" in next(iter(child.stdout))


def test_the_keyboard_stops_it_and_nothing_is_wrong(
    served: tuple[Path, str, subprocess.Popen[str]],
) -> None:
    child = served[2]
    child.send_signal(signal.SIGINT)
    assert child.wait() == 0


def test_records_with_errors_are_a_message(run: Run, world: World) -> None:
    ran = run("serve", "--port", "0", root=world({"claims/acme/wren.yaml": "subject: [\n"}))
    assert ran.code == 2
    assert "stop the build" in ran.err


@pytest.mark.parametrize("port", ["99999", "-1"])
def test_a_port_that_is_none_is_a_message(run: Run, world: World, port: str) -> None:
    root = world({"mkdocs.yml": (ROOT / "mkdocs.yml").read_text()})
    ran = run("serve", f"--port={port}", root=root)
    assert ran.code == 2
    assert f"port {port} cannot be had" in ran.err
