#pragma once

// Ways to damage a store, each with the findings of the doctor.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "storage/segment/section_view.h"
#include "storage/sqlite/connection.h"

namespace recall {

struct StoreFault {
  std::string name;
  // Damages the closed store at `path`.
  std::function<void(const std::string& path)> inject;
  // The exact codes of the findings.
  std::set<std::string> codes;
  bool repaired = true;
};

// Requires a store with one segment, a delta, removed versions, metadata and replaced labels.
// Document row 1 must be live and have several chunks, all in the segment; the last chunk row must
// be live and in the delta.
std::vector<StoreFault> AllStoreFaults();

// Changes a byte of the first page of a section, in the first segment. With `sealed`, corrects the
// checksum.
std::function<void(const std::string& path)> DamageSection(SectionKind kind, size_t item_offset,
                                                           bool sealed);
// Runs statements on an SQLite connection without any checks, which maintains checksums.
void RunSql(const std::string& path, const std::string& sql);
// Overwrites bytes of the file.
void OverwriteFile(const std::string& path, int64_t offset, const std::string& bytes);
// The first column of the first row.
int64_t AskInt(const std::string& path, const std::string& sql);

}  // namespace recall
