#include "index/write/derived/posting_list_builder.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "index/search/lexical/bm25.h"
#include "index/search/lexical/posting_blocks.h"
#include "storage/fts5/fts_scan.h"
#include "storage/fts5/fts_structure.h"
#include "storage/fts5/fts_words.h"
#include "storage/tables/posting_table.h"

namespace recall {
namespace {

// Precomputes block-max posting lists of common words.
//
//   Plan       is it due? end_ = the next chunk rowid, average length, least number of postings
//   FindWords  measure the lists of all terms in FTS5's leaves, without decoding them
//   Begin      write transaction: a new, incomplete posting_set
//   ReadLists  read transaction: decode lists up to 16 MiB, encode them as PostingBlocks
//   WriteNext  write transaction: insert them; after the last one complete the set
//
// Problem: a query with common words decodes long FTS5 lists, although only the best few chunks are
// wanted. Making all lists again for each commit would cost more than it saves.
//
// Idea: lists for common words only (one in 128 chunks), made once and used for all chunks below
// end_; FTS5 supplies the newer ones (index/search/lexical/clause_postings.cc). The lists are made
// again when an eighth more chunks have been added, which amortises the cost.
//
// Candidates are found by size: a posting takes at least 3 bytes in FTS5. Lists of a run that are
// too small to matter are not summed, so a word may lack up to half of its bytes; therefore half of
// the size makes it a candidate, and the exact number of postings decides when it is read.
//
// Invariants: a search sees a set only when it is complete. Postings of rowids below end_ never
// change while a set exists: a purge deletes the sets in the transaction that deletes postings.
// Upper bounds are computed with average_length_; clause_postings.cc adjusts them.
//
// Cost: one pass over the leaves of the index, then one read of each common list. Sources: see
// posting_blocks.h.

// The least size of a posting in the full-text index.
constexpr uint64_t kBytesPerPosting = 3;

}  // namespace

// Decides whether lists are due, and for which words.
Result<bool> PostingListBuilder::Plan() {
  RECALL_ASSIGN(const auto transaction, store_->BeginRead());
  const StoreCounts& counts = transaction->counts();
  if (counts.chunks < options_.chunks_from || counts.lexical_tokens <= 0) return false;
  constexpr int64_t kLastRow = std::numeric_limits<uint32_t>::max();
  end_ = static_cast<uint32_t>(std::min(transaction->next_chunk(), kLastRow));
  RECALL_ASSIGN(const auto present, FindPostingSet(transaction->connection()));
  const uint32_t before = present ? std::min(present->end_chunk, end_) : 0;
  constexpr int64_t kShare = 8;
  if (before == end_ || (end_ - before <= counts.chunks / kShare && !options_.always)) return false;
  fewest_ =
      std::max<uint64_t>(static_cast<uint64_t>(counts.chunks) / options_.chunks_per_posting, 1);
  average_length_ = static_cast<double>(counts.lexical_tokens) / static_cast<double>(counts.chunks);
  return FindWords(transaction->connection());
}

// Finds the words that may be common, by the bytes of their lists.
Result<bool> PostingListBuilder::FindWords(Connection& connection) {
  RECALL_ASSIGN(const auto runs, ReadableFtsRuns(connection));
  if (!runs || runs->empty()) return false;
  const uint64_t bytes = fewest_ * kBytesPerPosting;
  // Shorter lists are not counted. One in each run adds up to less than half of the bytes that a
  // common word has, so no common word is missed by much.
  const uint64_t worth_adding = bytes / (2 * runs->size());
  std::map<std::string, uint64_t, std::less<>> sizes;
  const auto add = [&](std::string_view word, uint64_t size) {
    if (size >= worth_adding) sizes[std::string(word)] += size;
  };
  RECALL_ASSIGN(const bool sound, MeasureFtsLists(connection, add));
  for (const auto& [word, size] : sizes) {
    if (size >= bytes / 2 && word.size() <= FtsWords::kMaxTokenBytes) words_.push_back(word);
  }
  std::ranges::reverse(words_);
  word_count_ = words_.size();
  return sound;
}

Result<bool> PostingListBuilder::Begin() {
  RECALL_ASSIGN(const bool due, Plan());
  if (!due) return false;
  return Write([this](Connection& connection) -> Status {
    RECALL_TRY(DeleteUnfinishedPostingSets(connection));
    RECALL_ASSIGN(set_, BeginPostingSet(connection, end_, average_length_));
    return Status::Ok();
  });
}

// Returns: false if the index cannot be read directly.
Result<bool> PostingListBuilder::ReadLists() {
  lists_.clear();
  RECALL_ASSIGN(const auto transaction, store_->BeginRead());
  RECALL_ASSIGN(auto index, FtsWords::Open(transaction->connection()));
  if (!index) return false;
  // Rows below end_ do not change while the set exists, so they are read once.
  if (!lengths_) RECALL_TRY(lengths_.emplace().Read(transaction->connection(), end_));
  const LengthNorm of_length(average_length_);
  const auto norm = [&](uint32_t row) { return of_length(lengths_->Of(row)); };
  for (size_t bytes = 0; bytes < options_.batch_bytes && !words_.empty(); words_.pop_back()) {
    RECALL_ASSIGN(auto postings, index->Read(words_.back()));
    if (!postings) return false;
    std::erase_if(*postings, [this](const Posting& posting) { return posting.row >= end_; });
    if (postings->size() < fewest_) continue;
    lists_.emplace_back(words_.back(), PostingBlocks::Encode(*postings, norm));
    bytes += lists_.back().second.size();
  }
  return true;
}

// Applies `change` in a write transaction. Returns: false if another process holds the write lock
// or has deleted the set of lists.
Result<bool> PostingListBuilder::Write(const std::function<Status(Connection&)>& change) {
  auto transaction = store_->BeginWrite();
  if (!transaction && transaction.error().code() == StatusCode::kBusy) return false;
  if (!transaction) return Fail(transaction.error());
  Connection& connection = (*transaction)->connection();
  if (set_ != 0) {
    RECALL_ASSIGN(const bool there, HasPostingSet(connection, set_));
    if (!there) return false;
  }
  RECALL_TRY(change(connection));
  RECALL_TRY((*transaction)->Commit());
  return true;
}

Result<bool> PostingListBuilder::WriteNext() {
  RECALL_ASSIGN(const bool readable, ReadLists());
  if (!readable) return false;
  if (lists_.empty()) {
    RECALL_TRY(internal::ToStatus(
        Write([this](Connection& connection) { return CompletePostingSet(connection, set_); })));
    return false;
  }
  return Write([this](Connection& connection) -> Status {
    for (const auto& [word, list] : lists_) {
      RECALL_TRY(InsertPostingList(connection, set_, word, list));
    }
    return Status::Ok();
  });
}

DerivedDataProgress PostingListBuilder::progress() const {
  return {DerivedDataStage::kWords, static_cast<int64_t>(word_count_ - words_.size()),
          static_cast<int64_t>(word_count_)};
}

Status BuildPostingListsIfDue(Store& store, const std::atomic<bool>& cancelled,
                              const PostingListOptions& options) {
  PostingListBuilder maker(&store, options);
  RECALL_ASSIGN(bool more, maker.Begin());
  while (more) {
    if (cancelled.load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
    if (options.progress) options.progress(maker.progress());
    RECALL_ASSIGN(more, maker.WriteNext());
  }
  return Status::Ok();
}

}  // namespace recall
