#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "query/database.h"

namespace recall {

// One line on stderr that says how far a command is. It appears after a second, only on a terminal,
// and is wiped when the owner goes out of scope.
class ProgressLine final {
 public:
  // `noun` is what it counts.
  explicit ProgressLine(bool enabled, std::string noun = "files");
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Update(const AddProgress& progress);
  // For work without a known length.
  void Say(std::string_view doing);

 private:
  void Show(std::string line);

  bool enabled_;
  std::string noun_;
  bool shown_ = false;
  int64_t started_micros_;
};

// The same for programs: one JSON object a line on stderr (docs/json.md), at most four times a
// second, where a stage begins, and at the end.
class ProgressJson final {
 public:
  explicit ProgressJson(bool enabled);

  void Update(const AddProgress& progress);

 private:
  bool enabled_;
  int64_t shown_micros_;
  std::string_view stage_;
};

// One such line, without its newline.
std::string FormatProgressJson(const AddProgress& progress);

// "[=====>    ]  42%  1200/2880 files  18.2 MB", at most `columns` wide; "1200 files  18.2 MB"
// when nobody knows how many there will be; behind the documents "[==>  ]  50%  10/20 vectors".
std::string FormatProgress(const AddProgress& progress, size_t columns,
                           std::string_view noun = "files");

}  // namespace recall
