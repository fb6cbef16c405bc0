#pragma once

#include <string_view>

#include "storage/base/coding.h"

namespace recall {

// Reads fields one after another from untrusted bytes. A read past the end returns zero and makes
// ok() false for good, so a parser may read all its fields and test once.
class ByteReader final {
 public:
  explicit ByteReader(ByteSpan data) : data_(data) {}

  template <typename T>
  T Read() {
    if (!Has(sizeof(T))) return T{};
    const T value = LoadLittle<T>(data_.data() + position_);
    position_ += sizeof(T);
    return value;
  }

  // The next `size` bytes, or an empty span when there are fewer.
  ByteSpan ReadBytes(size_t size) {
    if (!Has(size)) return {};
    const ByteSpan bytes = data_.subspan(position_, size);
    position_ += size;
    return bytes;
  }

  bool ok() const { return ok_; }
  size_t position() const { return position_; }
  size_t remaining() const { return data_.size() - position_; }

 private:
  bool Has(size_t size) {
    ok_ = ok_ && size <= remaining();
    return ok_;
  }

  ByteSpan data_;
  size_t position_ = 0;
  bool ok_ = true;
};

inline ByteSpan AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

inline std::string_view AsText(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace recall
