#include "index/glob/glob_matcher.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

// The lazy subset construction: the states of the nondeterministic automaton (glob.cc) that are
// active at the same time form one state of a deterministic automaton, and its transitions are
// computed when a text needs them first, as in grep and RE2. Listing a large store applies one
// pattern to hundreds of thousands of paths, and after a few paths each character costs one table
// look-up.
//
//   next_[state * symbols + symbol] -> state, or kUnknown: Step() simulates the character, interns
//                                      the resulting set, and stores the transition
//
// Alphabet: Unicode is divided into intervals at the boundaries of all literal characters and class
// ranges, and at '/'. No operation distinguishes the characters of one interval, so an interval is
// one symbol, represented by its first character. ASCII characters map to symbols by a table,
// others by binary search.
//
// Memory: the table has at most kMaxCells cells. A pattern with more states empties the table and
// starts again from the current set, so an adversarial pattern costs what the simulation costs.
// generation_ detects that a Step emptied the table it was about to write to.
//
// A state is final if the answer is known before the end of the text: no state is active, or "**"
// at the end of the pattern accepts the rest.

// 256 KiB; a pattern of ordinary length needs a few hundred cells.
constexpr size_t kMaxCells = 1 << 16;

}  // namespace

GlobMatcher::GlobMatcher(const Glob& glob) : glob_(glob), scratch_(glob.ops_.size()) {
  boundaries_ = {0, '/', '/' + 1};
  for (const Glob::Op& op : glob.ops_) {
    if (op.kind != Glob::OpKind::kCharacter) continue;
    boundaries_.push_back(op.value);
    boundaries_.push_back(op.value + 1);
  }
  for (const Glob::CharacterClass& set : glob.classes_) {
    for (const auto& range : set.ranges) {
      boundaries_.push_back(range.first);
      boundaries_.push_back(range.last + 1);
    }
  }
  std::sort(boundaries_.begin(), boundaries_.end());
  boundaries_.erase(std::unique(boundaries_.begin(), boundaries_.end()), boundaries_.end());
  for (uint32_t c = 0; c < ascii_symbol_.size(); ++c) ascii_symbol_[c] = SymbolOf(c);
}

uint32_t GlobMatcher::SymbolOf(uint32_t character) const {
  const auto above = std::upper_bound(boundaries_.begin(), boundaries_.end(), character);
  return static_cast<uint32_t>(above - boundaries_.begin()) - 1;
}

int32_t GlobMatcher::Intern(Ops ops) {
  const auto known = ids_.find(ops);
  if (known != ids_.end()) return known->second;
  if ((states_.size() + 1) * boundaries_.size() > kMaxCells && !states_.empty()) {
    states_.clear();
    ids_.clear();
    next_.clear();
    start_ = kUnknown;
    ++generation_;
  }
  const auto accept = static_cast<uint32_t>(glob_.ops_.size()) - 1;
  State state;
  state.ops = ops;
  state.accepts = std::binary_search(ops.begin(), ops.end(), accept);
  const bool swallows_the_rest = std::any_of(ops.begin(), ops.end(), [&](uint32_t op) {
    return op + 1 == accept && glob_.ops_[op].kind == Glob::OpKind::kDoubleStar;
  });
  state.is_final = ops.empty() || swallows_the_rest;
  const auto id = static_cast<int32_t>(states_.size());
  states_.push_back(std::move(state));
  ids_.emplace(std::move(ops), id);
  next_.resize(next_.size() + boundaries_.size(), kUnknown);
  return id;
}

int32_t GlobMatcher::Step(int32_t state, uint32_t symbol) {
  const uint32_t character = boundaries_[symbol];
  scratch_.Clear();
  for (const uint32_t at : states_[static_cast<size_t>(state)].ops) {
    const Glob::Op& op = glob_.ops_[at];
    if (!glob_.Consumes(op, character)) continue;
    const bool stays = op.kind == Glob::OpKind::kStar || op.kind == Glob::OpKind::kDoubleStar;
    glob_.Enter(stays ? at : at + 1, character == '/', &scratch_);
  }
  Ops ops = scratch_.states();
  std::sort(ops.begin(), ops.end());
  const uint64_t generation = generation_;
  const int32_t next = Intern(std::move(ops));
  // Interning may have emptied the table, and with it the state from which this step started.
  if (generation_ == generation) {
    next_[static_cast<size_t>(state) * boundaries_.size() + symbol] = next;
  }
  return next;
}

bool GlobMatcher::Matches(std::string_view text) {
  if (glob_.is_literal_) return text == glob_.prefix_;
  if (!text.starts_with(glob_.prefix_) || !text.ends_with(glob_.suffix_)) return false;
  if (start_ == kUnknown) {
    scratch_.Clear();
    glob_.Enter(0, true, &scratch_);
    Ops ops = scratch_.states();
    std::sort(ops.begin(), ops.end());
    start_ = Intern(std::move(ops));
  }
  int32_t state = start_;
  for (size_t position = 0; position < text.size();) {
    if (states_[static_cast<size_t>(state)].is_final) break;
    const auto byte = static_cast<uint8_t>(text[position]);
    uint32_t symbol;
    if (byte < 0x80) {
      symbol = ascii_symbol_[byte];
      ++position;
    } else {
      symbol = SymbolOf(NextGlobCharacter(text, &position));
    }
    const int32_t next = next_[static_cast<size_t>(state) * boundaries_.size() + symbol];
    state = next != kUnknown ? next : Step(state, symbol);
  }
  return states_[static_cast<size_t>(state)].accepts;
}

}  // namespace recall
