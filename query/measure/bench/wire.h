#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/base/coding.h"

namespace recall {

// The format in which a child process sends results to its parent: numbers and texts, read in the
// order in which they were written. Both ends are the same program.
class WireWriter final {
 public:
  void Put(int64_t value) {
    uint8_t bytes[sizeof(value)];
    StoreLittle(bytes, value);
    bytes_.append(reinterpret_cast<const char*>(bytes), sizeof(bytes));
  }
  void PutText(std::string_view text) {
    Put(static_cast<int64_t>(text.size()));
    bytes_.append(text);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class WireReader final {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

  // Reading past the end returns 0, and ok() becomes false.
  int64_t Next() {
    if (bytes_.size() < sizeof(int64_t)) return Fail();
    const auto value = LoadLittle<int64_t>(reinterpret_cast<const uint8_t*>(bytes_.data()));
    bytes_.remove_prefix(sizeof(int64_t));
    return value;
  }
  std::string NextText() {
    const auto size = static_cast<uint64_t>(Next());
    if (size > bytes_.size()) return Fail(), std::string();
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }
  bool ok() const { return ok_; }

 private:
  int64_t Fail() {
    ok_ = false;
    bytes_ = {};
    return 0;
  }

  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace recall
