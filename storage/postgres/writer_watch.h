#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "storage/postgres/page_server.h"

namespace recall {

// Decides, for a process that waits for the right to write, whether the writer that has it has
// stopped: its process was stopped by a signal, or its machine sleeps with its connection open. A
// writer that works shows progress every two seconds, whatever it computes. One that is silent for
// longer loses its session: its transaction is rolled back, and it learns so when it goes on. Used
// by one thread at a time.
class WriterWatch final {
 public:
  static constexpr int64_t kLookEveryMicros = 1'000'000;
  static constexpr int64_t kSilenceMicros = 8'000'000;

  // Whether it is time to look again. Times are those of a steady clock.
  bool IsDue(int64_t now) const { return now - looked_ >= kLookEveryMicros; }
  // Takes what was seen. Returns: whether the writer has stopped.
  bool HasStopped(const std::optional<PageServer::Writer>& seen, int64_t now);
  // The name of the writer that was seen last.
  const std::string& name() const { return seen_.name; }

 private:
  PageServer::Writer seen_;
  int64_t since_ = 0;  // when its progress was first seen
  int64_t looked_ = 0;
};

}  // namespace recall
