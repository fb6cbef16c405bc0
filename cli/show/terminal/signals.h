#pragma once

#include <atomic>

#include "query/database/database.h"

namespace recall {

// While the object exists, the first Ctrl-C (or SIGTERM) cancels the operation of the database, so
// that the command can report its committed work. The second one ends the process at once, as does
// the first if there is neither a database nor an InterruptFlag. Only one object may exist at a
// time.
class InterruptScope final {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  // Sets the database to cancel; may be null. Requires: `database` outlives the scope.
  void Stop(Database* database);
};

// From now on Ctrl-C is the business of the pager, which the user leaves by its own key.
void LeaveInterruptsToPager();

// True once a signal was received inside an InterruptScope.
bool WasInterrupted();

// A flag that the first Ctrl-C sets, for operations without a database. Used inside an
// InterruptScope; only one may exist at a time.
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

// The database that the first Ctrl-C cancels, also one that came before, for commands that open one
// after another. Used inside an InterruptScope without a database of its own; only one may exist at
// a time.
class InterruptDatabase final {
 public:
  // Requires: `database` outlives the object.
  explicit InterruptDatabase(Database* database);
  ~InterruptDatabase();
  InterruptDatabase(const InterruptDatabase&) = delete;
  InterruptDatabase& operator=(const InterruptDatabase&) = delete;
};

// Has the first Ctrl-C write to a descriptor, too (WakePipe::wake_descriptor), for commands that
// wait for something else. Used inside an InterruptScope; only one may exist at a time.
class InterruptWake final {
 public:
  explicit InterruptWake(int descriptor);
  ~InterruptWake();
  InterruptWake(const InterruptWake&) = delete;
  InterruptWake& operator=(const InterruptWake&) = delete;
};

// Ignores SIGPIPE and SIGXFSZ, so that writes to a closed pipe (`recall search x | head -1`) return
// EPIPE, and writes beyond the limit on the size of files EFBIG. Opens /dev/null for those of the
// descriptors 0 to 2 that are closed. Otherwise the store could be opened as descriptor 1, and an
// answer would be written into it. Standard output is opened for reading only, so that an answer
// that cannot be delivered is an error.
void PrepareStreams();

}  // namespace recall
