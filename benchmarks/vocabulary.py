"""The invented words that generated claims are made of: aspects, names, sources, sentences."""

from __future__ import annotations

from typing import NamedTuple


class Aspect(NamedTuple):
    """An aspect, how its values are written and the words around a value in a source."""

    id: str
    title: str
    unit: str
    form: str
    words: str


def _table(text: str) -> list[Aspect]:
    rows = (line.split("|") for line in text.strip().splitlines())
    return [Aspect(*(cell.strip() for cell in row)) for row in rows]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# form: T, B, M, K and n are sizes of numbers, < a bound, % a share, e a small decimal; or a kind
DISCLOSED = _table("""
params.total|Total parameters|parameters|B100|a model of {} parameters in total
params.active|Active parameters|parameters|B9|{} parameters are activated for each token
params.embedding|Embedding parameters|parameters|M|embeddings take {} parameters of these
tokens.pretrain|Pre-training tokens|tokens|T|trained on {} tokens of filtered text
tokens.midtrain|Mid-training tokens|tokens|B|continued for {} tokens of long documents
tokens.sft|Fine-tuning tokens|tokens|M|fine-tuned on {} tokens of dialogue
tokens.rl|RL tokens|tokens|B|rollouts of {} tokens were used
data.languages|Languages|languages|n|text in {} languages was kept
data.documents|Documents|documents|B|left {} documents after filtering
data.code_share|Share of code|percent|%|code makes up {} of the mixture
data.math_share|Share of mathematics|percent|%|mathematics makes up {} of the mixture
vocab.size|Vocabulary|entries|K|a vocabulary of {} entries
context.window|Context window|tokens|K100|reads {} tokens at once
context.output|Longest output|tokens|K9|writes answers of {} tokens
optimizer.peak_lr|Peak learning rate||e|the learning rate peaks at {}
optimizer.warmup|Warm-up steps|steps|n|warmed up for {} steps
optimizer.steps|Optimizer steps|steps|K|ran for {} steps in all
optimizer.batch|Batch size|tokens|M|batches of {} tokens
compute.gpus|Accelerators|GPUs|n|on a cluster of {} GPUs
compute.gpu_hours|Accelerator hours|GPU hours|M|used {} GPU hours altogether
compute.days|Days of training|days|n|took {} days without a restart
compute.utilization|Utilization|percent|%|reached {} of peak throughput
rl.prompts|RL prompts|prompts|K|prompted with {} prompts
rl.group_size|Group size|answers|n|samples {} answers for each prompt
rl.steps|RL steps|steps|n|optimized for {} steps of RL
rl.kl_weight|Weight of the KL term||e|the KL penalty is weighted with {}
rl.reward_models|Reward models|models|n|scores come from {} models of reward
sft.examples|Fine-tuning examples|examples|K|starts from {} examples written by people
env.tasks|Environment tasks|tasks|K|agents practice on {} tasks
env.containers|Containers|containers|<K|{} containers run side by side
bench.pond|PondBench|percent|%p|solves {} of PondBench
bench.marsh|MarshBench|percent|%p|solves {} of MarshBench
bench.reed|ReedBench|percent|%p|solves {} of ReedBench
data.sources|Data sources||text|a corpus of {}
data.filtering|Filtering||text|filtered with {}
system.framework|Training framework||text|the training stack uses {}
rl.algorithm|RL algorithm||term|policies are optimized with {}
event.release|Release||date|first available on {}
lineage.base|Base model||ref|training starts from {}
""")
CONFIRMED = _table("""
layers.count|Layers|layers|n|num_hidden_layers
hidden.size|Hidden size||n|hidden_size
heads.count|Attention heads|heads|n|num_attention_heads
experts.routed|Routed experts|experts|n100|n_routed_experts
experts.active|Active experts|experts|n9|num_experts_per_tok
rope.base|Base of the rotations||n|rope_theta
""")
INFERRED = _table("""
params.active_share|Active share|percent|%|params.active / params.total
tokens.midtrain_share|Share of mid-training|percent|%|tokens.midtrain / tokens.pretrain
tokens.rl_share|Share of RL|percent|%|tokens.rl / tokens.pretrain
context.output_share|Output share of context|percent|%|context.output / context.window
""")
UNKNOWN = _table("""
cost.training|Training cost|dollars|M|cost, dollars, budget
compute.energy|Energy|kWh|M|energy, kWh, electricity
compute.failures|Failures|failures|n|failure, restart, interruption
staff.annotators|Annotators|annotators|n|annotator, labeler, rater
data.licences|Licences of the data||text|licence, permission, copyright
data.contamination|Contamination||text|contamination, overlap, leakage
data.personal|Personal data||text|personal, privacy, consent
""")
REPRODUCED = _table("""
loss.length_ratio|Long over short loss||n|length_ratio
loss.clip_share|Clipped share|percent|%|clip_share
loss.zero_groups|Groups without signal|groups|n|zero_groups
loss.entropy_drop|Drop of entropy||n|entropy_drop
loss.ratio_spread|Spread of ratios||n|ratio_spread
""")

BIRDS = _words("""
Heron Egret Stork Crane Ibis Plover Curlew Avocet Dunlin Godwit Lapwing Bittern Grebe Petrel
Gannet Puffin Tern Skua Merlin Harrier Kestrel Osprey Warbler Pipit
""")
EPITHETS = _words("""
Alba Borealis Cinerea Delta Elegans Fulva Grandis Humilis Insularis Juncea Lacustris Montana
Nivea Orientalis Palustris Rustica Saxatilis Tundra Umbra Viridis Arborea Clara Parva Rosea
""")
TREES = _words("""
Alder Aspen Beech Birch Cedar Elm Fir Hazel Holly Juniper Larch Linden Maple Oak Pine Poplar
Rowan Spruce Sycamore Tamarack Willow Yew
""")
PROSE = _words("""
the source gives this count for the model as released and leaves out what was trained before
with data of partners while a table lists each stage of training by name length and share so
readers can compare one stage against another under equal terms of counting across documents
filters code books pages in several languages after removal of near copies of known tests
""")
TEXTS = (
    "web pages and books",
    "code and scientific papers",
    "encyclopedias and forums",
    "a classifier for quality",
    "rules for language and length",
    "an open framework",
)
ALGORITHMS = {
    "GRPO": "Group Relative Policy Optimization",
    "PPO": "Proximal Policy Optimization",
    "DPO": "Direct Preference Optimization",
}
