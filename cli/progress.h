#pragma once

#include <cstdint>
#include <string>

#include "query/database.h"

namespace recall {

// One line on stderr that says how far `add` is. It appears after a second, only on a terminal,
// and is wiped when the owner goes out of scope.
class ProgressLine final {
 public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Update(const AddProgress& progress);

 private:
  bool enabled_;
  bool shown_ = false;
  int64_t started_micros_;
};

// "[=====>    ]  42%  1200/2880 files  18.2 MB", at most `columns` wide.
std::string FormatProgress(const AddProgress& progress, size_t columns);

}  // namespace recall
