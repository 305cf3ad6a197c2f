"""Small programs that are run again: each tries one mechanism of an objective on a toy policy.

A program writes `result.json` from fixed seeds on one thread, so that the same bytes come out
again. What it was asked, what was predicted and what came out is in `sources/runs/<id>/run.yaml`.
Toy policies are tables of logits; what they show is how an objective behaves, and nothing about
any lab's own training run.
"""
