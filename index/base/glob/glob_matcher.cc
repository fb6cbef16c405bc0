#include "index/base/glob/glob_matcher.h"

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
//   row of a state   next state by symbol ... | flags
//
// A state is the index of its row, so that a step is one addition and one load. An unknown
// transition is simulated by Step(), which interns the resulting set of states and stores it.
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
// Consecutive texts: the states at each byte of the last text are kept, so that the run on a text
// that begins in the same way continues where they differ. Before any run, the text must contain
// the longest literal of the pattern, which is searched for in the same way.
//
// A state is final if the answer is known before the end of the text: no state is active, or "**"
// at the end of the pattern accepts the rest.

// 256 KiB; a pattern of ordinary length needs a few hundred cells.
constexpr size_t kMaxCells = 1 << 16;

}  // namespace

GlobMatcher::GlobMatcher(const Glob& glob)
    : glob_(glob), scratch_(glob.ops_.size()), inner_(glob.inner_) {
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

GlobMatcher::State GlobMatcher::Intern(Ops ops) {
  const auto known = states_.find(ops);
  if (known != states_.end()) return known->second;
  const size_t row = boundaries_.size() + 1;
  if (table_.size() + row > kMaxCells && !table_.empty()) {
    table_.clear();
    states_.clear();
    ops_.clear();
    start_ = kUnknown;
    ++generation_;
  }
  const auto accept = static_cast<uint32_t>(glob_.ops_.size()) - 1;
  const bool accepts = std::binary_search(ops.begin(), ops.end(), accept);
  const bool swallows_the_rest = std::any_of(ops.begin(), ops.end(), [&](uint32_t op) {
    return op + 1 == accept && glob_.ops_[op].kind == Glob::OpKind::kDoubleStar;
  });
  const bool is_final = ops.empty() || swallows_the_rest;
  const auto state = static_cast<State>(table_.size());
  table_.resize(table_.size() + row, kUnknown);
  table_.back() = (accepts ? kAccepts : 0u) | (is_final ? kFinal : 0u);
  ops_.push_back(&states_.emplace(std::move(ops), state).first->first);
  return state;
}

GlobMatcher::State GlobMatcher::Start() {
  if (start_ != kUnknown) return start_;
  scratch_.Clear();
  glob_.Enter(0, true, &scratch_);
  Ops ops = scratch_.states();
  std::sort(ops.begin(), ops.end());
  start_ = Intern(std::move(ops));
  return start_;
}

GlobMatcher::State GlobMatcher::Step(State state, uint32_t symbol) {
  const uint32_t character = boundaries_[symbol];
  scratch_.Clear();
  for (const uint32_t at : *ops_[state / (boundaries_.size() + 1)]) {
    const Glob::Op& op = glob_.ops_[at];
    if (!glob_.Consumes(op, character)) continue;
    const bool stays = op.kind == Glob::OpKind::kStar || op.kind == Glob::OpKind::kDoubleStar;
    glob_.Enter(stays ? at : at + 1, character == '/', &scratch_);
  }
  Ops ops = scratch_.states();
  std::sort(ops.begin(), ops.end());
  const uint64_t generation = generation_;
  const State next = Intern(std::move(ops));
  // Interning may have emptied the table, and with it the state from which this step started.
  if (generation_ == generation) table_[state + symbol] = next;
  return next;
}

bool GlobMatcher::Matches(std::string_view text) {
  if (glob_.is_literal_) return text == glob_.prefix_;
  if (!text.starts_with(glob_.prefix_) || !text.ends_with(glob_.suffix_)) return false;
  const size_t shared = last_.Advance(text);
  known_ = std::min(known_, shared);
  return inner_.OccursIn(text, shared) && (FlagsOf(Run(text)) & kAccepts) != 0;
}

// The state at the end of the text, or a final one.
GlobMatcher::State GlobMatcher::Run(std::string_view text) {
  const auto byte_at = [text](size_t position) { return static_cast<uint8_t>(text[position]); };
  const uint64_t generation = generation_;
  // Whatever follows, a character ends behind an ASCII one.
  size_t position = known_;
  while (position > 0 && byte_at(position - 1) >= 0x80) --position;
  State state = position == 0 ? Start() : states_at_[position];
  while (position < text.size() && (FlagsOf(state) & kFinal) == 0) {
    uint32_t symbol;
    if (byte_at(position) < 0x80) {
      symbol = ascii_symbol_[byte_at(position)];
      ++position;
    } else {
      symbol = SymbolOf(NextGlobCharacter(text, &position));
    }
    const State next = table_[state + symbol];
    state = next != kUnknown ? next : Step(state, symbol);
    if (position <= ConsecutiveText::kMost) states_at_[position] = state;
  }
  // States from before the table was emptied are no rows of it.
  known_ = generation_ == generation ? std::min(position, ConsecutiveText::kMost) : 0;
  return state;
}

}  // namespace recall
