#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index/embed/embedder/embedder.h"
#include "storage/store/store.h"

namespace recall {

inline constexpr size_t kMostTermListEntries = 32 << 20;

// The terms of an embedder that the texts of chunks contain, and their counts. The full-text index
// has this information by term. Inverting it takes a small part of the time of reading and
// analysing the texts again. One pass over the index counts the terms of each chunk; each further
// pass reads the lists of as many chunks as fit into memory.
//
//   counts_   by row - first_row_: number of its entries, or kNotThere
//   starts_   by row - window_: its first entry in entries_; then the end
//   used_     by row - window_: number of its entries read so far, or kUnclear
//   entries_  term << kCountBits | count
class TermLists final {
 public:
  // Counts the terms of `rows` (ascending, at least one). It uses at most `most_entries` entries of
  // four bytes at a time, and four bytes for each row. Returns: nullopt if the index cannot be read
  // directly (ScanFtsBodies), or if the rows span more than 16 Mi rowids.
  static Result<std::optional<TermLists>> Open(const ReadTransaction& transaction,
                                               const TermEmbedder& embedder,
                                               std::span<const uint32_t> rows,
                                               size_t most_entries = kMostTermListEntries);

  // Reads the lists of the row and of the following rows, in place of those read before. The text
  // of a row never changes, so the transaction may be another one than that of Open. Returns false
  // if the index cannot be read directly.
  Result<bool> Load(const ReadTransaction& transaction, const TermEmbedder& embedder, uint32_t row);

  // Whether Load has reached this row.
  bool Has(uint32_t row) const { return row >= window_ && row - window_ < used_.size(); }
  // Returns: the terms of a chunk, ascending; nullopt if its text must be analysed instead, because
  // the row was not requested or not loaded, two runs of the index contain the same term of it, or
  // a count does not fit. Thread-safe.
  std::optional<std::vector<TermEmbedder::TermCount>> Find(uint32_t row) const;

 private:
  explicit TermLists(size_t most_entries) : most_entries_(most_entries) {}
  void Reserve(uint32_t row);
  void Add(uint32_t term, uint32_t row, uint32_t count);

  size_t most_entries_;
  uint32_t first_row_ = 0;
  std::vector<uint32_t> counts_;
  uint32_t window_ = 0;  // the first loaded row
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> used_;
  std::vector<uint32_t> entries_;
};

}  // namespace recall
