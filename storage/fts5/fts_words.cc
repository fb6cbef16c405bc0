#include "storage/fts5/fts_words.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "storage/base/bytes.h"
#include "storage/base/varint.h"
#include "storage/fts5/fts_doclist.h"
#include "storage/fts5/fts_leaf.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// FTS5 passes each match to an auxiliary function through a cursor and an instance array, which
// costs about 70 ns. Decoding the postings from FTS5's own pages costs a few. A token is read like
// this (docs/decisions/0018-postings-from-pages.md):
//
//   for each run, oldest first (a posting list of the token may exist in each of them):
//     lexicon_idx: the last key <= token      -> the only leaf on which its list can begin
//     lexicon_data: that leaf                 -> scan its terms; its list, or none
//     list continues up to the leaf's end?    -> following leaves, up to the one where it ends
//     merge with the lists of older runs; in both: the newer one counts
//   remove deleted rows (count 0)
//
// If only rows from `first_row` on are requested, a binary search over the leaves of the list (each
// gives its first row) replaces the scan of the leaves before.
//
// Invariants: the version of the format is known and no write transaction is open
// (ReadableFtsRuns), so the tables contain everything. All reads belong to one transaction, so the
// leaves fit the list of runs. Bytes are untrusted: a missing leaf, or one that does not parse,
// gives "nothing", and the caller evaluates the phrase with FTS5, which reports the damage.
//
// Cost: per run, two b-tree look-ups and a pass over the list. There are at most sixteen runs a
// level, outside of a merge.

// Merges two consecutive lists, of which the newer begins at `newer`. For a row in both, the newer
// posting counts.
void MergeNewer(size_t newer, PostingList* list) {
  const bool in_order =
      newer == 0 || newer == list->size() || (*list)[newer].row > (*list)[newer - 1].row;
  if (in_order) return;
  const auto middle = list->begin() + static_cast<ptrdiff_t>(newer);
  PostingList merged(list->size());
  // std::merge puts the first range first among equal rows, and std::unique keeps the first.
  const auto by_row = [](const Posting& a, const Posting& b) { return a.row < b.row; };
  std::merge(middle, list->end(), list->begin(), middle, merged.begin(), by_row);
  const auto equal = [](const Posting& a, const Posting& b) { return a.row == b.row; };
  merged.erase(std::unique(merged.begin(), merged.end(), equal), merged.end());
  *list = std::move(merged);
}

}  // namespace

void FtsWords::CloseBlob::operator()(sqlite3_blob* blob) const { sqlite3_blob_close(blob); }

Result<std::optional<FtsWords>> FtsWords::Open(Connection& connection) {
  RECALL_ASSIGN(auto runs, ReadableFtsRuns(connection));
  if (!runs) return std::nullopt;
  return FtsWords(&connection, *std::move(runs));
}

Result<std::optional<int64_t>> FtsWords::AskLeaf(const char* sql, const FtsRun& run,
                                                 std::string_view key) {
  RECALL_ASSIGN(Statement * cached, connection_->Cached(sql));
  const StatementScope find(cached);
  find->BindInt(1, run.id);
  find->BindBlob(2, AsBytes(key));
  RECALL_ASSIGN(const bool row, find->Step());
  if (!row) return std::nullopt;
  return std::optional(find->ColumnInt(0));
}

// The only leaf of the run on which the list of the term can begin.
Result<int64_t> FtsWords::FindLeaf(const FtsRun& run, std::string_view key) {
  RECALL_ASSIGN(const auto leaf, AskLeaf("SELECT pgno >> 1 FROM lexicon_idx WHERE segid = ?1 AND "
                                         "term <= ?2 ORDER BY term DESC LIMIT 1",
                                         run, key));
  // A merge in progress deletes the leaves of a run from the first one on.
  return std::max(leaf.value_or(run.first_leaf), run.first_leaf);
}

Result<std::optional<ByteSpan>> FtsWords::ReadLeaf(int64_t row) {
  int code = SQLITE_OK;
  if (blob_) {
    code = sqlite3_blob_reopen(blob_.get(), row);
  } else {
    sqlite3_blob* opened = nullptr;
    code =
        sqlite3_blob_open(connection_->handle(), "main", "lexicon_data", "block", row, 0, &opened);
    blob_.reset(opened);
  }
  if (code == SQLITE_OK) {
    leaf_.resize(static_cast<size_t>(sqlite3_blob_bytes(blob_.get())));
    code = sqlite3_blob_read(blob_.get(), leaf_.data(), static_cast<int>(leaf_.size()), 0);
  }
  if (code == SQLITE_OK) return ByteSpan(leaf_);
  blob_.reset();  // unusable after an error
  if (code == SQLITE_ERROR) return std::nullopt;
  return Fail(connection_->ToStatus(code, "read the full-text index"));
}

// Among the leaves after `leaf`, on which the term's list begins: the last one that the list
// reaches and whose first row is at most `row`. Returns `leaf` if there is none.
Result<int64_t> FtsWords::FindRow(const FtsRun& run, int64_t leaf, std::string_view key,
                                  uint32_t row) {
  RECALL_ASSIGN(const auto next, AskLeaf("SELECT pgno >> 1 FROM lexicon_idx WHERE segid = ?1 AND "
                                         "term > ?2 ORDER BY term LIMIT 1",
                                         run, key));
  // The leaves before the one where the next term begins contain nothing but this list.
  int64_t end = std::min(next.value_or(run.last_leaf + 1), run.last_leaf + 1);
  while (end - leaf > 1) {
    const int64_t middle = leaf + (end - leaf) / 2;
    RECALL_ASSIGN(const auto bytes, ReadLeaf(FtsLeafRow(run, middle)));
    const auto here = bytes ? FtsLeaf::Open(*bytes) : std::nullopt;
    const uint8_t* const rows = here ? here->FirstRow() : nullptr;
    uint64_t first = 0;
    const bool begins = rows && rows < here->footer() && here->EndOfRest() == here->footer() &&
                        ReadVarint(rows, here->footer(), &first) && first <= row;
    begins ? leaf = middle : end = middle;
  }
  return leaf;
}

Result<bool> FtsWords::ReadRun(const FtsRun& run, std::string_view key, uint32_t first_row,
                               PostingList* list) {
  RECALL_ASSIGN(const int64_t number, FindLeaf(run, key));
  if (number > run.last_leaf) return true;
  RECALL_ASSIGN(const auto bytes, ReadLeaf(FtsLeafRow(run, number)));
  const auto leaf = bytes ? FtsLeaf::Open(*bytes) : std::nullopt;
  const auto found = leaf ? leaf->Find(key) : std::nullopt;
  if (!found) return false;
  if (!found->begin) return true;
  FtsDoclist doclist(list, {.first_row = first_row});
  if (!doclist.ReadRows(found->begin, found->end)) return false;
  if (found->end != leaf->footer()) return doclist.complete();
  if (first_row == 0) return ReadOn(run, number + 1, &doclist);
  RECALL_ASSIGN(const int64_t from, FindRow(run, number, key, first_row));
  if (from > number) doclist.PassOver();
  return ReadOn(run, std::max(from, number + 1), &doclist);
}

// Reads the rest of a list from `leaf` on, up to the leaf on which it ends.
Result<bool> FtsWords::ReadOn(const FtsRun& run, int64_t leaf, FtsDoclist* doclist) {
  RECALL_ASSIGN(Statement * cached,
                connection_->Cached("SELECT id, block FROM lexicon_data WHERE id BETWEEN ?1 AND ?2 "
                                    "ORDER BY id"));
  const StatementScope leaves(cached);
  leaves->BindInt(1, FtsLeafRow(run, leaf));
  leaves->BindInt(2, FtsLeafRow(run, run.last_leaf));
  for (; leaf <= run.last_leaf; ++leaf) {
    RECALL_ASSIGN(const bool row, leaves->Step());
    const auto here = row ? FtsLeaf::Open(leaves->ColumnBlob(1)) : std::nullopt;
    if (!here || leaves->ColumnInt(0) != FtsLeafRow(run, leaf)) return false;
    const uint8_t* const end = here->EndOfRest();
    const uint8_t* const rows = here->FirstRow();
    if (!end || !rows || rows > end) return false;
    if (!doclist->ReadRest(here->body(), rows) || !doclist->ReadRows(rows, end)) return false;
    if (end != here->footer()) break;
  }
  return doclist->complete();
}

Result<std::optional<PostingList>> FtsWords::Read(std::string_view token, uint32_t first_row) {
  const std::string key = kFtsWholeTerms + std::string(token);
  PostingList all;
  for (const FtsRun& run : runs_) {
    const size_t newer = all.size();
    RECALL_ASSIGN(const bool sound, ReadRun(run, key, first_row, &all));
    if (!sound) return std::nullopt;
    MergeNewer(newer, &all);
  }
  std::erase_if(all, [](const Posting& posting) { return posting.count == 0; });
  return all;
}

}  // namespace recall
