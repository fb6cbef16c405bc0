#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace recall {

// Texts that are matched one after the other often begin alike: paths in the order of an index
// share their directories. What a matcher knows of the shared bytes holds for the next text too.

// The number of bytes that two texts have in common at their start.
inline size_t CommonPrefix(std::string_view a, std::string_view b) {
  const size_t most = std::min(a.size(), b.size());
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= most; at += sizeof(uint64_t)) {
    uint64_t x;
    uint64_t y;
    std::memcpy(&x, a.data() + at, sizeof(x));
    std::memcpy(&y, b.data() + at, sizeof(y));
    if (x != y) break;
  }
  while (at < most && a[at] == b[at]) ++at;
  return at;
}

// Remembers the start of the last text.
class ConsecutiveText final {
 public:
  static constexpr size_t kMost = 512;

  // The number of bytes at the start of `text` that are those of the last text, at most kMost.
  // `text` becomes the last text.
  size_t Advance(std::string_view text) {
    const size_t kept = std::min(text.size(), kMost);
    const size_t shared = CommonPrefix({last_.data(), size_}, text.substr(0, kept));
    std::memcpy(last_.data() + shared, text.data() + shared, kept - shared);
    size_ = kept;
    return shared;
  }

 private:
  std::array<char, kMost> last_;
  size_t size_ = 0;
};

// Tells whether a literal occurs in consecutive texts; the empty one does in all. Not thread-safe.
class LiteralSearch final {
 public:
  explicit LiteralSearch(std::string literal) : literal_(std::move(literal)) {}

  // `shared`: at most the number of bytes at the start of `text` that are those of the text of the
  // last call.
  bool OccursIn(std::string_view text, size_t shared) {
    if (literal_.empty() || (end_ != 0 && end_ <= shared)) return true;
    // No occurrence ends in the shared bytes.
    const size_t from = shared < literal_.size() ? 0 : shared - (literal_.size() - 1);
    const size_t at = Find(text, from);
    end_ = at == text.npos ? 0 : at + literal_.size();
    return end_ != 0;
  }

 private:
  size_t Find(std::string_view text, size_t from) const {
    constexpr size_t kLong = 256;
    if (text.size() - from < kLong) return text.find(literal_, from);
    // Prepares a table, then compares few of the bytes.
    const void* const at =
        ::memmem(text.data() + from, text.size() - from, literal_.data(), literal_.size());
    return at == nullptr ? text.npos
                         : static_cast<size_t>(static_cast<const char*>(at) - text.data());
  }

  std::string literal_;
  size_t end_ = 0;  // of its first occurrence in the last text; 0 if there is none
};

}  // namespace recall
