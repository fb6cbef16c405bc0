#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  // Runs with a fault, then looks at what is left, then runs again without one. Returns: "" or what
  // is wrong. `plan.nth` may lie behind the last operation: with kPower the power then goes when
  // all is done and nothing is closed any more.
  std::string Try(const FaultPlan& plan);

 private:
  // What is left after a run, and after another one without faults; in a process of its own.
  struct Aftermath {
    std::string state;  // as Look tells it
    std::string again;  // "" or why the second run failed
    std::string last;
  };

  void Restore();
  bool IsUntouched() const;
  // The description of the store, or "fault: " and what is wrong with it.
  std::string Look() const;
  std::string RunPlainly() const;
  Aftermath Inspect() const;

  Scenario scenario_;
  std::string journal_;
  TempDir dir_;
  ScenarioPlace place_;
  std::string old_state_;
  std::string new_state_;
  std::string broken_;
};

}  // namespace recall
