#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "query/database/database.h"

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
  void Update(const DoctorProgress& progress);
  void Update(const CompactProgress& progress);
  // Shows work of unknown length.
  void Say(std::string_view doing);

 private:
  // The time since this stage began. `stage`: its name.
  int64_t MicrosOf(std::string_view stage);
  void Show(std::string line);

  bool enabled_;
  std::string noun_;
  std::string_view stage_;
  int64_t stage_began_micros_ = 0;
  bool shown_ = false;
  int64_t started_micros_;
};

// Progress for programs: one JSON object per line on stderr (docs/json.md), at most four times a
// second, and in addition when a stage begins and at the end.
class ProgressJson final {
 public:
  explicit ProgressJson(bool enabled);

  void Update(const AddProgress& progress);
  void Update(const DoctorProgress& progress);
  // The last line of a command that reports DoctorProgress.
  void Finish();

 private:
  // Whether a line is due. `stage`: its name.
  bool IsDue(std::string_view stage, bool finished);
  static void Write(const std::string& line);

  bool enabled_;
  int64_t shown_micros_;
  int64_t stage_began_micros_;
  std::string_view stage_;
  DoctorProgress doctor_;  // the last one
};

// Returns: one line of ProgressJson, without its newline. `micros`: since the stage began.
std::string FormatProgressJson(const AddProgress& progress, int64_t micros);
std::string FormatProgressJson(const DoctorProgress& progress, int64_t micros, bool finished);

// Returns: a line of at most `columns` characters:
//  "[=====>    ]  42%  1200/2880 files  18.2 MB, 9.1 MB/s, 3 s left"   documents
//  "1200 files  18.2 MB, 9.1 MB/s"                  documents, if the total is unknown
//  "[==>  ]  50%  10/20 vectors, 5 per second, 2 s left"   derived data, after the documents
// `micros`: since the stage began. Rate and time left are the averages of the stage.
std::string FormatProgress(const AddProgress& progress, int64_t micros, size_t columns,
                           std::string_view noun = "files");

// Returns: a line of at most `columns` characters:
//  "checking documents"
//  "[=====>    ]  42%  comparing texts, 1200/2880 chunks, 400 per second, 4 s left"
// `micros`: since the stage began.
std::string FormatProgress(const DoctorProgress& progress, int64_t micros, size_t columns);
// As above: "[=====>    ]  42%  deleting documents, 1200/2880 chunks, 400 per second, 4 s left", or
// the progress of derived data as that of AddProgress.
std::string FormatProgress(const CompactProgress& progress, int64_t micros, size_t columns);

}  // namespace recall
