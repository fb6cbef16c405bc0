#include "index/check/fulltext_check.h"

#include <algorithm>
#include <span>
#include <string>

#include "storage/fts5/fts_audit.h"
#include "storage/fts5/fts_instance_hash.h"
#include "storage/fts5/fts_vocabulary.h"

namespace recall {
namespace {

// Compares two multisets of (term, column, position) for each chunk without storing either of them.
//
//   from the text:  sum of FtsInstanceHash over all tokens of the chunk       Expect
//   from the index: subtract the hashes of all tokens that the index has of it  Compare
//   equal sets:     difference 0, and the same number of tokens
//
// Problem: the index is sorted by term and the texts by chunk. Comparing them directly needs a sort
// of all tokens of the store.
//
// Idea: a sum of 64-bit hashes (modulo 2^64) is independent of the order, so each side is added in
// its own order. Two different multisets have the same sum with a probability of about 2^-64.
//
// The index is read by AuditFts, which also verifies every structure by which queries find terms
// and rows. A query therefore finds what has been compared.
//
// Cost: one pass over all texts and one over the index; 24 bytes for each chunk. Rowids ascend
// within a term, so Find gallops from its last result.

// Limits the number of rows without a chunk that are reported one by one.
constexpr size_t kMaxExtraRows = 65'536;

}  // namespace

void FulltextCheck::Expect(uint32_t row, const ChunkFacts* facts) {
  Row entry{.row = row, .known = facts != nullptr};
  if (facts != nullptr) {
    entry.expected = facts->lexicon_tokens;
    entry.difference = facts->lexicon_sum;
  }
  rows_.push_back(entry);
}

FulltextCheck::Row* FulltextCheck::Find(int64_t row) {
  if (rows_.empty() || row < rows_.front().row || row > rows_.back().row) return nullptr;
  const int64_t index = row - rows_.front().row;
  if (rows_.back().row - rows_.front().row + 1 == rows_.size()) {
    return &rows_[static_cast<size_t>(index)];
  }
  // Rows ascend within a term, so gallop from the last result.
  auto from = rows_.begin();
  auto to = rows_.end();
  if (rows_[at_].row <= row) {
    from += static_cast<ptrdiff_t>(at_);
    for (ptrdiff_t step = 8; to - from > step && from[step].row <= row; step *= 2) from += step;
  }
  const auto found =
      std::lower_bound(from, to, row, [](const Row& entry, int64_t r) { return entry.row < r; });
  if (found == rows_.end() || found->row != row) return nullptr;
  at_ = static_cast<size_t>(found - rows_.begin());
  return &*found;
}

void FulltextCheck::Count(int64_t row, uint32_t tokens, uint64_t sum) {
  if (Row* known = Find(row)) {
    known->found += tokens;
    known->difference -= sum;
  } else if (extra_.size() < kMaxExtraRows || extra_.contains(row)) {
    extra_[row] += tokens;
  }
}

// Lets FTS5 read an index of a version that AuditFts does not know.
Status FulltextCheck::ScanInstances(Connection& connection) {
  std::string term;
  uint64_t term_hash = FtsTermHash(term);
  return ScanFtsInstances(connection, [&](const FtsInstance& instance) {
    if (instance.term != term) {
      term = instance.term;
      term_hash = FtsTermHash(term);
    }
    Count(instance.row, 1,
          FtsInstanceHash(term_hash, instance.compound, static_cast<uint64_t>(instance.offset)));
    return Status::Ok();
  });
}

Status FulltextCheck::ReadIndex(CheckRun& run) {
  RECALL_ASSIGN(const bool known,
                AuditFts(run.connection(),
                         [&](std::string_view, std::span<const FtsRowTokens> rows) -> Status {
                           at_ = 0;
                           for (const FtsRowTokens& row : rows) Count(row.row, row.tokens, row.sum);
                           return run.CheckCancelled();
                         }));
  return known ? Status::Ok() : ScanInstances(run.connection());
}

Status FulltextCheck::Compare(CheckRun& run, bool report_extra) {
  const Status read = ReadIndex(run);
  RECALL_TRY(run.Absorb(read, FindingCode::kLexiconUnreadable, "lexicon"));
  if (!read.ok()) return Status::Ok();
  ReportRows(run);
  if (!report_extra) return Status::Ok();
  for (const auto& [row, tokens] : extra_) {
    run.findings().Add(FindingCode::kLexiconExtra, ChunkRowName(row),
                       "the index has " + std::to_string(tokens) + " tokens for it");
  }
  return Status::Ok();
}

void FulltextCheck::ReportRows(CheckRun& run) const {
  for (const Row& row : rows_) {
    if (!row.known || (row.difference == 0 && row.found == row.expected)) continue;
    const bool missing = row.found == 0;
    const std::string expected = std::to_string(row.expected);
    run.findings().Add(
        missing ? FindingCode::kLexiconMissing : FindingCode::kLexiconDrift, ChunkRowName(row.row),
        missing ? "the index has none of its " + expected + " tokens"
        : row.found == row.expected
            ? "some of its " + expected + " tokens differ in text or position"
            : "the index has " + std::to_string(row.found) + " tokens, expected " + expected);
  }
}

}  // namespace recall
