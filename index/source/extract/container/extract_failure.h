#pragma once

#include <string>

#include "index/source/extract/types/extraction.h"
#include "storage/base/status.h"

namespace recall {

// Returns the error for something that cannot be read without a password. FailedExtractionOf turns
// it into kEncrypted.
Status NeedsPassword(std::string what);

// Returns the extraction of a file whose reading ended with this error. LimitExceeded gives
// kTooLarge, Unsupported gives kUnsupported, every other error kDamaged. Requires: !error.ok().
Extraction FailedExtractionOf(const Status& error);

}  // namespace recall
