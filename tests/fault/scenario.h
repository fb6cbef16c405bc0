#pragma once

// Operations that take a store from one state to another, for tests that inject faults into them.

#include <functional>
#include <string>
#include <vector>

#include "query/database/database.h"
#include "storage/base/result.h"

namespace recall {

// A directory with a store `recall.db` and the files it indexes.
struct ScenarioPlace {
  std::string directory;
  std::string store() const { return directory + "/recall.db"; }
};

struct Scenario {
  std::string name;
  // Creates the old state and closes the store. With `crashes`, DieCommitting runs after it.
  std::function<Status(const ScenarioPlace&)> prepare;
  bool crashes = false;
  // Makes the new state in one transaction, which merges may follow, unless there are `steps`. A
  // second run changes nothing that a user can see.
  std::function<Status(const ScenarioPlace&)> run;
  // If set, the operation only reads, and returns what it read.
  std::function<Result<std::string>(const ScenarioPlace&)> read;
  // For a `run` of several transactions: does the same and calls `between` between them.
  std::function<Status(const ScenarioPlace&, const std::function<void()>& between)> steps;
  // The number of changes by `steps` that a user can see.
  size_t changes = 1;
  // The old state can be read by its token after the operation.
  bool keeps_history = true;
  // What is derived of notes is damaged in the old state, and the operation repairs it.
  bool repairs = false;
};

// All scenarios. Their stores are small: 8 dimensions, chunks of 8 words, segments of 16 vectors.
std::vector<Scenario> AllScenarios();

// Leaves the store like a process that dies while it commits another document. Returns only on
// failure. Requires: InstallFaultVfs.
Status DieCommitting(const ScenarioPlace& place);

// The options under which scenarios open a store.
OpenOptions ScenarioOptions();

}  // namespace recall
