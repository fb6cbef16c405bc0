#include "storage/fts5/fts_run_writer.h"

#include <algorithm>
#include <utility>

#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/base/varint.h"
#include "storage/fts5/fts_leaf.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// Writes the leaves of one sorted run as FTS5 itself does (SQLite's ext/fts5/fts5_index.c,
// fts5WriteAppendTerm, fts5WriteAppendRowid, fts5WriteAppendPoslistData), so that any program with
// FTS5 reads, checks and merges it. Input are tokens in ascending order with encoded lists.
//
//   lexicon_idx (run, key, leaf)      ""  -> 1               "0d" -> 3
//                                     |                      |
//   lexicon_data (run << 37 | leaf)   leaf 1      leaf 2     leaf 3
//                                     apple, cat  cat ...    cat ..., door
//                                            (one list on three leaves)
//
// Invariants that readers rely on:
// - The first token of a leaf is stored whole, others without the prefix that they share with the
//   token before.
// - The first row on a leaf is stored as its number, even in the middle of a list; others as
//   differences. The header gives its offset if the list continues from the leaf before.
// - A row's number and size are on one leaf. Positions may continue on the next leaves, but no
//   varint is split.
// - lexicon_idx has a key for each leaf on which a token begins: the shortest prefix of its first
//   token that is greater than the last token before it. The first leaf has the empty key.
// - The lowest bit of lexicon_idx.pgno shows whether the last list that begins on the leaf has a
//   row index. That is known only when the list ends, so a key is written when the next one is
//   known (FlushKey).
//
// Cost: one copy of the bytes and one INSERT a leaf; memory for one leaf. Lists that fit on the
// current leaf, nearly all, are copied without being decoded.

constexpr size_t kRunLeafHeaderBytes = 4;
constexpr size_t kMaxRowBytes = 5;  // of a row's number

void StoreBig16(size_t value, char* to) {
  to[0] = static_cast<char>(value >> 8);
  to[1] = static_cast<char>(value);
}

size_t SharedPrefix(std::string_view a, std::string_view b) {
  const size_t most = std::min(a.size(), b.size());
  size_t shared = 0;
  while (shared < most && a[shared] == b[shared]) ++shared;
  return shared;
}

}  // namespace

FtsRunWriter::FtsRunWriter(Connection& connection, int64_t id, size_t leaf_bytes)
    : connection_(connection),
      id_(id),
      leaf_bytes_(leaf_bytes),
      leaf_(kRunLeafHeaderBytes, '\0'),
      row_index_(id, leaf_bytes, [&connection](int64_t row, std::string_view page) {
        return WriteFtsBlock(connection, row, page);
      }) {}

Status FtsRunWriter::FlushKey() {
  if (key_leaf_ == 0) return Status::Ok();
  const bool indexed = row_index_.IsWorthIt();
  if (indexed) RECALL_TRY(row_index_.Finish());
  RECALL_ASSIGN(
      Statement * insert,
      connection_.Cached("REPLACE INTO lexicon_idx(segid, term, pgno) VALUES(?1, ?2, ?3)"));
  insert->BindInt(1, id_);
  insert->BindBlob(2, AsBytes(key_));
  insert->BindInt(3, key_leaf_ << 1 | (indexed ? 1 : 0));
  key_leaf_ = 0;
  return insert->Run();
}

Status FtsRunWriter::FlushLeaf() {
  StoreBig16(leaf_.size(), leaf_.data() + 2);
  if (footer_.empty()) {
    if (!has_row_) row_index_.AddLeafWithoutRow();
    row_index_.CountLeaf();
  }
  leaf_ += footer_;
  RECALL_TRY(WriteFtsBlock(connection_, FtsLeafRow({.id = id_}, leaf_number_), leaf_));
  leaf_.assign(kRunLeafHeaderBytes, '\0');
  footer_.clear();
  last_token_at_ = 0;
  has_row_ = false;
  ++leaf_number_;
  return Status::Ok();
}

// The first token of a leaf is stored whole.
Status FtsRunWriter::AddToken(std::string_view token) {
  next_token_.assign(1, kFtsWholeTerms);
  next_token_ += token;
  if (used() + next_token_.size() + 2 >= leaf_bytes_ && leaf_.size() > kRunLeafHeaderBytes) {
    RECALL_TRY(FlushLeaf());
  }
  size_t shared = SharedPrefix(token_, next_token_);
  const bool first = footer_.empty();
  AppendVarint(leaf_.size() - last_token_at_, &footer_);
  last_token_at_ = leaf_.size();
  if (!first) {
    AppendVarint(shared, &leaf_);
  } else {
    if (leaf_number_ > 1) {
      RECALL_TRY(FlushKey());
      key_ = next_token_.substr(0, shared + 1);
      key_leaf_ = leaf_number_;
    }
    shared = 0;
  }
  AppendVarint(next_token_.size() - shared, &leaf_);
  leaf_.append(next_token_, shared);
  std::swap(token_, next_token_);
  has_row_ = true;
  list_begins_ = true;
  row_index_.Begin(leaf_number_);
  return Status::Ok();
}

Status FtsRunWriter::AddRowNumber(uint32_t row) {
  RECALL_CHECK(list_begins_ || row > last_row_);
  if (!has_row_) {
    StoreBig16(leaf_.size(), leaf_.data());
    RECALL_TRY(row_index_.AddLeaf(leaf_number_, row));
  }
  AppendVarint(list_begins_ || !has_row_ ? row : row - last_row_, &leaf_);
  has_row_ = true;
  list_begins_ = false;
  last_row_ = row;
  return Status::Ok();
}

// Most lists are short: they fit on the leaf and are copied without being decoded.
Status FtsRunWriter::AddRows(uint32_t first_row, uint32_t last_row, ByteSpan list) {
  if (used() + kMaxRowBytes + list.size() < leaf_bytes_) {
    RECALL_TRY(AddRowNumber(first_row));
    leaf_ += AsText(list);
    last_row_ = last_row;
    return Status::Ok();
  }
  const uint8_t* const end = list.data() + list.size();
  uint64_t row = first_row;
  for (const uint8_t* at = list.data();;) {
    uint64_t size = 0;
    at = ReadVarint(at, end, &size);
    RECALL_CHECK(at && size / 2 <= static_cast<uint64_t>(end - at));
    const ByteSpan positions(at, size / 2);
    RECALL_TRY(AddRow(static_cast<uint32_t>(row), size, positions));
    at += positions.size();
    if (at == end) return Status::Ok();
    uint64_t step = 0;
    at = ReadVarint(at, end, &step);
    RECALL_CHECK(at);
    row += step;
  }
}

// A row's number and size are on one leaf; its positions may continue on the next ones.
Status FtsRunWriter::AddRow(uint32_t row, uint64_t size, ByteSpan positions) {
  if (used() >= leaf_bytes_) RECALL_TRY(FlushLeaf());
  RECALL_TRY(AddRowNumber(row));
  AppendVarint(size, &leaf_);
  while (used() + positions.size() >= leaf_bytes_) {
    const size_t room = leaf_bytes_ - std::min(used(), leaf_bytes_);
    const uint8_t* const end = positions.data() + positions.size();
    const uint8_t* cut = positions.data();
    while (cut < positions.data() + room) {  // no varint is split between two leaves
      uint64_t unused = 0;
      cut = ReadVarint(cut, end, &unused);
      RECALL_CHECK(cut);
    }
    const auto here = static_cast<size_t>(cut - positions.data());
    leaf_ += AsText(positions.first(here));
    positions = positions.subspan(here);
    RECALL_TRY(FlushLeaf());
  }
  leaf_ += AsText(positions);
  return Status::Ok();
}

Result<FtsRun> FtsRunWriter::Finish() {
  if (leaf_.size() > kRunLeafHeaderBytes) RECALL_TRY(FlushLeaf());
  const int64_t leaves = leaf_number_ - 1;
  if (leaves > 0) RECALL_TRY(FlushKey());
  return FtsRun{id_, leaves > 0 ? 1 : 0, leaves};
}

}  // namespace recall
