from __future__ import annotations

import zipfile
from dataclasses import replace
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest

from evidence_matrix.matrix import Source
from evidence_matrix.store import load
from evidence_matrix.verification import packages
from evidence_matrix.verification.mirror import Absent, Held
from evidence_matrix.verification.packages import PackageError, Pip, file_in, package_name
from tests.bytes_at_hand import hash_of, lay_records

WHEEL_NAME = "heron_kit-1.2.0-py3-none-any.whl"


def wheel_of(files: dict[str, bytes]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


WHEEL = wheel_of(
    {
        "heron_kit/config.py": b"class Config:\n    layers: int = 61\n",
        "heron_kit/data/": b"",
        "heron_kit-1.2.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: heron-kit\n"
        b"Version: 1.2.0\n",
        "heron_kit-1.2.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\n"
        b"Root-Is-Purelib: true\nTag: py3-none-any\n",
        "heron_kit-1.2.0.dist-info/RECORD": b"",
    }
)


class Nowhere:
    def get(self, source: Source) -> Held | Absent:
        return Absent("nowhere")


@pytest.fixture
def kit(tmp_path: Path) -> Source:
    entry = (
        "@software{heron-kit, title = {heron-kit}, lab = {heron-lab}, kind = {package}, "
        "version = {1.2.0}, "
        f"sha256 = {{{hash_of(WHEEL)}}}}}\n"
    )
    root = lay_records(tmp_path / "root", {"sources/kit.bib": entry})
    return load(root, date(2026, 7, 20)).matrix.sources["heron-kit"]


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all the package index that pip has."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / WHEEL_NAME).write_bytes(WHEEL)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_a_file_of_a_wheel_is_read_by_its_path() -> None:
    assert file_in(WHEEL, "heron_kit/config.py").startswith(b"class Config")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../config.py", "is no path inside a package"),
        ("/etc/passwd", "is no path inside a package"),
        ("heron_kit/../config.py", "is no path inside a package"),
        ("heron_kit\\config.py", "is no path inside a package"),
        ("heron_kit/gone.py", "the package has no file"),
        ("heron_kit/data/", "is a folder"),
    ],
)
def test_a_path_that_is_no_file_of_the_wheel_is_refused(path: str, said: str) -> None:
    with pytest.raises(PackageError, match=said):
        file_in(WHEEL, path)


def test_what_is_no_wheel_or_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PackageError, match="cannot be opened as a wheel"):
        file_in(b"no wheel", "a.py")
    monkeypatch.setattr(packages, "MOST_FILE_BYTES", 5)
    with pytest.raises(PackageError, match="larger than a source file"):
        file_in(WHEEL, "heron_kit/config.py")


def test_pip_gets_a_wheel_by_its_hash_and_keeps_it(
    kit: Source, shelf: Path, tmp_path: Path
) -> None:
    pip = Pip(tmp_path / "kept", Nowhere())
    held = pip.get(kit)
    assert isinstance(held, Held)
    assert (held.data, held.name, held.provenance) == (WHEEL, WHEEL_NAME, "official bytes")
    (shelf / WHEEL_NAME).unlink()
    assert isinstance(pip.get(kit), Held)


def test_pip_takes_no_wheel_with_another_hash(kit: Source, shelf: Path, tmp_path: Path) -> None:
    (shelf / WHEEL_NAME).write_bytes(wheel_of({"heron_kit/config.py": b"layers = 99\n"}))
    got = Pip(tmp_path / "kept", Nowhere()).get(kit)
    assert isinstance(got, Absent)
    assert got.reason.startswith("pip could not get heron-kit 1.2.0: ERROR:")
    assert not any((tmp_path / "kept").rglob("*.whl"))


def test_pip_that_takes_too_long_is_stopped(
    kit: Source, shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "SECONDS", 0.01)
    got = Pip(tmp_path / "kept", Nowhere()).get(kit)
    assert got == Absent("pip took longer than 0.01 s")


@pytest.mark.parametrize("field", ["version", "sha256"])
def test_a_package_without_its_pins_is_not_asked_for(
    kit: Source, tmp_path: Path, field: str
) -> None:
    bare = replace(kit, record=kit.record.model_copy(update={field: None}))
    got = Pip(tmp_path / "kept", Nowhere()).get(bare)
    assert isinstance(got, Absent)
    assert "needs its version, its sha256 and its name" in got.reason


@pytest.mark.parametrize(
    ("title", "version", "name"),
    [
        ("heron-kit", "1.2.0", "heron-kit"),
        ("-r", "1", None),
        ("heron-kit", "1 --index-url=x", None),
        ("Heron kit", "1.2.0", None),
    ],
)
def test_the_name_of_a_package_is_its_title_and_no_option(
    kit: Source, title: str, version: str, name: str | None
) -> None:
    record = kit.record.model_copy(update={"title": title, "version": version})
    assert package_name(replace(kit, record=record)) == name


def test_a_wheel_that_is_held_is_not_asked_of_pip(kit: Source, tmp_path: Path) -> None:
    class Shelf:
        def get(self, source: Source) -> Held | Absent:
            return Held(WHEEL, None, WHEEL_NAME, "byte copy")

    held = Pip(tmp_path / "kept", Shelf()).get(kit)
    assert isinstance(held, Held)
    assert held.provenance == "byte copy"
    assert not (tmp_path / "kept").exists()
