#pragma once

#include <cstdint>
#include <string_view>

namespace recall {

// Hashes a stem to 64 bits: FNV-1a (Fowler, Noll and Vo), then a finaliser that mixes the low bits
// into the high ones, which select the bucket of a model. Part of the model's format: never change
// it.
inline uint64_t HashStem(std::string_view stem) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : stem) {
    hash ^= static_cast<uint8_t>(byte);
    hash *= 0x100000001b3;
  }
  hash ^= hash >> 32;
  hash *= 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

// Calls visit(stem) for each stem of a LexicalText::body, where spaces separate them.
template <typename Visit>
void ForEachStem(std::string_view body, Visit visit) {
  for (size_t start = 0; start < body.size();) {
    const size_t space = body.find(' ', start);
    const size_t end = space == std::string_view::npos ? body.size() : space;
    if (end > start) visit(body.substr(start, end - start));
    start = end + 1;
  }
}

}  // namespace recall
