#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "index/training/training_progress.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

struct PostingListOptions {
  // Chunks from which on it is worth having, and of how many one must have a word.
  int64_t chunks_from = 65'536;
  uint32_t chunks_per_posting = 128;
  size_t batch_bytes = 16 << 20;  // lists that are written with one commit
  bool always = false;            // also where it is not due, but some chunks are not in the lists
  DerivedDataProgressFn progress = {};
};

// Makes the postings of common words ready (index/lexical/posting_blocks.h), of all chunks there
// are, where that is due: in a large store that has none, or in which more chunk rowids than an
// eighth of its chunks came since. Written in transactions of their own and found when all are
// there; whoever is interrupted leaves lists that nobody finds and the next one deletes. Gives up,
// and leaves it to a later call, when another process deletes or makes them meanwhile, or keeps the
// store.
//
// Errors: Cancelled.
Status BuildPostingListsIfDue(Store& store, const std::atomic<bool>& cancelled,
                              const PostingListOptions& options = {});

// The same step by step.
class PostingListBuilder final {
 public:
  PostingListBuilder(Store* store, const PostingListOptions& options)
      : store_(store), options_(options) {}

  // Both return false when there is nothing more to do, or it was given up.
  Result<bool> Begin();
  Result<bool> WriteNext();  // a batch, or behind the last one that the set is complete
  // Words that may be common. Those that were looked at are done.
  DerivedDataProgress progress() const;

 private:
  Result<bool> Plan();
  Result<bool> FindWords(Connection& connection);
  Result<bool> ReadLists();
  Result<bool> Write(const std::function<Status(Connection&)>& change);

  Store* store_;
  PostingListOptions options_;
  uint32_t end_ = 0;
  uint64_t fewest_ = 0;  // postings of a common word
  double average_length_ = 1;
  size_t word_count_ = 0;
  std::vector<std::string> words_;  // to be looked at, the last first
  int64_t set_ = 0;
  std::vector<std::pair<std::string, std::vector<uint8_t>>> lists_;
};

}  // namespace recall
