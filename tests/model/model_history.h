#pragma once

// Random histories of a store: runs them on the store and on a model, and shrinks one that fails.

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
  kCompactAll,  // keeps no snapshots
  kPurge,       // rm --purge
  kReopen,
  kCarryOver,  // export, import into a new store, continue with the new one
};

// The seed and the present state determine what a step does.
struct Step {
  StepKind kind;
  uint64_t seed;
};

std::vector<Step> RandomHistory(uint64_t seed, size_t length);
// Runs the steps on a store and on a model of it, and compares both after each. Returns: "" or the
// first difference and its step.
std::string RunHistory(const std::vector<Step>& history);
// Removes steps as long as the history still fails.
std::vector<Step> ShrinkHistory(std::vector<Step> history);
// One line per step.
std::string Print(const std::vector<Step>& history);

}  // namespace recall
