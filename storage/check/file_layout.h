#pragma once

// The location of data in a store's file, as far as a damaged file can be read.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "storage/segment/segment_header.h"

namespace recall {

class Connection;

// A b-tree: a table or an index, including those of FTS5 and SQLite.
struct TreeLayout {
  std::string name;
  std::string kind;             // "table", "index"
  std::optional<int64_t> rows;  // only of tables
  // Includes overflow pages; nothing if SQLite was built without the dbstat table.
  std::optional<int64_t> pages;
};

// Returns the b-trees by name, except that of the schema. Reads every page of the file.
Result<std::vector<TreeLayout>> ReadTreeLayouts(Connection& connection);

// Consecutive pages of one b-tree.
struct PageRun {
  int64_t first = 0;  // from 1
  int64_t pages = 0;
  std::string tree;  // empty: they belong to none, so they are free or reserved by SQLite
};

// Returns: the whole file, page by page; empty if SQLite was built without the dbstat table or the
// file is damaged. Reads every page of the file.
std::vector<PageRun> ReadPageRuns(Connection& connection);

struct SectionLayout {
  SegmentSection section{};
  uint64_t offset = 0;  // offset of its first page in the BLOB
  uint64_t bytes = 0;
  std::optional<uint32_t> checksum;  // CRC-32C of its items; nothing if a page is damaged
};

struct SegmentLayout {
  int64_t id = 0;
  std::string fault;  // why the header cannot be read; empty if it can
  std::optional<SegmentHeader> header;
  uint32_t header_checksum = 0;
  std::vector<SectionLayout> sections;
};

// Every listed segment, by smallest chunk rowid, damaged ones first. Reads every byte.
Result<std::vector<SegmentLayout>> ReadSegmentLayouts(Connection& connection);

}  // namespace recall
