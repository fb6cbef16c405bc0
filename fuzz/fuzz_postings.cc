// PostingBlocks: precomputed posting lists of an untrusted store. A list that opens can be read at
// every position, and is unchanged by writing and reading.
// Input: the bytes of a list.

#include <bit>

#include "fuzz/fuzz_target.h"
#include "index/search/lexical/posting_blocks.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  const auto blocks = PostingBlocks::Open(input);
  if (!blocks) return;
  PostingList postings = blocks->Decode();
  uint64_t rows = 0;
  for (size_t i = 0; i < blocks->size(); ++i) {
    rows += static_cast<uint64_t>(std::popcount(blocks->Rows(i)));
    RECALL_CHECK(blocks->Find(blocks->number(i)) == i);
    RECALL_CHECK(blocks->most(i) <= 255);
  }
  RECALL_CHECK(rows == postings.size());
  for (size_t i = 1; i < postings.size(); ++i) {
    RECALL_CHECK(postings[i].row > postings[i - 1].row);
  }
  const auto norm = [](uint32_t row) { return 0.4 + row % 7; };
  const auto again = PostingBlocks::Open(PostingBlocks::Encode(postings, norm));
  RECALL_CHECK(again.has_value() && again->Decode() == postings);
}

}  // namespace recall
