#include "index/maintain/term_lists.h"

#include <algorithm>
#include <limits>

#include "storage/chunk_scan.h"
#include "storage/sqlite/fts_scan.h"

namespace recall {
namespace {

constexpr size_t kMostEntries = 32 << 20;
constexpr size_t kMostRows = 256 << 10;
constexpr uint32_t kMostSpan = 4 << 20;  // between the first row and the last
constexpr uint32_t kCountBits = 12;
constexpr uint32_t kCountMask = (1u << kCountBits) - 1;
constexpr uint32_t kNowhere = std::numeric_limits<uint32_t>::max();
constexpr uint32_t kUnclear = std::numeric_limits<uint32_t>::max();

// The first of `rows`, so far as tables by row stay small.
std::span<const uint32_t> FirstRows(std::span<const uint32_t> rows) {
  rows = rows.first(std::min(rows.size(), kMostRows));
  const auto end = std::ranges::find_if(
      rows, [first = rows.front()](uint32_t row) { return row - first >= kMostSpan; });
  return rows.first(static_cast<size_t>(end - rows.begin()));
}

}  // namespace

Result<std::optional<TermLists>> TermLists::Read(const ReadTransaction& transaction,
                                                 const TermEmbedder& embedder,
                                                 std::span<const uint32_t> rows) {
  TermLists lists;
  RECALL_TRY(lists.ReserveEntries(transaction, FirstRows(rows)));
  if (lists.rows_.empty()) return std::nullopt;
  std::optional<uint32_t> term;
  const auto wants = [&](std::string_view token) {
    term = embedder.FindStem(token);
    return term.has_value();
  };
  const auto visit = [&](const PostingList& postings) {
    for (const Posting& posting : postings) lists.Add(*term, posting.row, posting.count);
  };
  RECALL_ASSIGN(const bool sound, ScanFtsBodies(transaction.connection(), lists.first_row_,
                                                lists.last_row(), wants, visit));
  if (!sound) return std::nullopt;
  return lists;
}

// A chunk has no more terms than tokens.
Status TermLists::ReserveEntries(const ReadTransaction& transaction,
                                 std::span<const uint32_t> rows) {
  first_row_ = rows.front();
  index_of_.assign(rows.back() - rows.front() + 1, kNowhere);
  size_t entries = 0;
  auto next = rows.begin();
  const auto reserve = [&](uint32_t row, int64_t tokens) {
    while (next != rows.end() && *next < row) ++next;  // those that have no chunk
    if (next == rows.end() || *next != row) return;
    const bool fits = tokens >= 0 && static_cast<uint64_t>(tokens) <= kMostEntries - entries;
    if (!fits) {
      next = rows.end();
      return;
    }
    index_of_[row - first_row_] = static_cast<uint32_t>(rows_.size());
    rows_.push_back(row);
    starts_.push_back(static_cast<uint32_t>(entries));
    entries += static_cast<size_t>(tokens);
  };
  RECALL_TRY(ScanChunkNumbers(transaction, ChunkNumber::kLexicalTokens, rows.front(), rows.back(),
                              reserve));
  starts_.push_back(static_cast<uint32_t>(entries));
  used_.assign(rows_.size(), 0);
  entries_.resize(entries);
  return Status::Ok();
}

std::optional<size_t> TermLists::IndexOf(uint32_t row) const {
  const uint32_t place = row - first_row_;  // wraps round for those below it
  if (place >= index_of_.size() || index_of_[place] == kNowhere) return std::nullopt;
  return index_of_[place];
}

void TermLists::Add(uint32_t term, uint32_t row, uint32_t count) {
  const auto index = IndexOf(row);
  if (!index || used_[*index] == kUnclear) return;
  const uint32_t at = starts_[*index] + used_[*index];
  if (count > kCountMask || at == starts_[*index + 1]) {
    used_[*index] = kUnclear;
    return;
  }
  entries_[at] = term << kCountBits | count;
  ++used_[*index];
}

std::optional<std::vector<TermEmbedder::TermCount>> TermLists::Find(uint32_t row) const {
  const auto index = IndexOf(row);
  if (!index || used_[*index] == kUnclear) return std::nullopt;
  const auto begin = entries_.begin() + starts_[*index];
  std::vector<uint32_t> entries(begin, begin + used_[*index]);
  std::ranges::sort(entries);
  std::vector<TermEmbedder::TermCount> terms;
  terms.reserve(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const uint32_t term = entries[i] >> kCountBits;
    if (i > 0 && term == entries[i - 1] >> kCountBits) return std::nullopt;
    const uint32_t count = entries[i] & kCountMask;
    if (count > 0) terms.push_back({term, count});
  }
  return terms;
}

}  // namespace recall
