"""What the figures of objectives show, in words: the axis, the signs and what to see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ADVANTAGE = {1: "advantage +1", -1: "advantage −1"}


@dataclass(frozen=True, slots=True)
class Words:
    """One figure in words.

    Attributes:
        figure: its name in the run.
        objective: the id of the objective that it is of.
        axis: what is counted along the bottom.
        seen: the caption.
        term, gradient: what the two rows of panels show; without a term, one row.
        signs: a name for each sign of the advantage.
        at: places whose recorded gradients are printed; they are on the grid and on no edge.
    """

    figure: str
    objective: str
    title: str
    axis: str
    seen: str
    term: str = "What is maximized"
    gradient: str = "Gradient over advantage"
    signs: Mapping[int, str] = field(default_factory=lambda: ADVANTAGE)
    at: tuple[float, ...] = (0.5, 0.75, 1, 1.5, 2)


ALONE = {1: ""}
RATIO = "ratio to the policy that sampled"

FIGURES = (
    Words(
        "ppo",
        "ppo",
        "The clip of PPO",
        RATIO,
        "The clip stops a token only where it has gone the way its advantage asks for: above the "
        "upper edge if that is positive, below the lower edge if it is negative. Elsewhere the "
        "gradient is the ratio itself, which for a negative advantage has no bound until a dual "
        "clip sets one.",
        at=(0.5, 0.75, 1, 1.5, 2, 3.5),
    ),
    Words(
        "grpo",
        "grpo",
        "The clip and the penalty of GRPO",
        RATIO,
        "The clip is that of PPO; the reference is here the policy that sampled. Where the clip "
        "has taken the gradient away only the penalty is left, which pulls the ratio back to 1: "
        "weakly above it, and steeply where a token has become unlikely.",
    ),
    Words(
        "dapo",
        "dapo",
        "The raised edge of DAPO",
        RATIO,
        "Raising the upper edge moves the place where a token with a positive advantage loses its "
        "gradient, and nothing else: negative advantages have the same curve under all three.",
    ),
    Words(
        "vapo",
        "vapo",
        "The clip of VAPO and its likelihood term",
        RATIO,
        "A response with a positive advantage counts as correct here, so its likelihood term adds "
        "a constant to the gradient, which then does not end at the upper edge. Negative "
        "advantages see the clip alone.",
    ),
    Words(
        "gspo",
        "gspo",
        "The clip of GSPO, seen from one token",
        "ratio of one token, the others having stayed",
        "All tokens share the ratio of the response, which one token hardly moves: the gradient "
        "is close to 1 wherever there is one. It ends for the whole response at once, when the "
        "mean log-ratio leaves the band, and the longer the response the further one token may go "
        "before that. The gradient is the token's, times the length.",
        term="",
    ),
    Words(
        "sapo",
        "sapo",
        "The gate of SAPO",
        RATIO,
        "There is no edge: the gradient is 1 at a ratio of 1 for every temperature and fades on "
        "both sides, above 1 only past a maximum, since it is the ratio times a gate that is "
        "even around 1. A greater tau fades sooner. Terms of two temperatures cannot be "
        "compared, only their slopes.",
        at=(0.5, 0.75, 1, 1.5, 2, 3),
    ),
    Words(
        "cispo",
        "cispo",
        "The held weight of CISPO",
        RATIO,
        "The weight is held within its bounds and not differentiated, so the gradient is the "
        "ratio up to the upper bound and the bound beyond it: it never ends, and is the same for "
        "both signs. The value, weight times log-probability, no longer says what is gained.",
        term="Value",
        at=(0.5, 1, 1.5, 3, 4.5),
    ),
    Words(
        "kimi-mirror-descent",
        "kimi-mirror-descent",
        "The regression of Kimi k1.5",
        "log-ratio of the response",
        "The push is the centered reward less tau times the log-ratio: it is gone where the "
        "log-ratio has reached reward over tau, and turns back beyond. It is over 2 tau, as in "
        "Eq. (3).",
        term="Less the loss",
        gradient="Gradient over reward",
        signs={1: "centered reward +1", -1: "centered reward −1"},
        at=(-2, -1, 0, 1, 2),
    ),
    Words(
        "kimi-token-mirror-descent",
        "kimi-mirror-descent",
        "The clipped term of Kimi K2.5",
        RATIO,
        "Inside the interval the gradient is the ratio, less a pull back to 1 whose strength is "
        "tau. Outside only the pull is left, whatever the sign of the advantage.",
        at=(0.25, 0.75, 1, 2, 3),
    ),
    Words(
        "sao",
        "sao",
        "The two-sided mask of SAO",
        "ratio to the sampler",
        "Outside the band nothing is left, on both sides and for both signs. Inside, a held "
        "weight gives the ratio as the gradient. A weight that is differentiated multiplies that "
        "by one plus the log-probability: a token that was sampled with probability 0.1, as "
        "here, is pushed the wrong way until it is likelier than 1/e.",
        term="Value",
        at=(0.5, 1, 1.5, 3, 5, 6.5),
    ),
    Words(
        "decoupled-ppo",
        "decoupled-ppo",
        "The moved band of decoupled PPO",
        "ratio to the sampler",
        "The band lies around the proximal policy, which is here so many times as likely as the "
        "sampler; at 1 this is PPO. Inside, the gradient is the ratio to the sampler wherever the "
        "band lies, since the two ratios multiply. Popped, with weights kept from a half to two, "
        "a token whose weight is 2.5 is left out at every ratio.",
        at=(0.25, 0.6, 1, 1.5, 2.4),
    ),
    Words(
        "kl",
        "kl",
        "Four estimates and their slopes",
        "log-ratio of policy to reference",
        "What each estimates at one sampled token, and its slope, which is what it does as a "
        "loss. The slope of k1 is the same at every token. k2 and k3 agree around 0. Where "
        "the token has become unlikely k3 is ever steeper; where it has become likely its slope "
        "stays below 1.",
        term="Estimate",
        gradient="Slope",
        signs=ALONE,
        at=(-2, -1, -0.5, 0.5, 1, 2),
    ),
    Words(
        "dft",
        "dft",
        "The push of DFT and SFT",
        "probability of the right token, of two",
        "SFT pushes the logit of the right token the harder the less likely it is. DFT hardly "
        "pushes there, and most at one half.",
        term="Loss",
        gradient="Push on the logit",
        signs=ALONE,
        at=(0.02, 0.1, 0.3, 0.5, 0.7, 0.9),
    ),
    Words(
        "dpo",
        "dpo",
        "The logistic loss of DPO",
        "margin of the log-ratios",
        "The push on the chosen response is close to beta while the pair is in the wrong order, "
        "half of it at a margin of 0, and then fades without ending. With label smoothing it "
        "turns: beyond a margin the pair is pulled together.",
        term="Loss",
        gradient="Push on the chosen response",
        signs=ALONE,
        at=(-20, -10, 0, 5, 10, 20),
    ),
    Words(
        "ipo",
        "ipo",
        "The square of IPO",
        "margin of the log-ratios",
        "The push is a straight line through 0 at the target, which is 1 over 2 tau. A pair "
        "beyond it is pulled together as hard as it was pushed apart before.",
        term="Loss",
        gradient="Push on the chosen response",
        signs=ALONE,
        at=(-10, -5, 0, 5, 10, 15),
    ),
    Words(
        "kto",
        "kto",
        "The value function of KTO",
        "log-ratio less the reference point",
        "The push, up for a desirable response and down for an undesirable one, is greatest at "
        "the reference point and fades on both sides: what is far on the wrong side is given up, "
        "like what is far on the right side. A greater beta fades sooner.",
        term="Loss",
        gradient="Push in the right direction",
        signs={1: "desirable", -1: "undesirable"},
        at=(-10, -5, -1, 0, 1, 5, 10),
    ),
    Words(
        "simpo",
        "simpo",
        "The margin of SimPO",
        "difference of the mean log-probabilities",
        "The push has fallen to half where the difference is gamma over beta, and not at 0: a pair "
        "that is in the right order is still pushed apart until its margin is reached.",
        term="Loss",
        gradient="Push on the chosen response",
        signs=ALONE,
        at=(-2, -1, 0, 0.5, 1, 2),
    ),
    Words(
        "orpo",
        "orpo",
        "The odds term of ORPO",
        "probability a token of the chosen response",
        "The log-loss alone pushes with 1 everywhere. The odds term adds to it, the more the less "
        "likely the chosen response is; the rejected one has a probability of 0.2 a token here.",
        term="Loss",
        gradient="Push on the chosen response",
        signs=ALONE,
        at=(0.1, 0.2, 0.4, 0.6, 0.8),
    ),
    Words(
        "compared",
        "",
        "Five ways to limit a step",
        RATIO,
        "What one token is pushed with by five objectives as its ratio moves. PPO stops at an "
        "edge, on the side that the sign of the advantage names; the mask of SAO stops on both "
        "sides; CISPO holds the weight; SAPO lets it fade; and GSPO, where one token of eight has "
        "moved, hardly notices. The constants are ours, chosen so that the lines can be told "
        "apart.",
        term="",
        at=(0.25, 0.5, 0.75, 1, 1.5, 2.5, 3),
    ),
)
