#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index/embed/embedder.h"
#include "storage/store.h"

namespace recall {

// Which terms of an embedder the texts of chunks have, and how often. The lexical index knows that,
// by term; turning it round takes a small part of the time that reading and analysing the texts
// again does. Immutable: any number of threads may look.
class TermLists final {
 public:
  // Those of the first of `rows` (ascending, at least one): as many as fit 128 MiB. Nothing when the
  // index cannot be read so (ScanFtsBodies). `embedder` is used during the call alone.
  // Cost: one pass over the index, whatever the number of rows.
  static Result<std::optional<TermLists>> Read(const ReadTransaction& transaction,
                                               const TermEmbedder& embedder,
                                               std::span<const uint32_t> rows);

  // The greatest of the rows that were read.
  uint32_t last_row() const { return rows_.back(); }
  // What a chunk's text has, ascending by term. Nothing when the text must be asked: the row was
  // not read, two runs of the index speak of it, it holds more than the chunk has tokens, or a term
  // more often than anyone would say it.
  std::optional<std::vector<TermEmbedder::TermCount>> Find(uint32_t row) const;

 private:
  TermLists() = default;
  Status ReserveEntries(const ReadTransaction& transaction, std::span<const uint32_t> rows);
  void Add(uint32_t term, uint32_t row, uint32_t count);
  std::optional<size_t> IndexOf(uint32_t row) const;

  std::vector<uint32_t> rows_;  // with a chunk, of those that were asked for
  uint32_t first_row_ = 0;
  std::vector<uint32_t> index_of_;  // by row - first_row_: where in rows_, or kNowhere
  std::vector<uint32_t> starts_;    // by index: where in entries_; and the end
  std::vector<uint32_t> used_;      // by index: how many entries, or kUnclear
  std::vector<uint32_t> entries_;   // term << kCountBits | count
};

}  // namespace recall
