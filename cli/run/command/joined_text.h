#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace recall {

// Texts one after the other, joined when the program is compiled, for the pages of commands. The
// parts must be constants with static storage.
template <const std::string_view&... kParts>
class JoinedText final {
 public:
  static constexpr std::string_view View() { return {kBytes.data(), kBytes.size()}; }

 private:
  static constexpr auto kBytes = [] {
    std::array<char, (kParts.size() + ...)> bytes{};
    auto at = bytes.begin();
    ((at = std::ranges::copy(kParts, at).out), ...);
    return bytes;
  }();
};

}  // namespace recall
