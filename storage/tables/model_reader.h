#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// Reads the parts of trained models, wherever they are kept. A call may be a round trip to a
// server. Belongs to the thread of the transaction that it reads in.
class ModelReader {
 public:
  virtual ~ModelReader() = default;
  // A part, or nothing if the model has no such part. Errors: Corruption, and those of the
  // connection to the store.
  virtual Result<std::optional<std::string>> ReadPart(int64_t model,
                                                      std::string_view kind) const = 0;
};

}  // namespace recall
