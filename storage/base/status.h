#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// The reason why an operation failed, for programs to branch on. The CLI maps each code to one exit
// status and one JSON error code (docs/cli/README.md); never renumber or reuse a value.
enum class StatusCode : int {
  kOk = 0,
  kNotFound = 1,
  kAlreadyExists = 2,
  kInvalidArgument = 3,
  kCorruption = 4,
  kUnsupported = 5,  // a format newer than this program, or a feature this build lacks
  kIoError = 6,
  kBusy = 7,  // another process has locked the store; a retry may succeed
  kLimitExceeded = 8,
  kCancelled = 9,
  kInternal = 10,  // a bug in Recall
  kExpired = 11,   // the snapshot is no longer kept
  kStoreNotFound = 12,
  kNotEnoughMemory = 13,  // of the process, not of an input; the CLI's limit_exceeded
  kCitationChanged = 14,  // the document no longer has the cited text
  kCitationGone = 15,     // nor is there the document
  kNoteExists = 16,       // a note with this id is in the store
  kNearDuplicate = 17,    // a document that says nearly the same is in the store
};

// The stable JSON spelling: "not_found", "corruption", ...
std::string_view StatusCodeName(StatusCode code);

// The position of an error in the user's text: a query, or a file of lines.
struct TextPosition {
  int64_t line = 0;     // from 1
  int64_t column = 0;   // from 1, in characters; 0: the line as a whole
  std::string excerpt;  // the line and, below it, a caret under the column; may be empty
};

// The outcome of an operation that can fail: OK, or a code, a sentence that describes the failure
// and its place, and a hint about the next step. It is one pointer wide; null means OK.
class [[nodiscard]] Status final {
 public:
  Status() = default;
  Status(StatusCode code, std::string message, std::string hint = {});
  Status(const Status& other);
  Status& operator=(const Status& other);
  Status(Status&&) noexcept = default;
  Status& operator=(Status&&) noexcept = default;

  static Status Ok() { return {}; }
  static Status NotFound(std::string message, std::string hint = {});
  static Status AlreadyExists(std::string message, std::string hint = {});
  static Status InvalidArgument(std::string message, std::string hint = {});
  static Status Corruption(std::string message, std::string hint = {});
  static Status Unsupported(std::string message, std::string hint = {});
  static Status IoError(std::string message, std::string hint = {});
  static Status Busy(std::string message, std::string hint = {});
  static Status LimitExceeded(std::string message, std::string hint = {});
  static Status Cancelled(std::string message, std::string hint = {});
  static Status Internal(std::string message, std::string hint = {});
  static Status Expired(std::string message, std::string hint = {});
  static Status StoreNotFound(std::string message, std::string hint = {});
  static Status CitationChanged(std::string message, std::string hint = {});
  static Status CitationGone(std::string message, std::string hint = {});
  static Status NoteExists(std::string message, std::string hint = {});
  static Status NearDuplicate(std::string message, std::string hint = {});

  // The same words wherever the lack is noticed; `what` precedes them.
  static Status NotEnoughMemory(std::string_view what = {});

  bool ok() const { return state_ == nullptr; }
  StatusCode code() const { return state_ ? state_->code : StatusCode::kOk; }
  std::string_view message() const { return state_ ? std::string_view(state_->message) : ""; }
  std::string_view hint() const { return state_ ? std::string_view(state_->hint) : ""; }

  // Null unless the error has a position in a text.
  const TextPosition* position() const {
    return state_ && state_->position ? &*state_->position : nullptr;
  }

  // Prepends the context of the caller: "open segment 12: " + message. OK stays OK.
  Status WithContext(std::string_view context) const;
  // Sets the hint unless a lower layer already set one.
  Status WithHint(std::string_view hint) const;
  // Sets the position of the error in a text.
  Status WithPosition(TextPosition position) const;
  // "corruption: open segment 12: bad magic", for logs and test failures.
  std::string ToString() const;
  // States that the outcome is ignored on purpose; a comment at the call gives the reason.
  void IgnoreError() const {}

 private:
  struct State {
    StatusCode code;
    std::string message;
    std::string hint;
    std::optional<TextPosition> position;
  };
  std::unique_ptr<State> state_;
};

// What the system says of an errno: "Permission denied".
std::string SystemErrorText(int error);

}  // namespace recall
