#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "index/base/glob/consecutive_text.h"
#include "index/base/glob/glob.h"

namespace recall {

// Matches one Glob with many texts. The sets of states of its automaton become states of a
// deterministic automaton when texts reach them, so that most characters cost one table look-up
// (the lazy subset construction of grep). The table is bounded; a pattern that fills it starts
// again with an empty table. A text that begins as the last one is run from where they differ. The
// result is that of Glob::Matches. Not thread-safe; the Glob must outlive it.
class GlobMatcher final {
 public:
  explicit GlobMatcher(const Glob& glob);

  bool Matches(std::string_view text);

 private:
  using Ops = std::vector<uint32_t>;  // ascending
  // A state is the index of its row in the table.
  using State = uint32_t;
  static constexpr State kUnknown = UINT32_MAX;
  enum Flags : uint32_t {
    kAccepts = 1,  // if the text ends in this state
    kFinal = 2,    // the rest of the text cannot change kAccepts
  };

  uint32_t SymbolOf(uint32_t character) const;
  State Start();
  State Intern(Ops ops);
  State Step(State state, uint32_t symbol);
  State Run(std::string_view text);
  uint32_t FlagsOf(State state) const { return table_[state + boundaries_.size()]; }

  const Glob& glob_;
  Glob::StateSet scratch_;
  // Characters that no op distinguishes are one symbol: the index of the last boundary not above
  // them.
  std::vector<uint32_t> boundaries_;  // ascending from 0
  std::array<uint32_t, 128> ascii_symbol_;
  // A row for each state: the next state by symbol, or kUnknown; then its Flags.
  std::vector<uint32_t> table_;
  std::map<Ops, State> states_;
  std::vector<const Ops*> ops_;  // of each row
  State start_ = kUnknown;
  uint64_t generation_ = 0;  // how often the table was emptied
  // The run on the last text: states_at_[i] is the state before byte i, where a character begins
  // at i, up to known_.
  ConsecutiveText last_;
  LiteralSearch inner_;
  size_t known_ = 0;
  std::array<State, ConsecutiveText::kMost + 1> states_at_;
};

}  // namespace recall
