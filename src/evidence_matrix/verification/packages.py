"""Packages: a wheel by its pinned hash through pip, and a file inside it by its path."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

from evidence_matrix.matrix import Source
from evidence_matrix.receipts import OFFICIAL
from evidence_matrix.verification.mirror import Absent, Held, Place

WHEEL = "application/zip"
SECONDS = 600.0
MOST_FILE_BYTES = 32 * 1024 * 1024
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]*")


class PackageError(Exception):
    """A file that cannot be read from a package; says why."""


def file_in(wheel: bytes, path: str) -> bytes:
    """The bytes of a file in a wheel, by the exact path that the wheel lists."""
    if path.startswith("/") or ".." in path.split("/") or "\\" in path:
        raise PackageError(f"`{path}` is no path inside a package")
    try:
        with zipfile.ZipFile(BytesIO(wheel)) as archive:
            try:
                entry = archive.getinfo(path)
            except KeyError:
                raise PackageError(f"the package has no file `{path}`") from None
            if entry.is_dir() or entry.file_size > MOST_FILE_BYTES:
                raise PackageError(f"`{path}` is a folder, or larger than a source file")
            return archive.read(entry)  # never more than the size it says
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise PackageError(f"the package cannot be opened as a wheel: {error}") from None


class Pip:
    """Wheels by pip's own download, each only with the hash that its source pins.

    Args:
        folder: where wheels are kept, by hash.
        elsewhere: where the bytes of other sources, and wheels held there, can be had.
    """

    def __init__(self, folder: Path, elsewhere: Place) -> None:
        self._folder = folder
        self._elsewhere = elsewhere

    def get(self, source: Source) -> Held | Absent:
        """The bytes of a source, from where they are held; a package else from pip."""
        held = self._elsewhere.get(source)
        if isinstance(held, Held) or source.record.kind != "package":
            return held
        pin, version = source.record.sha256, source.record.version
        name = package_name(source)
        if not (pin and version and name):
            return Absent("a package needs its version, its sha256 and its name as title")
        kept = self._folder / pin
        if not any(kept.glob("*.whl")):
            failed = self._download(name, version, pin)
            if failed:
                return Absent(failed)
        wheel = next(kept.glob("*.whl"))
        return Held(wheel.read_bytes(), WHEEL, wheel.name, OFFICIAL)

    def _download(self, name: str, version: str, pin: str) -> str | None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._folder) as scratch:
            wanted = Path(scratch) / "requirements.txt"
            wanted.write_text(f"{name}=={version} --hash=sha256:{pin}\n", encoding="utf-8")
            target = Path(scratch) / "wheels"
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input"]
            command += ["--disable-pip-version-check", "--no-deps", "--require-hashes"]
            command += ["--only-binary", ":all:", "--dest", str(target), "-r", str(wanted)]
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=SECONDS, check=False
                )
            except subprocess.TimeoutExpired:
                return f"pip took longer than {SECONDS:g} s"
            if done.returncode or not any(target.glob("*.whl")):
                said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
                return f"pip could not get {name} {version}: {(said or ['no reason given'])[-1]}"
            target.rename(self._folder / pin)
        return None


def package_name(source: Source) -> str | None:
    """The name under which a package is published: the title of its entry."""
    name, version = source.record.title, source.record.version or ""
    return name if _NAME.fullmatch(name) and _VERSION.fullmatch(version) else None
