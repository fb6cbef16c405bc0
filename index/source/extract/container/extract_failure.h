#pragma once

#include <string>

#include "index/source/extract/types/extraction.h"
#include "storage/base/status.h"

namespace recall {

// The error of something that cannot be read without a password. FailedExtractionOf makes it
// kEncrypted.
Status NeedsPassword(std::string what);

// The extraction of a file whose reading ended with this error. LimitExceeded gives kTooLarge,
// Unsupported gives kUnsupported, every other error kDamaged. Requires: !error.ok().
Extraction FailedExtractionOf(const Status& error);

}  // namespace recall
