#include "index/source/extract/container/extract_failure.h"

#include <string_view>
#include <utility>

namespace recall {
namespace {

constexpr std::string_view kPasswordHint = "a password is needed";

ExtractOutcome OutcomeOf(const Status& error) {
  switch (error.code()) {
    case StatusCode::kLimitExceeded:
      return ExtractOutcome::kTooLarge;
    case StatusCode::kUnsupported:
      return error.hint() == kPasswordHint ? ExtractOutcome::kEncrypted
                                           : ExtractOutcome::kUnsupported;
    default:
      return ExtractOutcome::kDamaged;
  }
}

}  // namespace

Status NeedsPassword(std::string what) {
  return Status::Unsupported(std::move(what), std::string(kPasswordHint));
}

Extraction FailedExtractionOf(const Status& error) {
  return FailedExtraction(OutcomeOf(error), std::string(error.message()));
}

}  // namespace recall
