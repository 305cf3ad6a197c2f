from __future__ import annotations

from pathlib import Path

from tests.commands.conftest import Run


def test_every_file_is_told_with_its_size(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    ran = run("export", str(folder))
    assert ran.code == 0
    for path in folder.iterdir():
        if path.is_file():
            assert f"{path}  {path.stat().st_size} bytes" in ran.out
        else:
            count = sum(1 for _ in path.iterdir())
            assert f"{path}  {count} files" in ran.out


def test_twice_gives_the_same_bytes(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run("export", str(tmp_path / name))
    one, two = ({p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*.*")}
                for n in ("one", "two"))  # fmt: skip
    assert one == two


def test_a_folder_that_is_a_file_is_a_message(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    ran = run("export", str(tmp_path / "file"))
    assert ran.code == 2
    assert "file" in ran.err
