from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
import yaml
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from evidence_matrix.quantity import parse_quantity
from evidence_matrix.runs import parameter_accounting as run
from evidence_matrix.runs import parameter_accounting_modules as modules
from evidence_matrix.store import load

ROOT = Path(__file__).parents[2]
RUNS = sorted((ROOT / "sources" / "runs").glob("parameter-accounting-*"), key=str)
LATENT = run.LAYOUTS["latent"]
TINY = {
    "vocabulary": 10,
    "hidden": 4,
    "layers": 3,
    "dense_layers": 1,
    "dense_width": 6,
    "expert_width": 2,
    "routed": 5,
    "shared": 2,
    "active": 3,
    "heads": 2,
    "q_rank": 3,
    "kv_rank": 5,
    "plain_size": 2,
    "rotary_size": 1,
    "value_size": 4,
    "prediction_layers": 1,
    "scale_block": 4,
}


def test_every_part_of_a_tiny_configuration_by_hand():
    result = run.account(LATENT, TINY)
    # Queries 3x4 and 2(2+1)x3, keys and values (5+1)x4 and 2(2+4)x5, output 4x8.
    attention = 12 + 18 + 24 + 60 + 32
    assert result["parts"] == {
        "embeddings": 40,
        "attention": 3 * attention,
        "dense_ffn": 3 * 6 * 4,
        "routed_experts": 2 * 5 * 3 * 2 * 4,
        "shared_experts": 2 * 3 * 4 * 4,
        "router": 2 * (5 * 4 + 5),
        "norms": 4 + 3 * (4 + 4 + 3 + 5),
        "head": 40,
    }
    assert result["active_parts"] == result["parts"] | {"routed_experts": 2 * 3 * 3 * 2 * 4}
    assert result["mtp_parts"] == {
        "attention": attention,
        "routed_experts": 120,
        "shared_experts": 48,
        "router": 25,
        "norms": 5 * 4 + 3 + 5,
        "mtp_projection": 32,
    }


def test_totals_of_a_tiny_configuration_by_each_rule():
    result = run.account(LATENT, TINY)
    main = 40 + 438 + 72 + 240 + 96 + 50 + 52 + 40
    own = 146 + 120 + 48 + 25 + 28 + 32
    assert result["total"] == {
        "main": main,
        "main_without_embeddings_and_head": main - 80,
        "with_mtp": main + own,
        "with_mtp_without_embeddings_and_head": main + own - 80,
        "with_mtp_stored": main + own + 80,
        "with_mtp_stored_and_block_factors": main + own + 80 + result["block_factors"],
    }
    assert result["active"] == {
        "main": main - 96,
        "main_without_embeddings": main - 96 - 40,
        "main_without_embeddings_and_head": main - 96 - 80,
    }
    assert result["mtp"]["own_without_projection"] == own - 32
    assert result["mtp"]["with_shared_embeddings_and_head"] == own + 80


def test_blocks_of_a_tiny_configuration_by_hand():
    # Blocks of 4 by 4: attention 1x1 + 2x1 + 2x1 + 3x2 + 1x2 in each of four layers, a dense block
    # 2x1 + 2x1 + 1x2, experts 1 + 1 + 1 each: five routed, and one that is two shared ones wide.
    factors = run.account(LATENT, TINY)["block_factors"]
    assert factors == 4 * (1 + 2 + 2 + 6 + 2) + 6 + 3 * 3 * (5 + 1)


def test_cache_and_operations_of_a_tiny_configuration_by_hand():
    result = run.account(LATENT, TINY)
    assert result["cache_bytes_per_token"] == 2 * 3 * (5 + 1)
    matrices = 438 + 72 + 2 * 3 * 24 + 96 + 2 * 20 + 40
    assert result["forward_flops_per_token"] == {
        "with_weights": 2 * matrices,
        "with_state": 0,
        "with_each_entry_in_view": {"attention": 2 * 3 * 2 * (2 + 1 + 4)},
    }


def test_an_indexer_adds_its_weights_its_keys_and_its_scores():
    plain, indexed = (
        run.account(LATENT, TINY | more) for more in ({}, {"indexer_heads": 3, "indexer_size": 2})
    )
    # Queries 6x3, keys 2x4, weights of the heads 3x4, weight and bias of the norm.
    assert indexed["parts"]["indexer"] == 3 * (18 + 8 + 12 + 4)
    assert indexed["total"]["main"] - plain["total"]["main"] == indexed["parts"]["indexer"]
    assert indexed["cache_bytes_per_token"] - plain["cache_bytes_per_token"] == 2 * 3 * 2
    assert indexed["forward_flops_per_token"]["with_each_entry_in_view"]["indexer"] == 2 * 3 * 6


COMPRESSED = {
    "vocabulary": 10,
    "hidden": 4,
    "layers": 4,
    "sparse_layers": 2,
    "heavy_layers": 1,
    "hash_layers": 1,
    "expert_width": 2,
    "routed": 5,
    "shared": 1,
    "active": 3,
    "heads": 4,
    "head_size": 6,
    "q_rank": 3,
    "output_groups": 2,
    "output_rank": 5,
    "window": 7,
    "sparse_rate": 2,
    "heavy_rate": 3,
    "indexer_heads": 3,
    "indexer_size": 2,
    "streams": 2,
}


def test_a_tiny_configuration_with_compressed_attention_by_hand():
    result = run.account(run.LAYOUTS["compressed"], COMPRESSED)
    # Queries 3x4 and 24x3, keys 6x4, outputs 10x12 and 4x10, a sink a head; then two compressors.
    everywhere, sparse, heavy = 12 + 72 + 24 + 120 + 40 + 4, 2 * 12 * 4 + 2 * 12, 2 * 6 * 4 + 3 * 6
    assert result["parts"] == {
        "embeddings": 40,
        "attention": 4 * everywhere + 2 * sparse + heavy,
        # Values and gates 4x4, places 2x4, queries 6x3, heads 3x4, a norm.
        "indexer": 2 * (2 * 16 + 8 + 18 + 12 + 2),
        "routed_experts": 4 * 5 * 24,
        "shared_experts": 4 * 24,
        "router": 4 * 20 + 3 * 5,
        # Twice in a layer 8 mixtures of 2x4, their bases and 3 scales; 2 of 2x4 at the end.
        "residual_mixing": 8 * (8 * 8 + 8 + 3) + 16 + 2 + 1,
        "norms": 4 + 4 * (4 + 4 + 3 + 6) + 3 * 6,
        "head": 40,
    }
    assert result["cache_bytes_per_token"] == 2 * (2 * (6 + 2) / 2 + 6 / 3)
    assert result["cache_bytes_of_any_length"] == 2 * 4 * 7 * 6
    assert result["forward_flops_per_token"]["with_state"] == 2 * 4 * 7 * 4 * 2 * 6
    assert run.LAYOUTS["compressed"].settings(COMPRESSED)["layer_types"] == [
        "sliding_attention",
        "compressed_sparse_attention",
        "heavily_compressed_attention",
        "compressed_sparse_attention",
    ]


LIGHTNING = {
    "vocabulary": 10,
    "hidden": 4,
    "layers": 6,
    "softmax_layers": 2,
    "expert_width": 2,
    "routed": 5,
    "active": 3,
    "heads": 4,
    "kv_heads": 2,
    "head_size": 3,
}


def test_a_tiny_configuration_with_linear_attention_by_hand():
    result = run.account(run.LAYOUTS["lightning"], LIGHTNING)
    assert result["parts"] == {
        "embeddings": 40,
        # Linear: queries, keys, values, gate and output 12x4 each; softmax: keys and values 6x4.
        "attention": 4 * 5 * 48 + 2 * (2 * 48 + 2 * 24),
        "routed_experts": 6 * 5 * 24,
        "router": 6 * 20,
        "norms": 4 + 6 * 8 + 4 * 12,
        "head": 40,
    }
    assert result["cache_bytes_per_token"] == 2 * 2 * 2 * 6
    assert result["cache_bytes_of_any_length"] == 2 * 4 * 4 * 9
    assert result["forward_flops_per_token"]["with_state"] == 2 * 2 * 4 * 4 * 9
    kinds = ["linear_attention", "linear_attention", "full_attention"]
    assert run.LAYOUTS["lightning"].settings(LIGHTNING)["layer_types"] == kinds * 2


@given(st.integers(1, 5), st.integers(1, 5))
def test_no_more_works_than_is_there_and_all_works_where_all_experts_do(active, routed):
    result = run.account(LATENT, TINY | {"active": min(active, routed), "routed": routed})
    assert result["active"]["main"] <= result["total"]["main"]
    assert (result["active"]["main"] == result["total"]["main"]) == (active >= routed)


def test_a_model_without_prediction_layers_has_no_totals_with_them():
    result = run.account(LATENT, {k: v for k, v in TINY.items() if k != "prediction_layers"})
    assert "mtp" not in result
    assert list(result["total"]) == ["main", "main_without_embeddings_and_head"]


class Decoder(nn.Module):
    """Names as published modeling code has them."""

    def __init__(self) -> None:
        super().__init__()
        self.self_attn = nn.Module()
        self.self_attn.q_a_proj = nn.Linear(4, 3, bias=False)
        self.self_attn.q_a_layernorm = nn.LayerNorm(3, bias=False)
        self.self_attn.indexer = nn.Module()
        self.self_attn.indexer.k_norm = nn.LayerNorm(2)
        self.mlp = nn.Module()
        self.mlp.up_proj = nn.Linear(4, 6, bias=False)
        self.mlp.experts = nn.Module()
        self.mlp.experts.down_proj = nn.Parameter(torch.zeros(5, 4, 2))
        self.mlp.shared_experts = nn.Module()
        self.mlp.shared_experts.up_proj = nn.Linear(4, 2, bias=False)
        self.mlp.gate = nn.Module()
        self.mlp.gate.weight = nn.Parameter(torch.zeros(5, 4))
        self.mlp.gate.register_buffer("e_score_correction_bias", torch.zeros(5))
        self.register_buffer("inv_freq", torch.zeros(7))


def whole() -> nn.Module:
    with torch.device("meta"):
        module = nn.Module()
        module.embed_tokens = nn.Embedding(10, 4)
        module.layers = nn.ModuleList([Decoder()])
        module.eh_proj = nn.Linear(8, 4, bias=False)
        module.lm_head = nn.Linear(4, 10, bias=False)
    return module


def test_modules_are_counted_by_part_and_computed_buffers_left_out():
    assert modules.counted(whole()) == {
        "embeddings": 40,
        "attention": 12,
        "norms": 3,
        "indexer": 4,
        "dense_ffn": 24,
        "routed_experts": 40,
        "shared_experts": 8,
        "router": 25,
        "mtp_projection": 32,
        "head": 40,
    }


def test_a_shared_matrix_is_counted_once():
    module = whole()
    module.lm_head.weight = module.embed_tokens.weight
    assert "head" not in modules.counted(module)


def test_a_weight_of_no_known_part_is_said():
    with pytest.raises(ValueError, match=r"model\.layers\.0\.novel\.weight belongs to no known"):
        modules.part_of("model.layers.0.novel.weight")


@pytest.mark.parametrize("part", ["attention", "head", "router"])
def test_a_run_ends_where_shapes_and_modules_differ(part):
    result = run.account(LATENT, TINY)
    right = modules.Made("X", "1", dict(result["parts"]), dict(result["mtp_parts"]))
    assert run.agreement(result, right)["main"] == result["total"]["main"]
    right.main[part] += 1
    with pytest.raises(SystemExit, match=rf"differ in {part}: \d+ by shapes, \d+ by modules"):
        run.agreement(result, right)


@pytest.mark.parametrize("value", ["128K", "about 8", "3-4", None])
def test_a_size_must_be_one_exact_number(value):
    parsed = parse_quantity(value) if value else None
    claims = {"heron/layers": SimpleNamespace(parsed=parsed)}
    with pytest.raises(SystemExit, match="layers: heron/layers is no claim with one exact number"):
        run.sizes_of(claims, {"layers": "heron/layers"})


def test_a_size_may_carry_its_unit():
    claims = {"heron/layers": SimpleNamespace(parsed=parse_quantity("61 layers", "layers"))}
    assert run.sizes_of(claims, {"layers": "heron/layers"}) == {"layers": 61}


@pytest.fixture(scope="module")
def claims():
    return load(ROOT, date.max).matrix.claims


@pytest.mark.integration
@pytest.mark.parametrize("folder", RUNS, ids=lambda folder: folder.name)
class TestCommitted:
    def test_output_is_what_the_shapes_give_from_the_claims_as_they_are(self, folder, claims):
        configuration = yaml.safe_load((folder / "configuration.yaml").read_text())
        committed = json.loads((folder / "result.json").read_bytes())
        sizes = run.sizes_of(claims, configuration["sizes"])
        assert sizes == committed.pop("sizes")
        compared = committed.pop("modules")
        assert run.account(run.LAYOUTS[configuration["layout"]], sizes) == committed
        assert compared["main"] == committed["total"]["main"]
        assert compared["mtp"] == committed.get("mtp", {}).get("own", 0)

    def test_record_fits_its_program_and_outputs(self, folder):
        record = yaml.safe_load((folder / "run.yaml").read_text())
        assert record["id"] == folder.name
        for path, digest in (
            (ROOT / record["code"]["path"], record["code"]["sha256"]),
            *((folder / each["path"], each["sha256"]) for each in record["outputs"]),
        ):
            assert hashlib.sha256(path.read_bytes()).hexdigest() == digest, path
        assert f"sources/runs/{folder.name}/configuration.yaml" in record["command"]
        assert record["question"].endswith("?")
        assert "lab" in record["does_not_show"]


@pytest.mark.integration
@pytest.mark.parametrize(
    ("name", "claim", "path"),
    [
        ("deepseek-v3", "params.total", "total.main"),
        ("deepseek-v3", "params.total/with-mtp", "total.with_mtp_stored_and_block_factors"),
        ("deepseek-v3", "params.active", "active.main_without_embeddings"),
        ("deepseek-v3", "params.mtp/unique", "mtp.own_without_projection"),
        ("deepseek-v4-flash", "params.total", "total.main"),
        ("deepseek-v4-flash", "params.active", "active.main_without_embeddings"),
        ("minimax-m1", "params.total", "total.main"),
        ("minimax-m1", "params.active", "active.main_without_embeddings_and_head"),
    ],
)
def test_a_published_number_is_what_its_rule_gives_to_its_last_digit(name, claim, path, claims):
    folder = ROOT / "sources" / "runs" / f"parameter-accounting-{name}"
    group, rule = path.split(".")
    counted = json.loads((folder / "result.json").read_bytes())[group][rule]
    assert claims[f"{name}/{claim}"].parsed.meets(parse_quantity(str(counted), "parameters"))


LATENT_CLAIMS = {
    "glm-5": {
        "vocabulary": "vocab.size/class-default",
        "hidden": "hidden.size/class-default",
        "layers": "layers/class-default",
        "dense_layers": "layers.dense/class-default",
        "dense_width": "ffn.dense/class-default",
        "expert_width": "ffn.expert/class-default",
        "routed": "experts.routed/class-default",
        "shared": "experts.shared/class-default",
        "active": "experts.active/class-default",
        "heads": "attention.heads/class-default",
        "q_rank": "attention.q_rank/class-default",
        "kv_rank": "attention.kv_rank/class-default",
        "plain_size": "attention.head_size/plain-class-default",
        "rotary_size": "attention.head_size/rotary-class-default",
        "value_size": "attention.head_size/value-class-default",
        "indexer_heads": "sparse.indexer_heads/class-default",
        "indexer_size": "sparse.indexer_head_size/class-default",
    },
    "kimi-k2.5": {
        "vocabulary": "vocab.size",
        "hidden": "hidden.size",
        "layers": "layers",
        "dense_layers": "layers.dense",
        "dense_width": "ffn.dense/text-class-default",
        "expert_width": "ffn.expert",
        "routed": "experts.routed",
        "shared": "experts.shared",
        "active": "experts.active",
        "heads": "attention.heads",
        "q_rank": "attention.q_rank/text-class-default",
        "kv_rank": "attention.kv_rank/text-class-default",
        "plain_size": "attention.head_size/plain-class-default",
        "rotary_size": "attention.head_size/rotary-class-default",
        "value_size": "attention.head_size/value-class-default",
    },
}


@pytest.mark.integration
@pytest.mark.parametrize(
    ("subject", "claim", "path"),
    [
        ("glm-5", "params.total/class-default", "total.main"),
        ("glm-5", "params.total/class-default-with-mtp", "total.with_mtp"),
        (
            "glm-5",
            "params.total/class-default-table-rule",
            "total.with_mtp_without_embeddings_and_head",
        ),
        ("glm-5", "params.active/class-default", "active.main_without_embeddings_and_head"),
        ("glm-5", "serve.kv_bytes/class-default", "cache_bytes_per_token"),
        ("glm-5", "compute.per_token/class-default", "forward_flops_per_token.with_weights"),
        ("kimi-k2.5", "params.total/text", "total.main"),
        (
            "kimi-k2.5",
            "params.total/text-without-embeddings",
            "total.main_without_embeddings_and_head",
        ),
        ("kimi-k2.5", "params.active/text-with-head", "active.main_without_embeddings"),
        (
            "kimi-k2.5",
            "params.active/text-without-embeddings",
            "active.main_without_embeddings_and_head",
        ),
        ("kimi-k2.5", "params.active/text-with-embeddings", "active.main"),
        ("kimi-k2.5", "serve.kv_bytes/text", "cache_bytes_per_token"),
        ("kimi-k2.5", "compute.per_token/text-weights", "forward_flops_per_token.with_weights"),
    ],
)
def test_a_formula_over_class_defaults_gives_what_the_shapes_give(subject, claim, path, claims):
    sizes = {
        name: int(claims[f"{subject}/{size}"].parsed.low)
        for name, size in LATENT_CLAIMS[subject].items()
    }
    counted = run.account(LATENT, sizes | {"prediction_layers": 1})
    for key in path.split("."):
        counted = counted[key]
    inferred = claims[f"{subject}/{claim}"].parsed
    assert inferred.meets(parse_quantity(str(counted), inferred.unit))


@pytest.mark.integration
@pytest.mark.parametrize(
    ("claim", "counted"),
    [
        ("glm-4.5/params.total@recount", 355232673088),
        ("glm-4.5/params.total/blocks", 352796510112 - 2 * 775946240),
        ("glm-4.5/params.total/with-embeddings", 352796510112),
        ("glm-4.5/params.active@recount", 32079054752),
        ("glm-4.5/params.total/air@recount", 107985123072),
        ("glm-4.5/params.total/air-blocks", 106851591808 - 2 * 620756992),
        ("glm-4.5/params.total/air-with-embeddings", 106851591808),
        ("glm-4.5/params.active/air@recount", 12181956224),
        ("glm-5/params.total/class-default", 743911218432),
        ("glm-5/params.total/class-default-with-mtp", 753864139008),
        ("gpt-oss/params.total/120b@recount", 116829156672),
        ("gpt-oss/params.active/120b@recount", 5132849472),
        ("gpt-oss/params.total/20b@recount", 20914757184),
        ("gpt-oss/params.active/20b@recount", 3608307264),
        ("kimi-k2.5/params.total/text", 1026353182208),
        ("kimi-k2.5/params.active/text-with-head", 31659570688),
        ("qwen3.5/params.total/35b-a3b@recount", 34660610688),
        ("qwen3.5/params.active/35b-a3b@recount", 2946429568),
    ],
)
def test_an_inferred_size_is_that_of_modules_made_without_memory(claim, counted, claims):
    """The counts are of classes in transformers 5.24.0, made with the sizes of the premises."""
    assert claims[claim].parsed.meets(parse_quantity(str(counted), "parameters"))
