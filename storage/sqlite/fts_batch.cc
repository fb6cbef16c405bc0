#include "storage/sqlite/fts_batch.h"

#include <algorithm>

#include "storage/base/bytes.h"
#include "storage/base/coding.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/fts_index.h"
#include "storage/sqlite/fts_run_writer.h"
#include "storage/sqlite/fts_structure.h"

namespace recall {
namespace {

constexpr size_t kLeastSlots = 4096;

// Compares as the bytes do, as far as it goes.
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
         pieces_.size() * sizeof(Piece) + tokens_.size() + bytes_.size();
}

void FtsBatch::Add(uint32_t first_row, const FtsPostings& postings) {
  for (const FtsPostings::List& list : postings.lists()) {
    Entry& entry = FindOrAdd(postings.TokenOf(list), list.hash);
    pieces_.push_back({entry.last_piece, first_row + list.first_row, first_row + list.last_row,
                       static_cast<uint32_t>(bytes_.size()), list.size});
    entry.last_piece = static_cast<uint32_t>(pieces_.size());
    bytes_ += AsText(postings.BytesOf(list));
  }
  rows_ += postings.rows();
  for (size_t i = 0; i < FtsPostings::kColumns; ++i) token_counts_[i] += postings.TokensIn(i);
}

FtsBatch::Entry& FtsBatch::FindOrAdd(std::string_view token, uint64_t hash) {
  if (2 * entries_.size() >= slots_.size()) GrowSlots();
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && TokenOf(entry) == token) return entry;
  }
  Entry& entry = entries_.emplace_back();
  entry.hash = hash;
  entry.order = FirstBytes(token);
  entry.token_begin = static_cast<uint32_t>(tokens_.size());
  entry.token_size = static_cast<uint32_t>(token.size());
  tokens_ += token;
  slots_[slot] = static_cast<uint32_t>(entries_.size());
  return entry;
}

void FtsBatch::GrowSlots() {
  slots_.assign(std::max(kLeastSlots, 2 * slots_.size()), 0);
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<uint32_t>(i + 1);
  }
}

void FtsBatch::Clear() { *this = FtsBatch(); }

void FtsBatch::Sort() {
  slots_.clear();
  std::ranges::sort(entries_, [&](const Entry& a, const Entry& b) {
    return a.order != b.order ? a.order < b.order : TokenOf(a) < TokenOf(b);
  });
}

Status FtsBatch::WriteRun(Connection& connection) {
  const FtsTablesAccess access(connection);
  RECALL_ASSIGN(const int64_t id, FindFreeFtsRunId(connection));
  RECALL_ASSIGN(const size_t leaf_bytes, ReadFtsLeafBytes(connection));
  FtsRunWriter writer(connection, id, leaf_bytes);
  std::vector<uint32_t> pieces;
  for (const Entry& entry : entries_) {
    RECALL_TRY(writer.AddToken(TokenOf(entry)));
    pieces.clear();
    for (uint32_t i = entry.last_piece; i != 0; i = pieces_[i - 1].before) pieces.push_back(i - 1);
    for (auto i = pieces.rbegin(); i != pieces.rend(); ++i) {
      const Piece& piece = pieces_[*i];
      const ByteSpan list = AsBytes(bytes_).subspan(piece.begin, piece.size);
      RECALL_TRY(writer.AddRows(piece.first_row, piece.last_row, list));
    }
  }
  RECALL_ASSIGN(const FtsRun run, writer.Finish());
  if (run.last_leaf > 0) RECALL_TRY(AddFtsRun(connection, run));
  return AddToFtsTotals(connection, rows_, token_counts_);
}

Status FtsBatch::Write(Connection& connection) {
  if (empty()) return Status::Ok();
  Sort();
  RECALL_TRY(MakeFtsForget(connection));
  RECALL_TRY(WriteRun(connection));
  Clear();
  return MergeFullFtsLevels(connection);
}

}  // namespace recall
