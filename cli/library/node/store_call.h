#pragma once

// A call of librecall as data, so that another thread can run it.

#include <memory>
#include <string>
#include <vector>

#include "cli/library/node/loaded_library.h"

namespace recall {

enum class CallKind { kOpen, kCommand, kSearch, kAddText, kAddLines, kClose };

// A recall_set that the calls which use it share with the JavaScript object.
using SharedSet = std::shared_ptr<recall_set>;

// Texts end with a zero byte; those that must not have one within were checked.
struct CallRequest {
  CallKind kind = CallKind::kCommand;
  std::string first;    // path of the store or the document, command, or query
  std::string content;  // text or lines
  std::string request;  // JSON: options, request or metadata; "": none
  SharedSet set;
  std::vector<float> vector;             // of a text, if it is not borrowed
  const float* borrowed = nullptr;       // of a text
  const char* borrowed_lines = nullptr;  // instead of `content`
  size_t size = 0;                       // of what is borrowed
};

// What a call has returned. It owns the answer and the hits.
class CallOutcome final {
 public:
  explicit CallOutcome(const LoadedLibrary* library) : library_(library) {}
  ~CallOutcome() {
    library_->free(answer);
    library_->hits_free(hits);
  }
  CallOutcome(const CallOutcome&) = delete;
  CallOutcome& operator=(const CallOutcome&) = delete;

  int status = RECALL_OK;
  recall_answer* answer = nullptr;
  recall_hits* hits = nullptr;
  const char* failure = nullptr;  // why the call was not made at all, if it was not

 private:
  const LoadedLibrary* const library_;
};

// Runs a call on this thread. kOpen sets *store, kClose makes it null.
void RunCall(const LoadedLibrary& library, const CallRequest& request, recall_store** store,
             CallOutcome* outcome);

}  // namespace recall
