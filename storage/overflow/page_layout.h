#pragma once

#include <cstdint>
#include <optional>

#include "storage/base/result.h"

namespace recall {

class Connection;

// How SQLite stores a row of a table with exactly the columns (id INTEGER PRIMARY KEY, data BLOB)
// on pages
// (https://www.sqlite.org/fileformat2.html, "Cell Payload Overflow Pages"):
//
//   leaf cell   varint P | varint rowid | record header (H) | first bytes of data | first page
//   page 0      next page (4, big-endian) | U-4 bytes of data
//   page 1      next page                 | U-4 bytes of data ...
//
// U is the page size minus the bytes reserved at the end of each page, P = H + length of data. For
// the lengths that BlobLength returns, the leaf contains the minimum that SQLite ever stores there
// (M bytes with the record header), and every page of the chain is full. So byte `prefix + i*(U-4)`
// of the data is byte 4 of page i of the chain.
class PageLayout final {
 public:
  // Errors: Corruption unless page_size is a power of two in 512..65536 and U is at least 480.
  static Result<PageLayout> Make(uint32_t page_size, uint32_t usable);

  uint32_t page_size() const { return page_size_; }
  uint32_t usable() const { return usable_; }                       // U
  uint32_t chain_bytes() const { return usable_ - kPointerBytes; }  // data bytes on a chain page
  uint32_t max_local() const { return usable_ - 35; }               // X
  uint32_t min_local() const { return (usable_ - 12) * 32 / 255 - 23; }  // M

  // The bytes of a record of `payload` bytes that are in the leaf cell, and the pages for the rest.
  uint32_t LocalBytes(uint64_t payload) const;
  uint64_t ChainPages(uint64_t payload) const;

  // The length of data that fills exactly `pages` chain pages. Nothing for a few combinations,
  // because the length of the record header depends on the length of the data; never if U is a
  // power of two and the length below the 1e9 limit. Requires: pages >= 1.
  std::optional<uint64_t> BlobLength(uint32_t pages) const;
  // The bytes of such data that are in the leaf.
  uint32_t PrefixBytes(uint64_t blob_length) const;

  // H: one byte for its own length, one for the id (NULL), the varint of the BLOB's serial type.
  static uint32_t RecordHeaderBytes(uint64_t blob_length);

  friend bool operator==(const PageLayout&, const PageLayout&) = default;

  static constexpr uint32_t kPointerBytes = 4;

 private:
  PageLayout(uint32_t page_size, uint32_t usable) : page_size_(page_size), usable_(usable) {}

  uint32_t page_size_;
  uint32_t usable_;
};

// The layout of the database in the open transaction.
Result<PageLayout> ReadPageLayout(Connection& connection);

}  // namespace recall
