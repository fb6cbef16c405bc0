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

// One scenario with one kind of journal: runs it with faults and says what went wrong.
class FaultRig final {
 public:
  // `journal` is "wal" or "delete". Makes the old state and learns what the old and the new one
  // are.
  FaultRig(Scenario scenario, std::string journal);

  // "" or why the scenario does not work even without faults.
  const std::string& broken() const { return broken_; }
  // How many operations of a kind there are in a run without faults.
  int64_t Count(FaultKind kind);
  const Scenario& scenario() const { return scenario_; }
  // Runs with a fault, then looks at what is left, then runs again without one. Returns: "" or what
  // is wrong. `plan.nth` may lie behind the last operation: with kPower the power then goes when
  // all is done and nothing is closed any more.
  std::string Try(const FaultPlan& plan);
  // The same for one after the other in one process, which is faster, until one does not leave the
  // very bytes of the old state. Returns: how many were tried, at least one; *wrong is "" or what
  // is wrong with the last of them.
  size_t TrySome(std::span<const FaultPlan> plans, std::string* wrong);

 private:
  // What is left after a run, and after another one without faults. Looked at in another process.
  struct Aftermath {
    std::string state;  // as Look tells it
    std::string again;  // "" or why the second run failed
    std::string last;
    std::string past;  // "" or the old state, as its token shows it at the end
  };

  void Restore();
  bool IsUntouched() const;
  // The description of the store, or "fault: " and what is wrong with it.
  std::string Look() const;
  std::string LookBeforeLastCommit() const;
  std::string LookBack() const;
  // A file under construction that nobody will complete.
  std::string FindUnfinished() const;
  std::string RunPlainly() const;
  // The states between the transactions of a run of several.
  void RecordSteps();
  Aftermath Inspect() const;
  std::string RunWith(const FaultPlan& plan) const;
  std::string Judge(bool cut, bool succeeded, StatusCode code, const std::string& result);

  Scenario scenario_;
  std::string journal_;
  TempDir dir_;
  ScenarioPlace place_;
  std::map<std::string, std::string>
      saved_;  // the files of the old state, by what follows its name
  std::string old_state_;
  std::string new_state_;
  std::string unlearnt_state_;    // new, but for what the store learns of it
  std::set<std::string> states_;  // these, and all between them
  std::string old_token_;         // "": the old state is not to be read later
  std::string broken_;
  bool pristine_ = false;  // the place is as the next run needs it
  std::map<FaultKind, int64_t> counts_;
};

}  // namespace recall
