#include "index/base/text/turn_heading.h"

#include <algorithm>

namespace recall {
namespace {

constexpr size_t kMostDigits = 9;

bool IsDecimalDigit(char c) { return c >= '0' && c <= '9'; }

// "2026-02-25T10:00:00Z", or with a fraction of 1 to 9 digits.
bool IsUtcTime(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (text.size() <= kShape.size() || text.back() != 'Z') return false;
  for (size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == '0' ? !IsDecimalDigit(text[i]) : text[i] != kShape[i]) return false;
  }
  const std::string_view fraction = text.substr(kShape.size(), text.size() - kShape.size() - 1);
  if (fraction.empty()) return true;
  return fraction.front() == '.' && fraction.size() >= 2 && fraction.size() <= kMostDigits + 1 &&
         std::ranges::all_of(fraction.substr(1), IsDecimalDigit);
}

}  // namespace

std::optional<TurnHeading> ParseTurnHeading(std::string_view heading) {
  const size_t space = heading.find(' ');
  if (space == 0 || space > kMostDigits) return std::nullopt;
  const std::string_view digits = heading.substr(0, space);
  if (!std::ranges::all_of(digits, IsDecimalDigit)) return std::nullopt;
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  TurnHeading parsed;
  for (const char digit : digits)
    parsed.turn = parsed.turn * 10 + static_cast<uint32_t>(digit - '0');
  const std::string_view rest = heading.substr(space + 1);
  for (const std::string_view role : {std::string_view("human"), std::string_view("assistant")}) {
    if (rest.size() <= role.size() || !rest.starts_with(role) || rest[role.size()] != ' ') continue;
    const std::string_view at = rest.substr(role.size() + 1);
    if (at != "-" && !IsUtcTime(at)) return std::nullopt;
    parsed.role = role;
    parsed.at = at == "-" ? std::string_view() : at;
    return parsed;
  }
  return std::nullopt;
}

std::string FormatTurnHeading(const TurnHeading& heading) {
  std::string text = std::to_string(heading.turn);
  text.append(" ").append(heading.role).append(" ");
  text.append(heading.at.empty() ? std::string_view("-") : heading.at);
  return text;
}

}  // namespace recall
