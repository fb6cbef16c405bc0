#pragma once

// Counts the outcomes of damage trials by place, and prints them.

#include <cstdint>
#include <map>
#include <string>

#include "tests/damage/flip_trial.h"

namespace recall {

struct FlipCounts {
  int64_t flips = 0;
  std::array<int64_t, kVerdicts> answers = {};  // by AnswerVerdict
  int64_t crashed = 0;
  int64_t faultless = 0;                       // the doctor found no error
  int64_t missed = 0;                          // of these, answers were not right
  std::array<int64_t, kRepairs> repairs = {};  // by Repaired

  void Add(const FlipOutcome& outcome);
  int64_t wrong() const { return answers[static_cast<size_t>(AnswerVerdict::kWrong)]; }
  int64_t misleading() const { return answers[static_cast<size_t>(AnswerVerdict::kMisleading)]; }
  int64_t restored() const { return repairs[static_cast<size_t>(Repaired::kRestored)]; }
  int64_t refused() const { return repairs[static_cast<size_t>(Repaired::kRefused)]; }
  int64_t overwrote() const { return repairs[static_cast<size_t>(Repaired::kOverwrote)]; }
  int64_t lossy() const { return repairs[static_cast<size_t>(Repaired::kLossy)]; }
};

class FlipTable final {
 public:
  void Add(const FlipOutcome& outcome);
  const FlipCounts& sum() const { return sum_; }
  std::string ToString() const;

 private:
  std::map<std::string, FlipCounts> places_;
  FlipCounts sum_;
};

// One line about a trial: its seed, place and change, and what happened.
std::string Describe(const FlipOutcome& outcome);

}  // namespace recall
