from __future__ import annotations

from evidence_matrix.matrix import Matrix
from evidence_matrix.presence import standings
from evidence_matrix.standing import How, number_in


def test_what_is_remembered_is_what_would_be_found(tiny_matrix: Matrix) -> None:
    """Asking twice, or in another order, gives what a look at the fragment gives."""
    for _ in range(2):
        for claim in tiny_matrix.claims.values():
            for index, piece, standing in standings(claim):
                assert claim.evidence[index] is piece
                assert standing == number_in(piece.quote or "", claim.parsed)  # type: ignore[arg-type]
                assert standing.how is not How.FOUND


def test_only_numbers_in_words_are_looked_at(tiny_matrix: Matrix) -> None:
    for claim_id in ("heron-1/experts.routed", "heron-1/event.release", "heron-1/data.sources"):
        assert not list(standings(tiny_matrix.claims[claim_id]))
