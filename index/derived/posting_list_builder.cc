#include "index/derived/posting_list_builder.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "index/embed/factory/embedding_space.h"
#include "index/lexical/bm25.h"
#include "index/lexical/posting_blocks.h"
#include "storage/fts5/fts_scan.h"
#include "storage/fts5/fts_structure.h"
#include "storage/fts5/fts_words.h"
#include "storage/tables/posting_table.h"

namespace recall {
namespace {

// What a posting takes in the lexical index, at least.
constexpr uint64_t kBytesPerPosting = 3;

}  // namespace

// Which words, and whether to make anything.
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

// Those that may be common, by the bytes of their lists.
Result<bool> PostingListBuilder::FindWords(Connection& connection) {
  RECALL_ASSIGN(const auto runs, ReadableFtsRuns(connection));
  if (!runs || runs->empty()) return false;
  const uint64_t bytes = fewest_ * kBytesPerPosting;
  // So that what is left out is less than half of a common word's.
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

// Returns: false when the index cannot be read so.
Result<bool> PostingListBuilder::ReadLists() {
  lists_.clear();
  RECALL_ASSIGN(const auto transaction, store_->BeginRead());
  RECALL_ASSIGN(const VectorSpace space, SpaceOf(*transaction));
  RECALL_ASSIGN(const auto columns, ChunkColumns::Open(*transaction, space));
  RECALL_ASSIGN(auto index, FtsWords::Open(transaction->connection()));
  if (!index) return false;
  ChunkNorm norm(*columns, average_length_);
  for (size_t bytes = 0; bytes < options_.batch_bytes && !words_.empty(); words_.pop_back()) {
    RECALL_ASSIGN(auto postings, index->Read(words_.back()));
    if (!postings) return false;
    std::erase_if(*postings, [this](const Posting& posting) { return posting.row >= end_; });
    if (postings->size() < fewest_) continue;
    lists_.emplace_back(words_.back(), PostingBlocks::Encode(*postings, std::ref(norm)));
    bytes += lists_.back().second.size();
  }
  return true;
}

// Returns: false when it was left to others.
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
