#pragma once

#include <atomic>

#include "query/database.h"

namespace recall {

// While it lives, the first Ctrl-C (or SIGTERM) asks the database to stop, so that the command can
// report what it had committed; the second one ends the process at once, as does the first while
// there is no database. Only one at a time.
class InterruptScope final {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  // Requires: `database` outlives the scope. May be null.
  void Stop(Database* database);
};

// What the first Ctrl-C sets, for work that has no database. Inside an InterruptScope, only one at
// a time.
class InterruptFlag final {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;

  const std::atomic<bool>* get() const { return &flag_; }

 private:
  std::atomic<bool> flag_ = false;
};

// A reader that goes away is no error (`recall search x | head -1`): writes report EPIPE instead
// of a signal that kills us. Descriptors 0 to 2 that the caller closed are opened on /dev/null,
// lest the store be opened as descriptor 1 and an answer be written into it.
void PrepareStreams();

}  // namespace recall
