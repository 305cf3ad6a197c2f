"""The text of bytes: a PDF by page, HTML by block, the rest as UTF-8; in a child process if wished.

Run as a module it serves the parent process: documents in, their pages out.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from threading import Event, Timer
from types import TracebackType
from typing import IO, Any

PDF = "application/pdf"
HTML = "text/html"
PARSED = (PDF, HTML)
"""Media types whose bytes go through a parser, and so into the child process."""

MOST_PAGES = 5_000
MOST_CHARACTERS = 50_000_000
MOST_MEMORY = 4 * 1024**3
SECONDS = 120.0

_BLOCKS = re.compile(
    "address|article|aside|blockquote|body|br|caption|d[dlt]|details|div|fieldset|fig(?:ure|caption)"
    "|footer|form|h[1-6]|head(?:er)?|hr|html|li|main|nav|[ou]l|p|pre|section|summary"
    "|table|t(?:body|foot|head|r)|title"
)
_CELLS = frozenset(("td", "th"))
_UNSEEN = ("script", "style", "noscript", "template", "svg", "iframe")
_SPACES = re.compile(r"\s+")
_RAISED_NUMBER = re.compile("[-−+]?[0-9]")


class ExtractionError(Exception):
    """Bytes that cannot be read as what they are said to be; says why."""


def extract(data: bytes, media: str) -> list[str]:
    """The text of bytes by page; a single page where the medium has none."""
    if media == PDF:
        pages = _pdf_pages(data)
    elif media == HTML:
        pages = [_html_text(data)]
    else:
        pages = [data.decode("utf-8-sig", errors="replace")]
    if sum(map(len, pages)) > MOST_CHARACTERS:
        raise ExtractionError(f"has more than {MOST_CHARACTERS:,} characters of text")
    return pages


def _pdf_pages(data: bytes) -> list[str]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise ExtractionError(f"cannot be opened as a PDF ({error})") from None
    with document:
        count = len(document)
        if count > MOST_PAGES:
            raise ExtractionError(f"has {count} pages, more than {MOST_PAGES}")
        try:
            return [_page_text(document[number]) for number in range(count)]
        except pypdfium2.PdfiumError as error:
            raise ExtractionError(f"has a page that cannot be read ({error})") from None


def _page_text(page: Any) -> str:
    text = page.get_textpage()
    try:
        return str(text.get_text_bounded())
    finally:
        text.close()
        page.close()


def _html_text(data: bytes) -> str:
    """The visible text with a line for each block; cells of a table row share a line."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(data)
    tree.strip_tags(list(_UNSEEN))
    root = tree.root
    if root is None:
        return ""
    parts: list[str] = []
    block_before: int | None = None
    for node in root.traverse(include_text=True):
        name = node.tag or ""
        if name != "-text":
            if _BLOCKS.fullmatch(name):
                parts.append("\n")
            elif name in _CELLS:
                parts.append(" ")
            continue
        block, is_raised, is_kept = _surroundings(node)
        if block != block_before:
            parts.append("\n")
            block_before = block
        text = node.text_content or ""
        text = text if is_kept else _SPACES.sub(" ", text)
        if is_raised and _RAISED_NUMBER.match(text):
            parts.append("^")
        parts.append(text)
    lines = (line.strip() for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _surroundings(node: Any) -> tuple[int, bool, bool]:
    """The block a text node lies in, whether it is raised, and whether its spaces are kept."""
    raised = kept = False
    above = node.parent
    while above is not None:
        name = above.tag
        raised = raised or name == "sup"
        kept = kept or name == "pre"
        if _BLOCKS.fullmatch(name):
            return above.mem_id, raised, kept
        above = above.parent
    return 0, raised, kept


class Reader:
    """A child process that reads documents, so that one that hangs or breaks harms nothing.

    It starts with the first document and is ended, and started again, where one takes longer than
    `seconds` or more memory than 4 GiB.
    """

    def __init__(self, seconds: float = SECONDS, command: Sequence[str] | None = None) -> None:
        self._seconds = seconds
        self._command = command or (
            sys.executable,
            "-P",
            "-m",
            "evidence_matrix.verification.extraction",
        )
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the child process."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    _close_quietly(pipe)

    def read(self, data: bytes, media: str) -> list[str]:
        """The text of bytes by page, as `extract` gives it."""
        if media not in PARSED:
            return extract(data, media)
        if self._child is None:
            self._child = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        child = self._child
        late = Event()

        def stop() -> None:
            late.set()
            child.kill()

        timer = Timer(self._seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            answer = _ask(child, data, media)
        except (OSError, EOFError, ValueError):
            self.close()
            if late.is_set():
                said = f"took longer than {self._seconds:g} s to read and was stopped"
            else:
                said = "broke its reader"
            raise ExtractionError(said) from None
        finally:
            timer.cancel()
        if isinstance(answer, str):
            raise ExtractionError(answer)
        return answer


def _close_quietly(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:
        return


def _ask(child: subprocess.Popen[bytes], data: bytes, media: str) -> list[str] | str:
    if child.stdin is None or child.stdout is None:
        raise EOFError
    _send(child.stdin, media.encode())
    _send(child.stdin, data)
    answer: list[str] | str = json.loads(_receive(child.stdout))
    return answer


def _send(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(len(data).to_bytes(8, "big"))
    pipe.write(data)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    size = pipe.read(8)
    if len(size) < 8:
        raise EOFError
    return pipe.read(int.from_bytes(size, "big"))


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def serve() -> None:
    """Answers the parent until its pipe closes; nothing a parser prints can reach the answers."""
    _limit_memory()
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            media = _receive(requests).decode()
            data = _receive(requests)
        except EOFError:
            return
        try:
            answer: list[str] | str = extract(data, media)
        except ExtractionError as error:
            answer = str(error)
        except MemoryError:
            answer = "needs more memory than a document may"
        _send(answers, json.dumps(answer).encode("ascii"))


if __name__ == "__main__":
    serve()
