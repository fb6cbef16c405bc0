#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "query/database.h"

namespace recall {

// A line on stderr that shows the progress of a command. It appears after a second, only on a
// terminal, and is erased by the destructor.
class ProgressLine final {
 public:
  // `noun`: the plural name of the counted objects.
  explicit ProgressLine(bool enabled, std::string noun = "files");
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Update(const AddProgress& progress);
  // Shows work of unknown length.
  void Say(std::string_view doing);

 private:
  void Show(std::string line);

  bool enabled_;
  std::string noun_;
  bool shown_ = false;
  int64_t started_micros_;
};

// Progress for programs: one JSON object per line on stderr (docs/json.md), at most four times a
// second, and in addition when a stage begins and at the end.
class ProgressJson final {
 public:
  explicit ProgressJson(bool enabled);

  void Update(const AddProgress& progress);

 private:
  bool enabled_;
  int64_t shown_micros_;
  std::string_view stage_;
};

// Returns: one line of ProgressJson, without its newline.
std::string FormatProgressJson(const AddProgress& progress);

// Returns: a line of at most `columns` characters:
//  "[=====>    ]  42%  1200/2880 files  18.2 MB"   documents
//  "1200 files  18.2 MB"                           documents, if the total is unknown
//  "[==>  ]  50%  10/20 vectors"                   derived data, after the documents
std::string FormatProgress(const AddProgress& progress, size_t columns,
                           std::string_view noun = "files");

}  // namespace recall
