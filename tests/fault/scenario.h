#pragma once

// Things that are done to a store, each from one state to another, for tests that let them fail.

#include <functional>
#include <string>
#include <vector>

#include "query/database.h"
#include "storage/base/result.h"

namespace recall {

// A directory with a store `recall.db` and the files it indexes.
struct ScenarioPlace {
  std::string directory;
  std::string store() const { return directory + "/recall.db"; }
};

struct Scenario {
  std::string name;
  // Makes the old state and leaves the store at rest; with `crashes`, DieCommitting comes after it.
  std::function<Status(const ScenarioPlace&)> prepare;
  bool crashes = false;
  // One transaction to the new state (merges may follow), unless there are `steps`. Done again, it
  // changes nothing that a user can tell.
  std::function<Status(const ScenarioPlace&)> run;
  // False: the operation only reads, and tells what it read.
  std::function<Result<std::string>(const ScenarioPlace&)> read;
  // For a `run` of several transactions: does what it does and calls between them.
  std::function<Status(const ScenarioPlace&, const std::function<void()>& between)> steps;
  // How often `steps` change what a user can tell.
  size_t changes = 1;
  // The old state can be asked for by its token when the new one is there.
  bool keeps_history = true;
};

// Every scenario. Stores are small: 8 dimensions, chunks of 8 words, segments of 16 vectors.
std::vector<Scenario> AllScenarios();

// Leaves a store as a process does that dies while it commits another document. Returns only upon
// failure. Requires: InstallFaultVfs.
Status DieCommitting(const ScenarioPlace& place);

// The options under which scenarios open a store.
OpenOptions ScenarioOptions();

}  // namespace recall
