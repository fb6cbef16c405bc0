#pragma once

// Whether what an answer shows is still what its source says (docs/decisions/0061-freshness.md).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/secrets/secret_settings.h"

namespace recall {

enum class SourceState : uint8_t {
  kCurrent,  // as it was added, not known, or not checked
  kChanged,  // the file is another one than that which was added
  kDeleted,  // the file does not exist any more
};

// The state in JSON, and as a mark for people behind a path; "" for a current source.
constexpr std::string_view NameOfState(SourceState state) {
  if (state == SourceState::kChanged) return "changed";
  return state == SourceState::kDeleted ? "deleted" : "";
}
constexpr std::string_view MarkOfState(SourceState state) {
  return state == SourceState::kChanged ? "changed since" : NameOfState(state);
}

// What a request says about the check of its results.
struct SourceCheck {
  bool on = false;
  SecretSettings secrets = {};  // for texts that `add --secrets redact` stored
  // If it is not empty, only files at or below one of these directories are looked at, wherever
  // links lead. Absolute; "" is the directory of the store.
  std::vector<std::string> within = {};
};

// What stat(2) says of a file; all zeros if it does not exist.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t size = 0;
  int64_t modified = 0;  // nanoseconds since 1970
  int64_t changed = 0;   // the same of its inode: contents, names, rights

  bool operator==(const FileStamp&) const = default;
};

// A file that an answer was compared with, and what it was like.
struct CheckedFile {
  std::string path;
  FileStamp stamp;
};

}  // namespace recall
