#include "index/write/check/fulltext_check.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "storage/fts5/fts_audit.h"
#include "storage/fts5/fts_index.h"
#include "storage/fts5/fts_instance_hash.h"
#include "storage/fts5/fts_vocabulary.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// Compares two multisets of (term, column, position) for each chunk without storing either of them.
//
//   from the text:  sum of FtsInstanceHash over all tokens of the chunk          Expect
//   from the index: sum over all tokens that the index has of it      FulltextContents::Read
//   equal sets:     equal sums, and the same number of tokens                    Compare
//
// Problem: the index is sorted by term and the texts by chunk. Comparing them directly needs a sort
// of all tokens of the store.
//
// Idea: a sum of 64-bit hashes (modulo 2^64) is independent of the order, so each side is added in
// its own order. Two different multisets have the same sum with a probability of about 2^-64.
//
// The index is read by AuditFts, which also verifies every structure by which queries find terms
// and rows. A query therefore finds what has been compared. If only FTS5 can read the index, each
// term is also queried.
//
// Neither side needs the other, so the index may be read on another thread than the texts.
//
// Cost: one pass over all texts and one over the index. Rowids ascend within a term, so Find
// gallops from its last result.

// Limits the number of rows without a chunk that are reported one by one.
constexpr size_t kMaxExtraRows = 65'536;

// The rows of one term, as a scan of the whole index lists them.
class ScannedTerm final {
 public:
  explicit ScannedTerm(Connection& connection) : connection_(connection) {}

  const std::string& text() const { return text_; }
  uint64_t hash() const { return hash_; }

  void Begin(std::string_view term) {
    text_ = term;
    hash_ = FtsTermHash(term);
    rows_.clear();
  }
  // Rows that no chunk can have are left to FulltextContents::Count.
  void Add(int64_t row) {
    if (row < 0 || row > std::numeric_limits<uint32_t>::max()) return;
    const auto known = static_cast<uint32_t>(row);
    if (rows_.empty() || rows_.back().row != known) rows_.push_back({known, 0});
    ++rows_.back().count;
  }
  // The scan does not use the keys by which a query finds the term. Errors: Corruption.
  Status CompareWithQuery() const {
    if (rows_.empty()) return Status::Ok();
    RECALL_ASSIGN(const auto found, ReadPostings(connection_, {{.tokens = {text_}}}));
    if (found.front() == rows_) return Status::Ok();
    return Status::Corruption("queries do not find all rows of the term '" + text_ + "'");
  }

 private:
  Connection& connection_;
  std::string text_;
  uint64_t hash_ = FtsTermHash("");
  PostingList rows_;
};

// Lets FTS5 compare the rest of its structures. SQLite 3.44 and later do so; before, the statement
// reports "ok".
Status CheckByFts5(Connection& connection) {
  RECALL_ASSIGN(Statement check, connection.Prepare("PRAGMA integrity_check(lexicon)"));
  for (;;) {
    RECALL_ASSIGN(const bool row, check.Step());
    if (!row) return Status::Ok();
    if (check.ColumnText(0) != "ok") return Status::Corruption(std::string(check.ColumnText(0)));
  }
}

}  // namespace

Status FulltextContents::ReadRows(Connection& connection) {
  constexpr int64_t kEndRow = int64_t{1} << 32;
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT id FROM chunk WHERE id >= 0 AND id < ?1 ORDER BY id"));
  select.BindInt(1, kEndRow);
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    rows_.push_back({.row = static_cast<uint32_t>(select.ColumnInt(0))});
  }
}

FulltextContents::Row* FulltextContents::Find(int64_t row) {
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

void FulltextContents::Count(int64_t row, uint32_t tokens, uint64_t sum) {
  if (Row* known = Find(row)) {
    known->tokens += tokens;
    known->sum += sum;
  } else if (extra_.size() < kMaxExtraRows || extra_.contains(row)) {
    extra_[row] += tokens;
  }
}

// Lets FTS5 read the index.
Status FulltextContents::ScanInstances(Connection& connection) {
  ScannedTerm term(connection);
  const auto take = [&](const FtsInstance& instance) -> Status {
    if (instance.term != term.text()) {
      RECALL_TRY(term.CompareWithQuery());
      term.Begin(instance.term);
    }
    term.Add(instance.row);
    Count(instance.row, 1,
          FtsInstanceHash(term.hash(), instance.compound, static_cast<uint64_t>(instance.offset)));
    return Status::Ok();
  };
  RECALL_TRY(ScanFtsInstances(connection, take));
  return term.CompareWithQuery();
}

Status FulltextContents::ReadIndex(CheckRun& run) {
  RECALL_ASSIGN(const bool known,
                AuditFts(run.connection(),
                         [&](std::string_view, std::span<const FtsRowTokens> rows) -> Status {
                           at_ = 0;
                           for (const FtsRowTokens& row : rows) Count(row.row, row.tokens, row.sum);
                           return run.CheckCancelled();
                         }));
  if (known) return Status::Ok();
  RECALL_TRY(CheckByFts5(run.connection()));
  return ScanInstances(run.connection());
}

Status FulltextContents::Read(CheckRun& run) {
  fault_ = ReadRows(run.connection());
  if (fault_.ok()) fault_ = ReadIndex(run);
  return EndsExamination(fault_) ? fault_ : Status::Ok();
}

void FulltextCheck::Expect(uint32_t row, const ChunkFacts* facts) {
  Row entry{.row = row, .known = facts != nullptr};
  if (facts != nullptr) {
    entry.tokens = facts->in_index.tokens;
    entry.sum = facts->in_index.sum;
  }
  rows_.push_back(entry);
}

Status FulltextCheck::Compare(CheckRun& run, const FulltextContents& found) const {
  if (!found.fault().ok()) {
    return run.Absorb(found.fault(), FindingCode::kLexiconUnreadable, "lexicon");
  }
  std::map<int64_t, int64_t> extra = found.extra();
  auto at = found.rows().begin();
  for (const Row& expected : rows_) {
    for (; at != found.rows().end() && at->row < expected.row; ++at) extra[at->row] = at->tokens;
    const bool has = at != found.rows().end() && at->row == expected.row;
    ReportRow(run, expected, has ? *at++ : FulltextContents::Row{.row = expected.row});
  }
  for (; at != found.rows().end(); ++at) extra[at->row] = at->tokens;
  if (!report_extra_) return Status::Ok();
  for (const auto& [row, tokens] : extra) {
    if (tokens == 0) continue;
    run.findings().Add(FindingCode::kLexiconExtra, ChunkRowName(row),
                       "the index has " + std::to_string(tokens) + " tokens for it");
  }
  return Status::Ok();
}

void FulltextCheck::ReportRow(CheckRun& run, const Row& expected,
                              const FulltextContents::Row& found) {
  if (!expected.known || (expected.sum == found.sum && expected.tokens == found.tokens)) return;
  const bool missing = found.tokens == 0;
  const std::string tokens = std::to_string(expected.tokens);
  run.findings().Add(
      missing ? FindingCode::kLexiconMissing : FindingCode::kLexiconDrift,
      ChunkRowName(expected.row),
      missing ? "the index has none of its " + tokens + " tokens"
      : found.tokens == expected.tokens
          ? "some of its " + tokens + " tokens differ in text or position"
          : "the index has " + std::to_string(found.tokens) + " tokens, expected " + tokens);
}

}  // namespace recall
