"""How much slower a new program is than an old one, and how sure that is.

Problem: times of one machine wander, by more than most changes are worth. Idea: the programs take turns, and only
times of the same turn are compared. The logarithms of the ratios new/old of the turns are a sample; the ratio is their
Hodges-Lehmann estimate (the median of the means of all pairs), and the interval is that of Wilcoxon's signed-rank test,
from its exact distribution. It assumes that the logarithms are spread alike on both sides, as they are when the turns
alternate, but no shape; one wild turn does not move it far. No random numbers: the same times give the same interval.
Cost: n * n / 2 means for n turns.
"""

import dataclasses
import math

FEWEST_TURNS = 6  # with fewer, no interval has 95 %
CONFIDENCE = 0.95


@dataclasses.dataclass(frozen=True)
class Ratio:
    """A ratio new/old and its interval; all above 0."""

    ratio: float
    low: float
    high: float

    def verdict(self, least):
        """`least`: the smallest share of difference that is told, such as 0.01."""
        if self.low > 1 and self.ratio >= 1 + least:
            return "slower"
        if self.high < 1 and self.ratio <= 1 / (1 + least):
            return "faster"
        return "no difference shown"


def median(values):
    """The middle one, or the mean of the two in the middle."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def signed_rank_tail(turns, confidence=CONFIDENCE):
    """The largest c for which the signed-rank sum of `turns` values is at most c with a probability of (1 - confidence)
    / 2 at most, or None."""
    ways = [1]  # ways[s]: sets of ranks 1..r with the sum s
    for rank in range(1, turns + 1):
        longer = ways + [0] * rank
        for total, count in enumerate(ways):
            longer[total + rank] += count
        ways = longer
    room = (1 - confidence) / 2 * 2**turns
    seen = 0
    for total, count in enumerate(ways):
        seen += count
        if seen > room:
            return total - 1 if total > 0 else None
    return None


def compare(old, new):
    """The Ratio of times of the same turns. Requires: as many of both, FEWEST_TURNS at least, all above 0."""
    if len(old) != len(new):
        raise ValueError(f"{len(old)} old and {len(new)} new times")
    tail = signed_rank_tail(len(old))
    if tail is None:
        raise ValueError(f"{len(old)} turns are too few: {FEWEST_TURNS} at least")
    logs = [math.log(b / a) for a, b in zip(old, new)]
    means = sorted((logs[i] + logs[j]) / 2 for i in range(len(logs)) for j in range(i, len(logs)))
    return Ratio(math.exp(median(means)), math.exp(means[tail]), math.exp(means[-1 - tail]))
