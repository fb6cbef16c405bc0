#include "cli/library/c_answer.h"

#include <cstring>
#include <string>

#include "cli/library/c_memory.h"
#include "cli/run/execution/open_store.h"

namespace recall {
namespace {

// Answers that exist before they are needed.
#define RECALL_FIXED_JSON(code, status, message, hint)                                             \
  "{\"ok\":false,\"schema_version\":\"2\",\"error\":{\"code\":\"" code "\",\"message\":\"" message \
  "\",\"details\":{\"exit_code\":" status "},\"hint\":\"" hint "\"}}\n"

// That of Status::NotEnoughMemory.
#define RECALL_MESSAGE "there is not enough memory"
#define RECALL_HINT "end other programs, or raise the limit (ulimit -v); committed data is safe"
constexpr char kNoMemoryJson[] =
    RECALL_FIXED_JSON("limit_exceeded", "2", RECALL_MESSAGE, RECALL_HINT);
recall_answer no_memory = {kNoMemoryJson,
                           sizeof(kNoMemoryJson) - 1,
                           true,
                           {RECALL_USAGE, "limit_exceeded", RECALL_MESSAGE, RECALL_HINT, 0, 0, ""}};
#undef RECALL_MESSAGE
#undef RECALL_HINT

#define RECALL_MESSAGE "an exception was not caught"
#define RECALL_HINT "this is a defect of the library"
constexpr char kDefectJson[] = RECALL_FIXED_JSON("internal", "3", RECALL_MESSAGE, RECALL_HINT);
recall_answer defect = {kDefectJson,
                        sizeof(kDefectJson) - 1,
                        true,
                        {RECALL_ENVIRONMENT, "internal", RECALL_MESSAGE, RECALL_HINT, 0, 0, ""}};
#undef RECALL_MESSAGE
#undef RECALL_HINT
#undef RECALL_FIXED_JSON

int DeliverFixed(recall_answer& fixed, recall_answer** answer) noexcept {
  if (answer != nullptr) *answer = &fixed;
  return fixed.error.status;
}

// Copies texts one behind the other into a block, each with a zero byte.
class TextBlock final {
 public:
  explicit TextBlock(char* to) : to_(to) {}
  const char* Add(std::string_view text) {
    char* const begin = to_;
    std::memcpy(begin, text.data(), text.size());
    begin[text.size()] = '\0';
    to_ += text.size() + 1;
    return begin;
  }

 private:
  char* to_;
};

// The error of a call that has failed in a part of it that its answer describes.
Failure PartialFailure(ExitCode exit) {
  const ErrorCode code =
      exit == ExitCode::kAbsent ? ErrorCode::kNotFound : ErrorCode::kInvalidArgument;
  return {.code = code, .message = "a part of the call failed; the answer says which"};
}

}  // namespace

int Deliver(const CallAnswer& call, recall_answer** answer) {
  const int status = static_cast<int>(call.exit);
  if (answer == nullptr) return status;
  const bool failed = call.exit != ExitCode::kDone;
  const Failure failure = !failed        ? Failure()
                          : call.failure ? *call.failure
                                         : PartialFailure(call.exit);
  const std::string_view code = failed ? InfoOf(failure.code).name : std::string_view();
  const std::string excerpt = failure.position ? failure.position->excerpt : std::string();
  const size_t texts = call.output.size() + code.size() + failure.message.size() +
                       failure.hint.size() + excerpt.size() + 5;
  void* const memory = TakeMemory(sizeof(recall_answer) + texts);
  if (memory == nullptr) return DeliverNoMemory(answer);
  TextBlock block(static_cast<char*>(memory) + sizeof(recall_answer));
  auto* const made = new (memory) recall_answer{};
  made->json = block.Add(call.output);
  made->size = call.output.size();
  made->failed = failed;
  made->error = {status,
                 block.Add(code),
                 block.Add(failure.message),
                 block.Add(failure.hint),
                 failure.position ? failure.position->line : 0,
                 failure.position ? failure.position->column : 0,
                 block.Add(excerpt)};
  *answer = made;
  return status;
}

int Deliver(const Status& error, recall_answer** answer) {
  CallAnswer call;
  StdoutStream out(&call.output);
  call.failure = FailureToReport(error);
  call.exit = call.failure->exit();
  PrintFailure(*call.failure, OutputMode::kJson, {}, {}, &out);
  return Deliver(call, answer);
}

int DeliverNoMemory(recall_answer** answer) noexcept { return DeliverFixed(no_memory, answer); }

int DeliverDefect(recall_answer** answer) noexcept { return DeliverFixed(defect, answer); }

void FreeAnswer(recall_answer* answer) {
  if (answer == &no_memory || answer == &defect) return;
  GiveMemory(answer);
}

}  // namespace recall
