#include "storage/fts5/fts_leaf.h"

#include "storage/base/bytes.h"
#include "storage/base/varint.h"

namespace recall {

std::optional<FtsLeaf> FtsLeaf::Open(ByteSpan bytes) {
  if (bytes.size() < kHeaderBytes) return std::nullopt;
  FtsLeaf leaf;
  leaf.start_ = bytes.data();
  leaf.first_row_ = LoadBig16(bytes.data());
  leaf.footer_ = bytes.data() + LoadBig16(bytes.data() + 2);
  leaf.end_ = bytes.data() + bytes.size();
  if (leaf.footer_ < leaf.start_ + kHeaderBytes || leaf.footer_ > leaf.end_) return std::nullopt;
  return leaf;
}

const uint8_t* FtsLeaf::EndOfRest() const {
  if (footer_ == end_) return footer_;
  uint64_t offset = 0;
  return ReadVarint(footer_, end_, &offset) ? At(offset) : nullptr;
}

std::optional<FtsLeaf::List> FtsLeaf::Terms::Next(std::string* term) {
  const uint8_t* const end = leaf_.end_;
  const bool first = place_ == leaf_.footer_;
  uint64_t step = 0;
  place_ = ReadVarint(place_, end, &step);
  if (!place_ || step > static_cast<uint64_t>(end - leaf_.start_)) return std::nullopt;
  offset_ += step;
  const uint8_t* const at = leaf_.At(offset_);
  const uint8_t* const list = at ? leaf_.ReadTerm(at, first, term, &shared_) : nullptr;
  if (!list) return std::nullopt;
  const uint8_t* list_end = leaf_.footer_;
  if (place_ != end) {
    if (!ReadVarint(place_, end, &step)) return std::nullopt;
    const bool inside = step <= static_cast<uint64_t>(leaf_.footer_ - leaf_.start_);
    list_end = inside ? leaf_.At(offset_ + step) : nullptr;
  }
  if (!list_end || list_end < list) return std::nullopt;
  return List{list, list_end};
}

std::optional<FtsLeaf::List> FtsLeaf::Find(std::string_view key, std::string* term) const {
  for (Terms terms(*this); !terms.AtEnd();) {
    const auto list = terms.Next(term);
    if (!list) return std::nullopt;
    const int order = key.compare(*term);
    if (order < 0) break;
    if (order == 0) return list;
  }
  return List{};
}

const uint8_t* FtsLeaf::At(uint64_t offset) const {
  const bool inside = offset >= kHeaderBytes && offset <= static_cast<uint64_t>(footer_ - start_);
  return inside ? start_ + offset : nullptr;
}

const uint8_t* FtsLeaf::ReadTerm(const uint8_t* at, bool first, std::string* term,
                                 uint64_t* shared) const {
  *shared = 0;
  uint64_t length = 0;
  if (!first) at = ReadVarint(at, footer_, shared);
  if (at) at = ReadVarint(at, footer_, &length);
  if (!at || *shared > term->size() || length > static_cast<uint64_t>(footer_ - at)) return nullptr;
  term->resize(first ? 0 : *shared);
  term->append(AsText({at, static_cast<size_t>(length)}));
  return at + length;
}

}  // namespace recall
