#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index/embed/interface/embedder.h"
#include "storage/store/store.h"

namespace recall {

inline constexpr size_t kMostTermListEntries = 32 << 20;

// Which terms of an embedder the texts of chunks have, and how often. The lexical index knows that,
// by term; turning it round takes a small part of the time that reading and analysing the texts
// again does. One pass over the index counts what each chunk has, and one more reads as many
// chunks' lists as fit, for as often as it takes.
//
//   counts_   by row - first_row_: its entries, or kNotThere
//   starts_   by row - window_: where in entries_; and the end
//   used_     by row - window_: how many of its entries are there, or kUnclear
//   entries_  term << kCountBits | count
class TermLists final {
 public:
  // For `rows` (ascending, at least one), with at most `most_entries` of four bytes at a time, and
  // four bytes a row. Nothing when the index cannot be read so (ScanFtsBodies), or the rows lie
  // more than 16 Mi from each other.
  static Result<std::optional<TermLists>> Open(const ReadTransaction& transaction,
                                               const TermEmbedder& embedder,
                                               std::span<const uint32_t> rows,
                                               size_t most_entries = kMostTermListEntries);

  // Reads the lists of the row and of those behind it, in place of those read before. What a row's
  // text has never changes, so the transaction need not be that of Open. False: as above.
  Result<bool> Load(const ReadTransaction& transaction, const TermEmbedder& embedder, uint32_t row);

  // Whether Load has come to this row.
  bool Has(uint32_t row) const { return row >= window_ && row - window_ < used_.size(); }
  // What a chunk's text has, ascending by term. Nothing when the text must be asked: the row was
  // not asked for or not loaded, two runs of the index speak of it, or a term is there more often
  // than anyone would say it. Any number of threads may look.
  std::optional<std::vector<TermEmbedder::TermCount>> Find(uint32_t row) const;

 private:
  explicit TermLists(size_t most_entries) : most_entries_(most_entries) {}
  void Reserve(uint32_t row);
  void Add(uint32_t term, uint32_t row, uint32_t count);

  size_t most_entries_;
  uint32_t first_row_ = 0;
  std::vector<uint32_t> counts_;
  uint32_t window_ = 0;  // the first row that was loaded
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> used_;
  std::vector<uint32_t> entries_;
};

}  // namespace recall
