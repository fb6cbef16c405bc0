#include "storage/fts5/fts_batch.h"

#include <algorithm>
#include <utility>

#include "storage/base/bytes.h"
#include "storage/base/coding.h"
#include "storage/fts5/fts_index.h"
#include "storage/fts5/fts_merge.h"
#include "storage/fts5/fts_row_texts.h"
#include "storage/fts5/fts_run_writer.h"
#include "storage/fts5/fts_structure.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// The problem: FTS5 builds its index from inserted texts on the writing thread. That took two
// thirds of the time of an ingest.
//
// The idea: worker threads tokenise texts and encode positions in the bytes of FTS5's own format
// (FtsPostings, up to 64 chunks each). The writing thread only gathers those encoded lists, sorts
// them by token and concatenates them into one new sorted run of the index:
//
//   Add    FtsPostings A: {cat: rows 0..3, dog: rows 1..2}, FtsPostings B: {cat: rows 64..70}
//          -> entries: cat, dog (a hash table);   pieces: cat/A, dog/A, cat/B, in order of arrival
//   Write  entries sorted by bytes;  pieces grouped by entry (a counting sort, which is stable)
//          -> FtsRunWriter: cat: A, B; dog: A     -> run on level 0 -> merge of full levels
//
// Invariants: the rows of a batch ascend and are greater than all rows of the index, because chunk
// rowids are handed out once. The pieces of a token therefore need no merging, only concatenation.
// The whole change (run, list of runs, totals) is one write transaction.
//
// Cost: O(pieces + entries log entries) and two copies of the encoded bytes. A level of sixteen
// runs is merged into one run of the next level, as FTS5 does, so each posting is rewritten once
// per level. Measurements and rejected designs: docs/decisions/0025-runs-of-our-own.md.

constexpr size_t kLeastTokenSlots = 4096;

// The first eight bytes as a number that sorts as the bytes do; shorter tokens are padded with
// zeros.
uint64_t FirstBytes(std::string_view token) {
  uint64_t order = 0;
  for (size_t i = 0; i < sizeof(order); ++i) {
    order = order << 8 | (i < token.size() ? static_cast<uint8_t>(token[i]) : 0);
  }
  return order;
}

}  // namespace

size_t FtsBatch::bytes() const {
  return slots_.size() * sizeof(slots_[0]) + entries_.size() * sizeof(Entry) +
         pieces_.size() * sizeof(Piece) + additions_.size() * sizeof(Addition) + tokens_.size() +
         bytes_.size();
}

void FtsBatch::Add(uint32_t first_row, const FtsPostings& postings) {
  additions_.push_back({first_row, postings.rows(), static_cast<uint32_t>(pieces_.size())});
  const auto& lists = postings.lists();
  for (size_t i = 0; i < lists.size(); ++i) {
    constexpr size_t kAhead = 16;
    if (i + kAhead < lists.size() && !slots_.empty()) {
      __builtin_prefetch(&slots_[lists[i + kAhead].hash & (slots_.size() - 1)]);
    }
    const FtsPostings::List& list = lists[i];
    pieces_.push_back({FindOrAdd(postings.TokenOf(list), list.hash), first_row + list.first_row,
                       first_row + list.last_row, static_cast<uint32_t>(bytes_.size()), list.size});
    bytes_ += AsText(postings.BytesOf(list));
  }
  rows_ += postings.rows();
  for (size_t i = 0; i < FtsPostings::kColumns; ++i) token_counts_[i] += postings.TokensIn(i);
}

uint32_t FtsBatch::FindOrAdd(std::string_view token, uint64_t hash) {
  if (2 * entries_.size() >= slots_.size()) GrowSlots();
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const uint32_t entry = slots_[slot] - 1;
    if (entries_[entry].hash == hash && TokenOf(entry) == token) return entry;
  }
  entries_.push_back(
      {hash, static_cast<uint32_t>(tokens_.size()), static_cast<uint32_t>(token.size())});
  tokens_ += token;
  slots_[slot] = static_cast<uint32_t>(entries_.size());
  return slots_[slot] - 1;
}

void FtsBatch::GrowSlots() {
  slots_.assign(std::max(kLeastTokenSlots, 2 * slots_.size()), 0);
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<uint32_t>(i + 1);
  }
}

// Returns the numbers of the entries, sorted by the bytes of their tokens.
std::vector<uint32_t> FtsBatch::SortEntries() const {
  struct Key {
    uint64_t first_bytes;
    uint32_t entry;
  };
  std::vector<Key> keys;
  keys.reserve(entries_.size());
  for (uint32_t i = 0; i < entries_.size(); ++i) keys.push_back({FirstBytes(TokenOf(i)), i});
  std::ranges::sort(keys, [&](const Key& a, const Key& b) {
    if (a.first_bytes != b.first_bytes) return a.first_bytes < b.first_bytes;
    return TokenOf(a.entry) < TokenOf(b.entry);
  });
  std::vector<uint32_t> entries;
  entries.reserve(keys.size());
  for (const Key& key : keys) entries.push_back(key.entry);
  return entries;
}

// Returns the pieces grouped by entry; within an entry they keep the order of arrival. They are
// copied, because WriteLists would wait for memory at each one if it had only their numbers.
std::vector<FtsBatch::Piece> FtsBatch::SortPieces(const std::vector<uint32_t>& entries) const {
  std::vector<uint32_t> next(entries_.size());
  for (const Piece& piece : pieces_) ++next[piece.entry];
  uint32_t end = 0;
  for (const uint32_t entry : entries) next[entry] = std::exchange(end, end + next[entry]);
  std::vector<Piece> pieces(pieces_.size());
  for (const Piece& piece : pieces_) pieces[next[piece.entry]++] = piece;
  return pieces;
}

// The bytes of the pieces of a token are scattered in memory, so they are requested some pieces
// before they are copied.
void FtsBatch::Prefetch(const std::vector<Piece>& pieces, size_t at) const {
  constexpr size_t kAhead = 24;
  if (at + kAhead >= pieces.size()) return;
  const Piece& piece = pieces[at + kAhead];
  __builtin_prefetch(bytes_.data() + piece.begin);
  __builtin_prefetch(bytes_.data() + piece.begin + piece.size - 1);
}

ByteSpan FtsBatch::ListOf(const Piece& piece) const {
  return AsBytes(bytes_).subspan(piece.begin, piece.size);
}

Status FtsBatch::WriteLists(FtsRunWriter& writer) const {
  const std::vector<uint32_t> entries = SortEntries();
  const std::vector<Piece> pieces = SortPieces(entries);
  size_t at = 0;
  for (const uint32_t entry : entries) {
    RECALL_TRY(writer.AddToken(TokenOf(entry)));
    for (; at < pieces.size() && pieces[at].entry == entry; ++at) {
      Prefetch(pieces, at);
      const Piece& piece = pieces[at];
      RECALL_TRY(writer.AddRows(piece.first_row, piece.last_row, ListOf(piece)));
    }
  }
  return Status::Ok();
}

Result<int64_t> FtsBatch::WriteRun(Connection& connection) const {
  const FtsTablesAccess access(connection);
  RECALL_ASSIGN(const int64_t id, FindFreeFtsRunId(connection));
  RECALL_ASSIGN(const size_t leaf_bytes, ReadFtsLeafBytes(connection));
  FtsRunWriter writer(connection, id, leaf_bytes);
  RECALL_TRY(WriteLists(writer));
  RECALL_ASSIGN(const FtsRun run, writer.Finish());
  if (run.last_leaf > 0) RECALL_TRY(AddFtsRun(connection, run));
  RECALL_TRY(AddToFtsTotals(connection, rows_, token_counts_));
  return run.last_leaf;
}

// Each addition is a few rows, so little memory is needed.
Status FtsBatch::InsertRows(Connection& connection) const {
  for (size_t i = 0; i < additions_.size(); ++i) {
    const Addition& addition = additions_[i];
    const size_t end = i + 1 < additions_.size() ? additions_[i + 1].first_piece : pieces_.size();
    FtsRowTexts texts(addition.rows);
    for (size_t at = addition.first_piece; at < end; ++at) {
      const Piece& piece = pieces_[at];
      texts.Add(TokenOf(piece.entry), piece.first_row - addition.first_row, ListOf(piece));
    }
    for (uint32_t row = 0; row < addition.rows; ++row) {
      RECALL_TRY(InsertFtsRow(connection, addition.first_row + row, texts.Text(row, 0),
                              texts.Text(row, 1)));
    }
  }
  return Status::Ok();
}

Status FtsBatch::Write(Connection& connection) {
  if (empty()) return Status::Ok();
  if (!connection.features().fts_format) {
    RECALL_TRY(InsertRows(connection));
    *this = FtsBatch();
    return Status::Ok();
  }
  RECALL_ASSIGN(const bool known, HasKnownFtsVersion(connection));
  if (!known) {
    return Status::Unsupported(
        connection.path() + ": the full-text index has a version that this program cannot write",
        "use the version of Recall that wrote it, or run `recall doctor --fix`");
  }
  RECALL_TRY(FlushFtsCache(connection));
  RECALL_ASSIGN(const int64_t leaves, WriteRun(connection));
  *this = FtsBatch();
  return MergeFtsInProportion(connection, leaves);
}

}  // namespace recall
