#include "storage/tables/chunk_lengths.h"

#include <algorithm>
#include <limits>

#include "storage/base/result.h"
#include "storage/sqlite/connection.h"

namespace recall {

Status ChunkLengths::Read(Connection& connection, uint32_t end) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT id, lexical_tokens FROM chunk WHERE id BETWEEN 0 AND ?1 "
                                  "ORDER BY id"));
  const StatementScope select(cached);
  select->BindInt(1, int64_t{end} - 1);
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    constexpr int64_t kMost = std::numeric_limits<uint16_t>::max();
    rows_.push_back(static_cast<uint32_t>(select->ColumnInt(0)));
    lengths_.push_back(static_cast<uint16_t>(std::clamp<int64_t>(select->ColumnInt(1), 0, kMost)));
  }
}

uint32_t ChunkLengths::Of(uint32_t row) {
  if (at_ == rows_.size() || rows_[at_] > row) at_ = 0;
  size_t step = 1;
  for (; at_ + step < rows_.size() && rows_[at_ + step] <= row; step *= 2) at_ += step;
  const auto from = rows_.begin() + static_cast<ptrdiff_t>(at_);
  const auto to = rows_.begin() + static_cast<ptrdiff_t>(std::min(at_ + step, rows_.size()));
  at_ = static_cast<size_t>(std::lower_bound(from, to, row) - rows_.begin());
  return at_ < rows_.size() && rows_[at_] == row ? lengths_[at_] : 0;
}

}  // namespace recall
