#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/write/training/training_progress.h"
#include "storage/base/result.h"
#include "storage/store/store.h"
#include "storage/tables/chunk_lengths.h"

namespace recall {

class Connection;

struct PostingListOptions {
  // Lists are built in stores of at least `chunks_from` chunks, for the words that at least one in
  // `chunks_per_posting` chunks contains.
  int64_t chunks_from = 65'536;
  uint32_t chunks_per_posting = 128;
  size_t batch_bytes = 16 << 20;  // lists written by one commit
  bool always = false;            // build if some chunks are not in the lists, even if not due
  DerivedDataProgressFn progress = {};
};

// Precomputes the block-max posting lists of common words (index/search/lexical/posting_blocks.h)
// of all chunks, if that is due: in a large store that has none, or in which more chunk rowids than
// an eighth of its chunks have been added since. Lists are written in transactions of their own and
// become visible when the set is complete; an interrupted set stays invisible, and the next call
// deletes it. Gives up, and leaves the lists to a later call, if another process deletes or makes
// them meanwhile, or holds the write lock.
//
// Errors: Cancelled.
Status BuildPostingListsIfDue(Store& store, const std::atomic<bool>& cancelled,
                              const PostingListOptions& options = {});

// Builds the lists as BuildPostingListsIfDue does, in steps.
class PostingListBuilder final {
 public:
  PostingListBuilder(Store* store, const PostingListOptions& options)
      : store_(store), options_(options) {}

  // Begin and WriteNext return false if there is nothing more to do, or if the builder gave up.
  Result<bool> Begin();
  Result<bool> WriteNext();  // writes a batch, or after the last one marks the set as complete
  // The number of words examined so far, of all words that may be common.
  DerivedDataProgress progress() const;

 private:
  Result<bool> Plan();
  Result<bool> FindWords(Connection& connection);
  Result<bool> ReadLists();
  Result<bool> Write(const std::function<Status(Connection&)>& change);

  Store* store_;
  PostingListOptions options_;
  uint32_t end_ = 0;
  uint64_t fewest_ = 0;  // least number of postings of a common word
  double average_length_ = 1;
  size_t word_count_ = 0;
  std::optional<ChunkLengths> lengths_;
  std::vector<std::string> words_;  // not examined yet; the last is next
  int64_t set_ = 0;
  std::vector<std::pair<std::string, std::vector<uint8_t>>> lists_;
};

}  // namespace recall
