#pragma once

// Byte-pair merging, independent of the source of the merges.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

namespace recall {

// A merge of two adjacent tokens into one; merges of lower rank come first.
struct PairMerge {
  uint32_t rank;
  uint32_t id;
};

// A token of a piece during merging, of the bytes begin .. end-1 of the piece.
struct PairSymbol {
  uint32_t id;
  size_t begin;
  size_t end;
};

// Merges adjacent `symbols` until no merge is possible, always the pair of the lowest rank and of
// equal ranks the leftmost, then appends the remaining tokens to *ids. `find(left, right)` returns
// the merge of two adjacent symbols, if there is one. O(n log n): a linked list of symbols and a
// priority queue of possible merges; entries that an earlier merge made obsolete are skipped.
template <typename Find>
void MergePairs(const std::vector<PairSymbol>& symbols, Find find, std::vector<uint32_t>* ids) {
  constexpr size_t kNone = ~size_t{0};
  struct Link {
    PairSymbol symbol;
    size_t previous;
    size_t next;
    bool alive;
  };
  // A merge that was possible when it was put into the queue.
  struct Candidate {
    uint32_t rank;
    uint32_t id;
    size_t place;
    size_t middle;  // where the right one began
    size_t end;     // where it ended
    bool operator>(const Candidate& other) const {
      return std::tie(rank, place) > std::tie(other.rank, other.place);
    }
  };
  std::vector<Link> links;
  links.reserve(symbols.size());
  for (size_t i = 0; i < symbols.size(); ++i) {
    links.push_back(
        {symbols[i], i == 0 ? kNone : i - 1, i + 1 < symbols.size() ? i + 1 : kNone, true});
  }
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto propose = [&](size_t place) {
    if (place == kNone || links[place].next == kNone) return;
    const std::optional<PairMerge> found =
        find(links[place].symbol, links[links[place].next].symbol);
    if (!found) return;
    const PairSymbol& right = links[links[place].next].symbol;
    queue.push({found->rank, found->id, place, right.begin, right.end});
  };
  for (size_t i = 0; i + 1 < links.size(); ++i) propose(i);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Link& left = links[best.place];
    if (!left.alive || left.next == kNone) continue;
    Link& right = links[left.next];
    // Symbols only grow, so a symbol with the same bounds is unchanged.
    if (left.symbol.end != best.middle || right.symbol.end != best.end) continue;
    left.symbol.id = best.id;
    left.symbol.end = right.symbol.end;
    left.next = right.next;
    right.alive = false;
    if (right.next != kNone) links[right.next].previous = best.place;
    propose(left.previous);
    propose(best.place);
  }
  for (const Link& link : links) {
    if (link.alive) ids->push_back(link.symbol.id);
  }
}

}  // namespace recall
