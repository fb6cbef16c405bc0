#include "storage/fts5/fts_leaf.h"

#include <algorithm>

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
  return leaf_.ListFrom(list, place_, offset_);
}

// Terms ascend, and each gives the bytes that it shares with the one before. So the first byte in
// which a term differs from the one before tells which side of the key it is on, and no term has to
// be assembled:
//
//   shared > matched   it differs from the key where the term before does: it is less, too
//   shared < matched   it is greater than the key
//   shared = matched   the rest decides
std::optional<FtsLeaf::List> FtsLeaf::Find(std::string_view key) const {
  uint64_t offset = 0;
  uint64_t before = 0;   // length of the term before
  uint64_t matched = 0;  // bytes that it has in common with the key
  for (const uint8_t* place = footer_; place != end_;) {
    const bool first = place == footer_;
    uint64_t step = 0;
    place = ReadVarint(place, end_, &step);
    if (!place || step > static_cast<uint64_t>(end_ - start_)) return std::nullopt;
    offset += step;
    uint64_t shared = 0;
    uint64_t length = 0;
    const uint8_t* at = At(offset);
    if (at && !first) at = ReadVarint(at, footer_, &shared);
    if (at) at = ReadVarint(at, footer_, &length);
    if (!at || shared > before || length > static_cast<uint64_t>(footer_ - at)) return std::nullopt;
    before = shared + length;
    if (shared > matched) continue;
    if (shared < matched) break;
    const ByteSpan rest(at, static_cast<size_t>(length));
    const ByteSpan wanted = AsBytes(key).subspan(matched);
    const auto [ours, theirs] = std::ranges::mismatch(rest, wanted);
    const auto common = static_cast<uint64_t>(ours - rest.begin());
    if (ours == rest.end() && theirs == wanted.end()) {
      return ListFrom(at + length, place, offset);
    }
    if (theirs == wanted.end() || (ours != rest.end() && *ours > *theirs)) break;
    matched += common;
  }
  return List{};
}

// The list from `begin` to the term after, whose distance is at `next` in the footer. `offset` is
// that of the list's own term.
std::optional<FtsLeaf::List> FtsLeaf::ListFrom(const uint8_t* begin, const uint8_t* next,
                                               uint64_t offset) const {
  const uint8_t* end = footer_;
  if (next != end_) {
    uint64_t step = 0;
    if (!ReadVarint(next, end_, &step)) return std::nullopt;
    const bool inside = step <= static_cast<uint64_t>(footer_ - start_);
    end = inside ? At(offset + step) : nullptr;
  }
  if (!end || end < begin) return std::nullopt;
  return List{begin, end};
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
