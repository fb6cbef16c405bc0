#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"

struct roaring_bitmap_s;

namespace recall {

// A set of chunk rowids (roaring bitmap). A value type; const members are thread-safe. A moved-from
// bitmap may only be assigned to or destroyed.
class Bitmap final {
 public:
  Bitmap();
  Bitmap(const Bitmap& other);
  Bitmap(Bitmap&&) noexcept;
  Bitmap& operator=(const Bitmap& other);
  Bitmap& operator=(Bitmap&&) noexcept;
  ~Bitmap();

  // Parses the portable format of the Roaring specification from untrusted bytes: bounds, container
  // order and cardinalities are checked. Empty bytes are the empty set.
  static Result<Bitmap> Parse(ByteSpan bytes);
  std::string Serialize() const;  // run-optimised; equal sets give equal bytes

  // The set of these values, which must ascend.
  static Bitmap Of(std::span<const uint32_t> values);
  // The set that has a member `first` + 64 * w + i where bit i of word w is set. Requires: `first`
  // is a multiple of 64, and all members have 32 bits.
  static Bitmap OfBits(uint32_t first, std::span<const uint64_t> words);
  void Add(uint32_t value);
  void AddRange(uint32_t first, uint32_t last);  // inclusive
  void RemoveRange(uint32_t first, uint32_t last);
  bool Contains(uint32_t value) const;
  uint64_t Count() const;
  uint64_t CountRange(uint32_t first, uint32_t last) const;  // inclusive
  bool Empty() const;
  uint32_t Last() const;  // the greatest member; 0 if there is none

  Bitmap And(const Bitmap& other) const;
  Bitmap Or(const Bitmap& other) const;
  Bitmap AndNot(const Bitmap& other) const;
  bool operator==(const Bitmap& other) const;

  std::vector<uint32_t> Values() const;
  // Members in [first, last], ascending.
  std::vector<uint32_t> ValuesIn(uint32_t first, uint32_t last) const;
  // Writes the members of the range as bits: bit i of word w is set if first + 32 * w + i is one.
  // Bits after `last` are cleared. Requires: first <= last, and enough words for the range.
  void CopyBits(uint32_t first, uint32_t last, std::span<uint32_t> words) const;

 private:
  struct Free {
    void operator()(roaring_bitmap_s* handle) const;
  };
  explicit Bitmap(roaring_bitmap_s* handle) : handle_(handle) {}
  std::unique_ptr<roaring_bitmap_s, Free> handle_;
};

// The chunks that a query may return: all chunks but the removed ones, restricted to `allowed` if
// it is given. Both retrievers apply it before any top-k. Does not own the sets; cheap to copy.
struct ChunkFilter {
  const Bitmap* allowed = nullptr;  // null: all
  const Bitmap* removed = nullptr;  // null: none

  bool Passes(uint32_t chunk) const {
    return (!allowed || allowed->Contains(chunk)) && (!removed || !removed->Contains(chunk));
  }
  bool PassesAll() const { return !allowed && !removed; }
};

}  // namespace recall
