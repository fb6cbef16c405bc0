#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>

#include "tests/fault/fault_vfs.h"
#include "tests/fault/scenario.h"
#include "tests/test_util.h"

namespace recall {

// Runs a scenario with one journal mode and injected faults, and checks the state after each fault.
class FaultRig final {
 public:
  // `journal` is "wal" or "delete". Creates the old state and records the old and the new state.
  FaultRig(Scenario scenario, std::string journal);

  // The reason why the scenario fails even without a fault, or "".
  const std::string& broken() const { return broken_; }
  // The number of operations of a kind in a run without a fault.
  int64_t Count(FaultKind kind);
  const Scenario& scenario() const { return scenario_; }
  // Runs the scenario with a fault, checks the state that is left, and runs it again without a
  // fault. Returns: "" or what is wrong. If `plan.nth` exceeds the number of operations, a kPower
  // fault occurs after the last one, before any file is closed.
  std::string Try(const FaultPlan& plan);
  // The same for several plans in one process, which is faster, until one leaves other bytes than
  // those of the old state. Returns: the number of plans tried, at least one. *wrong becomes "" or
  // what is wrong with the last of them.
  size_t TrySome(std::span<const FaultPlan> plans, std::string* wrong);

 private:
  // The states after a run with a fault and after another run without one, read in another process.
  struct Aftermath {
    std::string state;  // result of Look after the first run
    std::string again;  // "" or the error of the second run
    std::string last;
    std::string past;  // "" or the old state, read by its token at the end
  };

  void Restore();
  bool IsUntouched() const;
  // The description of the store, or "fault: " and what is wrong with it.
  std::string Look() const;
  std::string LookBack() const;
  // The name of an unfinished new store file, or "".
  std::string FindUnfinished() const;
  std::string RunPlainly() const;
  // Records the states between the transactions of a run.
  void RecordSteps();
  // Records the states after the commits of a run that its last commit follows.
  void RecordCommits();
  Aftermath Inspect() const;
  std::string RunWith(const FaultPlan& plan) const;
  std::string Judge(bool cut, bool succeeded, StatusCode code, const std::string& result);

  Scenario scenario_;
  std::string journal_;
  TempDir dir_;
  // SQLite's temporary files, of which some stay: the deletion of their names can fail, too.
  TempDir temporary_;
  ScenarioPlace place_;
  std::map<std::string, std::string> saved_;  // the files of the old state, by suffix
  std::string old_state_;
  std::string new_state_;
  std::set<std::string> unfinished_;  // new states that lack data derived from all texts
  std::set<std::string> states_;      // the old, the new and all states between
  std::string old_token_;             // "" if the old state cannot be read afterwards
  std::string broken_;
  bool pristine_ = false;  // the directory is in the old state
  std::map<FaultKind, int64_t> counts_;
};

}  // namespace recall
