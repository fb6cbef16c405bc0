#include "index/write/training/term_lists.h"

#include <algorithm>
#include <limits>

#include "storage/fts5/fts_scan.h"

namespace recall {
namespace {

// Inverts the full-text index: from postings by term to terms by chunk, in bounded memory.
//
//   index      term 1: (row 3, 2) (row 7, 1) ...      Open: count the entries of each row
//              term 2: (row 3, 1) ...                 Reserve: prefix sums for the rows that fit
//   entries_   row 3: [1 x 2] [2 x 1]  row 7: ...     Load: write each entry to its row
//
// Problem: the inversion of all postings of a large store does not fit into memory, and sorting
// them on disk would take as long as analysing the texts.
//
// Idea: a counting sort with windows. The counts of all rows are known after the first pass, so
// each window takes the longest run of rows whose entries fit into `most_entries`; one pass of the
// index fills it. The embedder drops the terms that it does not know before postings are decoded.
//
// Invariants: an entry that does not fit its row or its 12 bits of count, or of a stem that has
// several terms, makes the row kUnclear, and Find then returns nothing, so the caller analyses the
// text. For a term that two runs of the index or two stems contain, Find returns nothing, too.
// Lists are therefore either right or absent.
//
// Cost: passes x index size; 4 bytes for each row and each entry, 128 MiB at most for entries. Find
// sorts one row.

constexpr uint32_t kMostRows = 16 << 20;  // between the first and the last row
constexpr uint32_t kCountBits = 12;
constexpr uint32_t kCountMask = (1u << kCountBits) - 1;
constexpr uint32_t kNotThere = std::numeric_limits<uint32_t>::max();
constexpr uint32_t kUnclear = std::numeric_limits<uint32_t>::max();

// Calls visit(term, posting) for the embedder's terms in the rows first..last.
template <typename Visit>
Result<bool> ScanTerms(const ReadTransaction& transaction, const TermEmbedder& embedder,
                       uint32_t first, uint32_t last, Visit visit) {
  std::optional<uint32_t> term;
  const auto wants = [&](std::string_view token) {
    term = embedder.FindStem(token);
    return term.has_value();
  };
  const auto visit_all = [&](const PostingList& postings) {
    for (const Posting& posting : postings) visit(*term, posting);
  };
  return ScanFtsBodies(transaction.connection(), first, last, wants, visit_all);
}

}  // namespace

Result<std::optional<TermLists>> TermLists::Open(const ReadTransaction& transaction,
                                                 const TermEmbedder& embedder,
                                                 std::span<const uint32_t> rows,
                                                 size_t most_entries) {
  if (rows.back() - rows.front() >= kMostRows) return std::nullopt;
  TermLists lists(most_entries);
  lists.first_row_ = rows.front();
  lists.counts_.assign(rows.back() - rows.front() + 1, kNotThere);
  for (const uint32_t row : rows) lists.counts_[row - rows.front()] = 0;
  const auto count = [&](uint32_t, const Posting& posting) {
    uint32_t& entries = lists.counts_[posting.row - lists.first_row_];
    if (entries != kNotThere) ++entries;
  };
  RECALL_ASSIGN(const bool sound,
                ScanTerms(transaction, embedder, rows.front(), rows.back(), count));
  if (!sound) return std::nullopt;
  return lists;
}

Result<bool> TermLists::Load(const ReadTransaction& transaction, const TermEmbedder& embedder,
                             uint32_t row) {
  Reserve(row);
  if (used_.empty()) return true;
  const uint32_t last = window_ + static_cast<uint32_t>(used_.size()) - 1;
  return ScanTerms(
      transaction, embedder, window_, last,
      [&](uint32_t term, const Posting& posting) { Add(term, posting.row, posting.count); });
}

void TermLists::Reserve(uint32_t row) {
  window_ = row;
  starts_.assign(1, 0);
  used_.clear();
  for (size_t i = row - first_row_; row >= first_row_ && i < counts_.size(); ++i) {
    const size_t entries = counts_[i] == kNotThere ? 0 : counts_[i];
    // A row itself takes the memory of two entries.
    const bool fits = starts_.back() + 2 * used_.size() + entries <= most_entries_;
    if (!fits && !used_.empty()) break;
    starts_.push_back(starts_.back() + static_cast<uint32_t>(fits ? entries : 0));
    used_.push_back(fits && counts_[i] != kNotThere ? 0 : kUnclear);
  }
  entries_.resize(starts_.back());
}

void TermLists::Add(uint32_t term, uint32_t row, uint32_t count) {
  uint32_t& used = used_[row - window_];
  if (used == kUnclear) return;
  const uint32_t at = starts_[row - window_] + used;
  if (term == TermEmbedder::kSeveralTerms || count > kCountMask ||
      at == starts_[row - window_ + 1]) {
    used = kUnclear;
    return;
  }
  entries_[at] = term << kCountBits | count;
  ++used;
}

std::optional<std::vector<TermEmbedder::TermCount>> TermLists::Find(uint32_t row) const {
  if (!Has(row) || used_[row - window_] == kUnclear) return std::nullopt;
  const auto begin = entries_.begin() + starts_[row - window_];
  std::vector<uint32_t> entries(begin, begin + used_[row - window_]);
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
