#pragma once

// Ways to damage a store, each with what the doctor must say of it.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "storage/segment/section_view.h"
#include "storage/sqlite/connection.h"

namespace recall {

struct StoreFault {
  std::string name;
  // Does the damage to the closed store at `path`.
  std::function<void(const std::string& path)> inject;
  // Exactly the codes of the findings.
  std::set<std::string> codes;
  bool repaired = true;
};

// Requires of the store: one segment and a tail, removed versions, metadata, labels that were
// replaced; document row 1 live, with several chunks that are all in the segment; the last chunk
// row live and in the tail.
std::vector<StoreFault> AllStoreFaults();

// Changes a byte of a section's first page, in the first segment. Sealed, its checksum is right
// again.
std::function<void(const std::string& path)> DamageSection(SectionKind kind, size_t item_offset,
                                                           bool sealed);
// Runs statements with nothing of Recall's in between.
void RunSql(const std::string& path, const std::string& sql);
// Writes over bytes of the file.
void OverwriteFile(const std::string& path, int64_t offset, const std::string& bytes);
// First column of the first row.
int64_t AskInt(const std::string& path, const std::string& sql);

}  // namespace recall
