#include "storage/fts5/fts_run_audit.h"

#include <algorithm>
#include <utility>

#include "storage/base/bytes.h"
#include "storage/base/varint.h"
#include "storage/fts5/fts_instance_hash.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// A query steers by three structures of a run (fts_run_writer.h draws them), and a wrong number in
// one of them hides rows without any error:
//
//   lexicon_idx   key of a leaf         -> the only leaf on which a term can begin
//   leaf          footer, header        -> where terms begin, and where the first row of a
//                                          continued list begins
//   row index     first row of a leaf   -> the leaf of a row, for long lists
//
// The audit reads the leaves from the first to the last, as nobody but a merge does, so the lists
// themselves show what the three structures must contain:
//
// - terms ascend strictly, and share with the term before exactly the prefix that they say;
// - a list ends exactly where the footer says that the next term begins, or at the end of a leaf;
//   the rows of a list ascend strictly, and the positions of a row have exactly the stated size;
// - the header names the first row that begins on the leaf before any term, 0 if there is none;
// - each leaf on which a term begins has a key, greater than the term before the leaf and not
//   greater than its first term; no other leaf has one. The first leaf of a run may lack it, if a
//   merge in progress has deleted the leaves before;
// - the row index of a long list has the bytes that FtsRowIndex writes for these leaves, and the
//   key of the leaf on which the list begins says that it exists.
//
// Cost: one pass over the leaves. Source: SQLite's ext/fts5/fts5_index.c, above all
// fts5IndexIntegrityCheckSegment, which checks the same keys and row indexes.

constexpr uint64_t kAuditColumnMark = 1;
constexpr uint64_t kCompoundColumn = 1;
constexpr uint64_t kFirstPosition = 2;  // positions are stored plus 2, because 0 and 1 are marks
constexpr uint64_t kAuditMaxRow = 0xffffffff;

size_t CountShared(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

FtsRunAudit::FtsRunAudit(Connection& connection, const FtsRun& run, size_t leaf_bytes)
    : connection_(connection),
      run_(run),
      leaf_number_(run.first_leaf - 1),
      row_index_(run.id, leaf_bytes, [this](int64_t row, std::string_view page) -> Status {
        if (!row_index_known_) return Status::Ok();
        RECALL_ASSIGN(Statement * cached,
                      connection_.Cached("SELECT block FROM lexicon_data WHERE id = ?1"));
        const StatementScope select(cached);
        select->BindInt(1, row);
        RECALL_ASSIGN(const bool found, select->Step());
        const bool same = found && AsText(select->ColumnBlob(0)) == page;
        return same ? Status::Ok() : Damaged("the row index of its last list is wrong");
      }) {}

Status FtsRunAudit::Damaged(std::string_view what) const {
  return Status::Corruption("leaf " + std::to_string(leaf_number_) + " of run " +
                            std::to_string(run_.id) + ": " + std::string(what));
}

Status FtsRunAudit::Open() {
  open_ = true;
  RECALL_ASSIGN(leaves_, connection_.Prepare("SELECT id, block FROM lexicon_data "
                                             "WHERE id BETWEEN ?1 AND ?2 ORDER BY id"));
  leaves_->BindInt(1, FtsLeafRow(run_, run_.first_leaf));
  leaves_->BindInt(2, FtsLeafRow(run_, run_.last_leaf));
  RECALL_ASSIGN(keys_, connection_.Prepare("SELECT term, pgno FROM lexicon_idx WHERE segid = ?1 "
                                           "AND pgno >> 1 >= ?2 ORDER BY term"));
  keys_->BindInt(1, run_.id);
  keys_->BindInt(2, run_.first_leaf);
  return Status::Ok();
}

Status FtsRunAudit::ReadLeaf() {
  ++leaf_number_;
  RECALL_ASSIGN(const bool found, leaves_->Step());
  if (!found || leaves_->ColumnInt(0) != FtsLeafRow(run_, leaf_number_)) {
    return Damaged("it is missing");
  }
  leaf_ = FtsLeaf::Open(leaves_->ColumnBlob(1));
  if (!leaf_ || !leaf_->EndOfRest()) return Damaged("its header is wrong");
  terms_.emplace(*leaf_);
  leaf_term_.clear();
  first_on_leaf_ = true;
  has_row_on_leaf_ = false;
  return Status::Ok();
}

Result<bool> FtsRunAudit::Next() {
  if (!open_) RECALL_TRY(Open());
  if (!terms_ && HasMoreLeaves()) {
    RECALL_TRY(ReadLeaf());
    RECALL_TRY(ExpectTerm());
  }
  // The last list of a leaf has been read to its end, so the current leaf has a term, or is the
  // last one.
  if (!terms_ || terms_->AtEnd()) {
    RECALL_TRY(FinishKeys());
    return false;
  }
  RECALL_TRY(ReadTerm());
  return true;
}

// No list continues on the current leaf, so it must begin with a term.
Status FtsRunAudit::ExpectTerm() const {
  if (leaf_->EndOfRest() != leaf_->body()) return Damaged("it continues a list that has ended");
  if (leaf_->first_row() != 0) return Damaged("its header names a row before its first term");
  return terms_->AtEnd() ? Damaged("nothing is on it") : Status::Ok();
}

Status FtsRunAudit::ReadTerm() {
  const auto list = terms_->Next(&leaf_term_);
  if (!list) return Damaged("its footer is wrong");
  if (leaf_term_.empty() || leaf_term_[0] != kFtsWholeTerms || leaf_term_ <= term_) {
    return Damaged("its terms are not in order");
  }
  if (!first_on_leaf_ && terms_->shared() != CountShared(term_, leaf_term_)) {
    return Damaged("the prefix of a term is wrong");
  }
  if (first_on_leaf_) RECALL_TRY(CheckKey());  // compares with the term before
  term_ = leaf_term_;
  term_hash_ = FtsTermHash(term());
  first_on_leaf_ = false;
  has_row_on_leaf_ = true;
  rows_.clear();
  last_row_ = -1;
  row_index_.Begin(leaf_number_);
  row_index_known_ = leaf_number_ > run_.first_leaf || run_.first_leaf == 1;
  const bool last_on_leaf = terms_->AtEnd();
  const uint8_t* first_row = nullptr;
  RECALL_TRY(ReadRows(list->begin, list->end, &first_row));
  if (last_on_leaf) RECALL_TRY(ReadContinuation());
  if (open_row_.missing > 0) return Damaged("a list ends within a row");
  return rows_.empty() ? Damaged("a list is empty") : Status::Ok();
}

// Reads the rest of the last list of a leaf from the next ones.
Status FtsRunAudit::ReadContinuation() {
  const std::optional<bool> indexed = std::exchange(indexed_, std::nullopt);
  while (HasMoreLeaves()) {
    RECALL_TRY(ReadLeaf());
    const uint8_t* const end = leaf_->EndOfRest();
    if (end == leaf_->body()) {  // the list ended with the leaf before
      RECALL_TRY(ExpectTerm());
      break;
    }
    const uint8_t* first_row = nullptr;
    RECALL_TRY(ReadRows(leaf_->body(), end, &first_row));
    const uint64_t offset = first_row ? static_cast<uint64_t>(first_row - leaf_->start()) : 0;
    if (leaf_->first_row() != offset) return Damaged("its header does not name its first row");
    if (!terms_->AtEnd()) break;
    if (first_row == nullptr) row_index_.AddLeafWithoutRow();
    row_index_.CountLeaf();
  }
  const bool expected = row_index_.IsWorthIt();
  if (expected) RECALL_TRY(row_index_.Finish());
  if (indexed && row_index_known_ && *indexed != expected) {
    return Damaged("a key says the wrong thing about the row index of the list before");
  }
  return Status::Ok();
}

// Reads positions of the last row, then rows. *first_row is the first row that begins here.
Status FtsRunAudit::ReadRows(const uint8_t* begin, const uint8_t* end, const uint8_t** first_row) {
  const uint8_t* at = begin;
  if (open_row_.missing > 0) RECALL_TRY(ReadPositionsOnLeaf(&at, end));
  bool first_here = true;  // the first row of a leaf is stored as its number
  while (at != end) {
    if (open_row_.column_follows) return Damaged("the positions of a row are wrong");
    if (first_here) *first_row = at;
    uint64_t row = 0;
    uint64_t size = 0;
    at = ReadVarint(at, end, &row);
    if (at) at = ReadVarint(at, end, &size);
    if (!at) return Damaged("a row of a list is cut off");
    const uint64_t number =
        first_here ? row : static_cast<uint64_t>(last_row_) + std::min(row, kAuditMaxRow + 1);
    if (number > kAuditMaxRow || static_cast<int64_t>(number) <= last_row_) {
      return Damaged("the rows of a list are not in order");
    }
    if (!has_row_on_leaf_) {
      RECALL_TRY(row_index_.AddLeaf(leaf_number_, static_cast<uint32_t>(number)));
      has_row_on_leaf_ = true;
    }
    first_here = false;
    last_row_ = static_cast<int64_t>(number);
    rows_.push_back({.row = static_cast<uint32_t>(number)});
    open_row_ = {.missing = size / 2};
    RECALL_TRY(ReadPositionsOnLeaf(&at, end));
  }
  if (open_row_.missing == 0 && open_row_.column_follows) {
    return Damaged("the positions of a row are wrong");
  }
  return Status::Ok();
}

// Reads the missing positions of the last row as far as they are on this leaf, and moves *at past
// them.
Status FtsRunAudit::ReadPositionsOnLeaf(const uint8_t** at, const uint8_t* end) {
  const uint64_t here = std::min<uint64_t>(open_row_.missing, static_cast<uint64_t>(end - *at));
  if (!ReadPositions(*at, *at + here)) return Damaged("the positions of a row are wrong");
  open_row_.missing -= here;
  *at += here;
  return Status::Ok();
}

bool FtsRunAudit::ReadPositions(const uint8_t* at, const uint8_t* end) {
  FtsRowTokens& row = rows_.back();
  while (at != end) {
    uint64_t value = 0;
    at = ReadVarint(at, end, &value);
    if (!at) return false;
    if (open_row_.column_follows) {
      if (value != kCompoundColumn || open_row_.compound) return false;
      open_row_.compound = true;
      open_row_.offset = 0;
      open_row_.column_follows = false;
      continue;
    }
    if (value == kAuditColumnMark) {
      open_row_.column_follows = true;
      continue;
    }
    if (value < kFirstPosition) return false;
    open_row_.offset += value - kFirstPosition;
    row.sum += FtsInstanceHash(term_hash_, open_row_.compound, open_row_.offset);
    ++row.tokens;
  }
  return true;
}

// Compares the next key with the first term of the leaf, and with the term before it.
Status FtsRunAudit::CheckKey() {
  // Leaves before the first one of the run are deleted, and their keys are not read.
  const bool trimmed = leaf_number_ == run_.first_leaf && run_.first_leaf > 1;
  if (trimmed) {
    RECALL_ASSIGN(Statement * cached, connection_.Cached("SELECT count(*) FROM lexicon_idx WHERE "
                                                         "segid = ?1 AND pgno >> 1 = ?2"));
    const StatementScope count(cached);
    count->BindInt(1, run_.id);
    count->BindInt(2, leaf_number_);
    RECALL_ASSIGN(const bool row, count->Step());
    if (!row || count->ColumnInt(0) == 0) return Status::Ok();
  }
  RECALL_ASSIGN(const bool found, keys_->Step());
  if (!found || keys_->ColumnInt(1) >> 1 != leaf_number_) return Damaged("it has no key");
  const std::string_view key = AsText(keys_->ColumnBlob(0));
  const bool after_last = leaf_number_ == 1 ? key.empty() : key > std::string_view(term_);
  if (!after_last || key > std::string_view(leaf_term_)) return Damaged("its key is wrong");
  indexed_ = (keys_->ColumnInt(1) & 1) != 0;
  return Status::Ok();
}

Status FtsRunAudit::FinishKeys() {
  RECALL_ASSIGN(const bool more, keys_->Step());
  return more ? Damaged("a key names a leaf on which no term begins") : Status::Ok();
}

}  // namespace recall
