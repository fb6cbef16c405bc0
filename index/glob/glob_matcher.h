#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "index/glob/glob.h"

namespace recall {

// Matches one Glob with many texts. The sets of states of its automaton become states of a
// deterministic automaton when texts reach them, so that most characters cost one table look-up
// (the lazy subset construction of grep). The table is bounded; a pattern that fills it starts
// again with an empty table. The result is that of Glob::Matches. Not thread-safe; the Glob must
// outlive it.
class GlobMatcher final {
 public:
  explicit GlobMatcher(const Glob& glob);

  bool Matches(std::string_view text);

 private:
  using Ops = std::vector<uint32_t>;  // ascending
  struct State {
    Ops ops;
    bool accepts = false;   // if the text ends in this state
    bool is_final = false;  // the rest of the text cannot change `accepts`
  };
  static constexpr int32_t kUnknown = -1;

  uint32_t SymbolOf(uint32_t character) const;
  int32_t Intern(Ops ops);
  int32_t Step(int32_t state, uint32_t symbol);

  const Glob& glob_;
  Glob::StateSet scratch_;
  // Characters that no op distinguishes are one symbol: the index of the last boundary not above
  // them.
  std::vector<uint32_t> boundaries_;  // ascending from 0
  std::array<uint32_t, 128> ascii_symbol_;
  std::vector<State> states_;
  std::map<Ops, int32_t> ids_;
  std::vector<int32_t> next_;  // [state][symbol]
  int32_t start_ = kUnknown;
  uint64_t generation_ = 0;  // how often the table was emptied
};

}  // namespace recall
