#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// The fields of a note's card whose words can weigh more than other text.
enum class CardField : uint8_t { kTrigger, kTitle, kTags, kTopic, kSummary };
inline constexpr size_t kCardFields = 5;

// The token of the full-text index for a token within a field: the token after a character of
// private use, which no text has as a token. Stores contain these tokens (docs/format/store.md).
inline std::string CardToken(CardField field, std::string_view token) {
  constexpr std::array<std::string_view, kCardFields> kMarks = {"\uE003", "\uE004", "\uE005",
                                                                "\uE006", "\uE007"};
  return std::string(kMarks[static_cast<size_t>(field)]).append(token);
}

}  // namespace recall
