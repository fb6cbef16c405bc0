#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace recall {

enum class StepKind {
  kAdd,      // new and changed files
  kRelabel,  // the same files with other labels and times
  kRemove,   // by path, directory or id
  kRemoveByFilter,
  kCompact,
  kCompactAll,  // keeps no snapshot
  kPurge,       // rm --purge
  kReopen,
  kCarryOver,  // export, import into a new store, and go on with that
};

// What a step does follows from its seed and the state it finds.
struct Step {
  StepKind kind;
  uint64_t seed;
};

std::vector<Step> RandomHistory(uint64_t seed, size_t length);
// Does the steps to a store and to a model of it, and compares them after each.
// Returns: "" or the first difference, and where.
std::string RunHistory(const std::vector<Step>& history);
// Leaves out steps without which it still goes wrong.
std::vector<Step> ShrinkHistory(std::vector<Step> history);
// One line a step.
std::string Print(const std::vector<Step>& history);

}  // namespace recall
