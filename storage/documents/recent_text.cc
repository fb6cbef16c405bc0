#include "storage/documents/recent_text.h"

#include <algorithm>
#include <utility>

namespace recall {

Result<const std::string*> RecentText::Find(const ReadTransaction& transaction, const DocRow& doc,
                                            uint64_t number) {
  const int64_t id = doc.first_block + static_cast<int64_t>(number);
  const auto found = std::ranges::find(blocks_, id, &Block::id);
  if (id > 0 && found != blocks_.end()) return &found->text;
  RECALL_ASSIGN(std::string text, ReadText(transaction, doc, number * kTextBlockBytes,
                                           (number + 1) * kTextBlockBytes));
  Block& block = blocks_[next_];
  next_ = (next_ + 1) % blocks_.size();
  block = {id, std::move(text)};
  return &block.text;
}

Result<std::string> RecentText::Read(const ReadTransaction& transaction, const DocRow& doc,
                                     uint64_t start, uint64_t end) {
  end = std::min(end, static_cast<uint64_t>(doc.size));
  if (start >= end) return std::string();
  const uint64_t first = start / kTextBlockBytes;
  const uint64_t last = (end - 1) / kTextBlockBytes;
  // A chunk is in one block or in two. Whole documents are not read again.
  if (last - first > 1) return ReadText(transaction, doc, start, end);
  std::string text;
  for (uint64_t number = first; number <= last; ++number) {
    RECALL_ASSIGN(const std::string* const block, Find(transaction, doc, number));
    const uint64_t before = number * kTextBlockBytes;
    const uint64_t from = std::max(start, before) - before;
    const uint64_t to = std::min<uint64_t>(end - before, kTextBlockBytes);
    // The rows of another document name the same block: the store is damaged.
    if (block->size() < to) return ReadText(transaction, doc, start, end);
    text.append(*block, from, to - from);
  }
  return text;
}

}  // namespace recall
