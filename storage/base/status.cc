#include "storage/base/status.h"

#include <system_error>
#include <utility>

namespace recall {

std::string_view StatusCodeName(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kNotFound:
      return "not_found";
    case StatusCode::kAlreadyExists:
      return "already_exists";
    case StatusCode::kInvalidArgument:
      return "invalid_argument";
    case StatusCode::kCorruption:
      return "corruption";
    case StatusCode::kUnsupported:
      return "unsupported";
    case StatusCode::kIoError:
      return "io_error";
    case StatusCode::kBusy:
      return "busy";
    case StatusCode::kLimitExceeded:
    case StatusCode::kNotEnoughMemory:
      return "limit_exceeded";
    case StatusCode::kCancelled:
      return "cancelled";
    case StatusCode::kInternal:
      return "internal";
    case StatusCode::kExpired:
      return "snapshot_expired";
    case StatusCode::kStoreNotFound:
      return "store_not_found";
    case StatusCode::kCitationChanged:
      return "citation_changed";
    case StatusCode::kCitationGone:
      return "citation_gone";
    case StatusCode::kNoteExists:
      return "exists";
    case StatusCode::kNearDuplicate:
      return "near_duplicate";
  }
  return "internal";
}

Status::Status(StatusCode code, std::string message, std::string hint)
    : state_(code == StatusCode::kOk
                 ? nullptr
                 : std::make_unique<State>(
                       State{code, std::move(message), std::move(hint), std::nullopt})) {}

Status::Status(const Status& other)
    : state_(other.state_ ? std::make_unique<State>(*other.state_) : nullptr) {}

Status& Status::operator=(const Status& other) {
  if (this != &other) state_ = other.state_ ? std::make_unique<State>(*other.state_) : nullptr;
  return *this;
}

Status Status::NotEnoughMemory(std::string_view what) {
  return {StatusCode::kNotEnoughMemory, std::string(what) + "there is not enough memory",
          "end other programs, or raise the limit (ulimit -v); committed data is safe"};
}

#define RECALL_STATUS_FACTORY(Name)                                    \
  Status Status::Name(std::string message, std::string hint) {         \
    return {StatusCode::k##Name, std::move(message), std::move(hint)}; \
  }
RECALL_STATUS_FACTORY(NotFound)
RECALL_STATUS_FACTORY(AlreadyExists)
RECALL_STATUS_FACTORY(InvalidArgument)
RECALL_STATUS_FACTORY(Corruption)
RECALL_STATUS_FACTORY(Unsupported)
RECALL_STATUS_FACTORY(IoError)
RECALL_STATUS_FACTORY(Busy)
RECALL_STATUS_FACTORY(LimitExceeded)
RECALL_STATUS_FACTORY(Cancelled)
RECALL_STATUS_FACTORY(Internal)
RECALL_STATUS_FACTORY(Expired)
RECALL_STATUS_FACTORY(StoreNotFound)
RECALL_STATUS_FACTORY(CitationChanged)
RECALL_STATUS_FACTORY(CitationGone)
RECALL_STATUS_FACTORY(NoteExists)
RECALL_STATUS_FACTORY(NearDuplicate)
#undef RECALL_STATUS_FACTORY

Status Status::WithContext(std::string_view context) const {
  if (ok()) return {};
  Status outer(*this);
  outer.state_->message = std::string(context) + ": " + state_->message;
  return outer;
}

Status Status::WithHint(std::string_view hint) const {
  if (ok() || !state_->hint.empty()) return *this;
  Status hinted(*this);
  hinted.state_->hint = hint;
  return hinted;
}

Status Status::WithPosition(TextPosition position) const {
  if (ok()) return {};
  Status placed(*this);
  placed.state_->position = std::move(position);
  return placed;
}

std::string Status::ToString() const {
  if (ok()) return "ok";
  return std::string(StatusCodeName(state_->code)) + ": " + state_->message;
}

std::string SystemErrorText(int error) { return std::generic_category().message(error); }

}  // namespace recall
