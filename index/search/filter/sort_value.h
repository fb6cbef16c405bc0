#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace recall {

// The value of a field as ORDER BY compares it. Kinds are ordered first: missing, booleans,
// numbers, texts (byte by byte), then lists and objects (by their JSON text).
struct SortValue {
  enum class Kind : uint8_t { kMissing, kBoolean, kInteger, kReal, kText, kCompound };
  Kind kind = Kind::kMissing;
  int64_t integer = 0;  // kBoolean: 0 or 1; kInteger
  double real = 0;      // kReal
  std::string text;     // kText, kCompound

  static SortValue Integer(int64_t value);
  static SortValue Real(double value);
  static SortValue Text(std::string value);

  std::strong_ordering operator<=>(const SortValue& other) const;
  bool operator==(const SortValue& other) const { return (*this <=> other) == 0; }
};

}  // namespace recall
