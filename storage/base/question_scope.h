#pragma once

#include <cstdint>

namespace recall {

// What a thread does during the lifetime of a scope answers one question, such as one command. So
// its transactions may see the same state: who reads from a server asks it once for the newest
// commit. Scopes of a thread may be nested; the outermost one counts.
class QuestionScope final {
 public:
  QuestionScope();
  ~QuestionScope();
  QuestionScope(const QuestionScope&) = delete;
  QuestionScope& operator=(const QuestionScope&) = delete;

  // The number of this thread's scope, of which no other has the same; 0 outside of scopes.
  static uint64_t Current();

 private:
  const bool outermost_;
};

}  // namespace recall
