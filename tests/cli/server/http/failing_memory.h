#pragma once

#include <cstdint>

namespace recall {

// While the object exists, one allocation with `new` fails on threads that have called
// LetMemoryFailHere: the one after `before` others. At most one object at a time.
class FailingMemory final {
 public:
  explicit FailingMemory(int64_t before);
  ~FailingMemory();
  FailingMemory(const FailingMemory&) = delete;
  FailingMemory& operator=(const FailingMemory&) = delete;

  bool has_failed() const;
};

void LetMemoryFailHere();

}  // namespace recall
