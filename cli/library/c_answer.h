#pragma once

// The answers that the library returns: a JSON text, with its error if it is one, in one block of
// memory that recall_free releases.

#include <new>
#include <optional>
#include <string_view>

#include "cli/library/recall.h"
#include "cli/library/spare_memory.h"
#include "cli/run/execution/command_call.h"
#include "cli/show/terminal/exit_code.h"
#include "storage/base/hosted.h"
#include "storage/base/status.h"

struct recall_answer {
  const char* json;
  size_t size;
  bool failed;
  recall_error error;  // if it has failed
};

namespace recall {

// Sets *answer, unless it is null, to the answer of a call. Returns: its status. Without memory the
// answer is one that needs none. Throws: std::bad_alloc.
int Deliver(const CallAnswer& call, recall_answer** answer);
// The same for an error of the library itself, or of what it calls.
int Deliver(const Status& error, recall_answer** answer);
// The same for the lack of memory. Does not throw.
int DeliverNoMemory(recall_answer** answer) noexcept;
// The same for a defect. Does not throw.
int DeliverDefect(recall_answer** answer) noexcept;

// Releases an answer.
void FreeAnswer(recall_answer* answer);

// Runs what a function of the library does, and turns exceptions into answers. `run` returns the
// status.
template <typename Run>
int Guarded(recall_answer** answer, const Run& run) noexcept {
  if (answer != nullptr) *answer = nullptr;
  if (!FillSpareMemory()) return DeliverNoMemory(answer);
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return DeliverNoMemory(answer);
  } catch (...) {
    return DeliverDefect(answer);
  }
}

}  // namespace recall
