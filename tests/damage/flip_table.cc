#include "tests/damage/flip_table.h"

#include <algorithm>
#include <cstdio>

namespace recall {
namespace {

constexpr const char* kVerdictNames[kVerdicts] = {"right", "refused", "other error", "misleading",
                                                  "WRONG"};
constexpr const char* kRepairNames[kRepairs] = {"not needed", "restored",  "retrained",
                                                "refused",    "OVERWROTE", "LOSSY"};

std::string Row(const std::string& place, const FlipCounts& counts) {
  char line[256];
  int length = std::snprintf(line, sizeof(line), "%-24s %6lld |", place.c_str(),
                             static_cast<long long>(counts.flips));
  const auto add = [&](int64_t value) {
    length += std::snprintf(line + length, sizeof(line) - static_cast<size_t>(length), " %7lld",
                            static_cast<long long>(value));
  };
  for (const int64_t value : counts.answers) add(value);
  add(counts.crashed);
  line[length++] = ' ';
  line[length++] = '|';
  add(counts.faultless);
  add(counts.missed);
  line[length++] = ' ';
  line[length++] = '|';
  for (size_t i = static_cast<size_t>(Repaired::kRestored); i < kRepairs; ++i) {
    add(counts.repairs[i]);
  }
  return std::string(line, static_cast<size_t>(length)) + "\n";
}

}  // namespace

void FlipCounts::Add(const FlipOutcome& outcome) {
  ++flips;
  if (!outcome.crash.empty()) {
    ++crashed;
    return;
  }
  ++answers[static_cast<size_t>(outcome.answers)];
  faultless += outcome.faultless;
  missed += outcome.is_missed();
  ++repairs[static_cast<size_t>(outcome.repaired)];
}

void FlipTable::Add(const FlipOutcome& outcome) {
  places_[outcome.place.part].Add(outcome);
  sum_.Add(outcome);
}

std::string FlipTable::ToString() const {
  std::string table =
      "                                |              answers before any repair                 |  "
      "   doctor      |               doctor --fix\n"
      "place                     flips |   right refused o.error mislead   WRONG crashed | no "
      "err. MISSED  | restored retrain refused OVERWR.   LOSSY\n";
  for (const auto& [place, counts] : places_) table += Row(place, counts);
  char line[64];
  std::snprintf(line, sizeof(line), "wrong answers: %.2f %%\n",
                100.0 * static_cast<double>(sum_.wrong()) / static_cast<double>(sum_.flips));
  return table + Row("all", sum_) + line;
}

std::string Describe(const FlipOutcome& outcome) {
  std::string line = "seed " + std::to_string(outcome.seed) + ": " + outcome.place.file + "byte " +
                     std::to_string(outcome.place.at) + " " + outcome.change + ", page " +
                     std::to_string(outcome.place.page) + ", " + outcome.place.part;
  if (!outcome.crash.empty()) return line + ": CRASH " + outcome.crash;
  line += ": answers " + std::string(kVerdictNames[static_cast<size_t>(outcome.answers)]);
  if (!outcome.differs.empty()) line += " (" + outcome.differs + ")";
  line += ", doctor " + (outcome.faultless ? std::string("no errors") : outcome.findings);
  line += ", repair " + std::string(kRepairNames[static_cast<size_t>(outcome.repaired)]);
  if (!outcome.repair.empty()) line += " (" + outcome.repair + ")";
  std::ranges::replace(line, '\n', ' ');
  return line;
}

}  // namespace recall
