#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace recall {

// What the parts of a class or an id say about an element.
enum HtmlNameFlag : uint8_t {
  kUnlikely = 1,  // it surrounds the content
  kMaybe = 2,     // it may be content although it has an unlikely part
  kPositive = 4,  // it scores more
  kNegative = 8,  // it scores less
  kShare = 16,    // links to share the page
  kHeader = 32,   // unlikely, except in what the page calls its content
};

// Finds the parts in names, without regard to the case of ASCII letters. Remembers the answers,
// because classes repeat; the names must outlive it. Not thread-safe.
class HtmlNameJudge final {
 public:
  HtmlNameJudge();

  // Returns the HtmlNameFlags of all parts that `name` contains.
  uint8_t Flags(std::string_view name);

 private:
  static constexpr size_t kMaxParts = 255;

  uint8_t Judge(std::string_view name);

  std::array<uint8_t, 256> first_ = {};       // by first byte: 1 + the index of a part; 0: none
  std::array<uint8_t, kMaxParts> next_ = {};  // by index: 1 + the next part with this first byte
  std::unordered_map<std::string_view, uint8_t> flags_;
  std::string lower_;
};

}  // namespace recall
