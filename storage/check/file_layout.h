#pragma once

// What lies where in a store's file, as far as a damaged one can be read.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "storage/segment/segment_header.h"
#include "storage/sqlite/connection.h"

namespace recall {

// A b-tree: a table or an index, also those that FTS5 and SQLite make.
struct TreeLayout {
  std::string name;
  std::string kind;             // "table", "index"
  std::optional<int64_t> rows;  // of tables
  // With overflow; nothing where SQLite was built without its table of them.
  std::optional<int64_t> pages;
};

// By name. Reads every page.
Result<std::vector<TreeLayout>> ReadTreeLayouts(Connection& connection);

struct SectionLayout {
  SegmentSection section{};
  uint64_t offset = 0;  // of its first page in the BLOB
  uint64_t bytes = 0;
  std::optional<uint32_t> checksum;  // CRC-32C of its items; nothing when a page is damaged
};

struct SegmentLayout {
  int64_t id = 0;
  std::string fault;  // why there is no header; empty when there is one
  std::optional<SegmentHeader> header;
  uint32_t header_checksum = 0;
  std::vector<SectionLayout> sections;
};

// Every segment that is listed, by smallest chunk rowid, damaged ones first. Reads every byte.
Result<std::vector<SegmentLayout>> ReadSegmentLayouts(Connection& connection);

}  // namespace recall
