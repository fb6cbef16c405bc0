#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "index/glob/glob.h"

namespace recall {

// One Glob run over many texts. The sets of states its automaton can be in become, as texts reach
// them, the states of a deterministic automaton, so that most characters cost one look-up in a
// table (the lazy subset construction of grep). The table is bounded: a pattern that fills it
// starts over. Agrees with Glob::Matches. Not thread-safe; the Glob must outlive it.
class GlobMatcher final {
 public:
  explicit GlobMatcher(const Glob& glob);

  bool Matches(std::string_view text);

 private:
  using Ops = std::vector<uint32_t>;  // ascending
  struct State {
    Ops ops;
    bool accepts = false;   // when the text ends here
    bool is_final = false;  // `accepts` is the answer, whatever follows
  };
  static constexpr int32_t kUnknown = -1;

  uint32_t SymbolOf(uint32_t character) const;
  int32_t Intern(Ops ops);
  int32_t Step(int32_t state, uint32_t symbol);

  const Glob& glob_;
  Glob::StateSet scratch_;
  // Characters that no op tells apart are one symbol: that of the last boundary not above them.
  std::vector<uint32_t> boundaries_;  // ascending from 0
  std::array<uint32_t, 128> ascii_symbol_;
  std::vector<State> states_;
  std::map<Ops, int32_t> ids_;
  std::vector<int32_t> next_;  // [state][symbol]
  int32_t start_ = kUnknown;
  uint64_t generation_ = 0;  // how often the table was started over
};

}  // namespace recall
