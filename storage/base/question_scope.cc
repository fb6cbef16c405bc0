#include "storage/base/question_scope.h"

#include <atomic>

namespace recall {
namespace {

thread_local uint64_t current_question = 0;

}  // namespace

QuestionScope::QuestionScope() : outermost_(current_question == 0) {
  static std::atomic<uint64_t> questions = 0;
  if (outermost_) current_question = ++questions;
}

QuestionScope::~QuestionScope() {
  if (outermost_) current_question = 0;
}

uint64_t QuestionScope::Current() { return current_question; }

}  // namespace recall
