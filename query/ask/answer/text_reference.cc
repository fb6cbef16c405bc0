#include "query/ask/answer/text_reference.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace recall {
namespace {

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

LineRange FromFirstToLast(uint64_t first, std::optional<uint64_t> last) {
  return {first, last, first > 0 && (!last || *last >= first)};
}

LineRange FromCount(uint64_t first, uint64_t count) {
  if (first == 0 || count == 0) return {first, std::nullopt, false};
  const uint64_t last = first + count - 1;
  if (last < first) return {first, std::nullopt, true};  // more lines than can be counted
  return {first, last, true};
}

// "9", "9-17" or "9-"; with an L before the first number, also one before the second.
std::optional<LineRange> ParseLines(std::string_view text) {
  const bool marked = text.starts_with('L');
  if (marked) text.remove_prefix(1);
  const size_t dash = text.find('-');
  const auto first = ParseNumber(text.substr(0, dash));
  if (!first) return std::nullopt;
  if (dash == std::string_view::npos) return FromFirstToLast(*first, *first);
  if (dash + 1 == text.size()) return FromFirstToLast(*first, std::nullopt);
  text.remove_prefix(dash + 1);
  if (marked && text.starts_with('L')) text.remove_prefix(1);
  const auto last = ParseNumber(text);
  if (!last) return std::nullopt;
  return FromFirstToLast(*first, *last);
}

// Splits "path:9-17" and "path#L9-L17"; nothing if the text does not end in lines.
std::optional<TextReference> SplitLines(std::string_view text) {
  const size_t colon = text.find_last_of(":#");
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  if (text[colon] == '#' && !text.substr(colon + 1).starts_with('L')) return std::nullopt;
  const auto lines = ParseLines(text.substr(colon + 1));
  if (!lines) return std::nullopt;
  return TextReference{std::string(text.substr(0, colon)), "", lines};
}

// Splits "path:9:17".
std::optional<TextReference> SplitCount(std::string_view text) {
  const size_t second = text.rfind(':');
  if (second == std::string_view::npos || second == 0) return std::nullopt;
  const size_t first = text.rfind(':', second - 1);
  if (first == std::string_view::npos || first == 0) return std::nullopt;
  const auto from = ParseNumber(text.substr(first + 1, second - first - 1));
  const auto count = ParseNumber(text.substr(second + 1));
  if (!from || !count) return std::nullopt;
  return TextReference{std::string(text.substr(0, first)), "", FromCount(*from, *count)};
}

// Splits the hash off "path@hash"; nothing if it has fewer than `least_digits`.
std::optional<TextReference> SplitHash(const TextReference& reference,
                                       size_t least_digits = kLeastHashDigits) {
  const size_t at = reference.path.rfind('@');
  if (at == std::string::npos || at == 0) return std::nullopt;
  std::string hash = reference.path.substr(at + 1);
  if (hash.size() < least_digits || hash.size() > 64) return std::nullopt;
  for (char& digit : hash) {
    if (digit >= 'A' && digit <= 'F') digit = static_cast<char>(digit | 0x20);
    if (!(digit >= '0' && digit <= '9') && !(digit >= 'a' && digit <= 'f')) return std::nullopt;
  }
  return TextReference{reference.path.substr(0, at), std::move(hash), reference.lines};
}

// Splits "path@p12"; nothing if nothing, or a directory, follows the mark.
std::optional<TextReference> SplitPlace(std::string_view text) {
  const size_t at = text.rfind('@');
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) return std::nullopt;
  const std::string_view place = text.substr(at + 1);
  if (place.find('/') != std::string_view::npos && !place.starts_with('#')) return std::nullopt;
  return TextReference{std::string(text.substr(0, at)), "", std::nullopt, std::string(place)};
}

// Splits "path#install"; nothing if nothing, or a directory, follows the mark.
std::optional<TextReference> SplitAnchor(std::string_view text) {
  const size_t mark = text.rfind('#');
  if (mark == std::string_view::npos || mark == 0 || mark + 1 == text.size()) return std::nullopt;
  const std::string_view anchor = text.substr(mark);
  if (anchor.find('/') != std::string_view::npos) return std::nullopt;
  return TextReference{std::string(text.substr(0, mark)), "", std::nullopt, std::string(anchor)};
}

// "path:9-17" of "path:9-17 (p. 12)".
std::optional<std::string_view> BeforePlace(std::string_view text) {
  const size_t open = text.rfind(" (");
  if (!text.ends_with(')') || open == std::string_view::npos || open == 0) return std::nullopt;
  return text.substr(0, open);
}

// The part of "[path:9-17] Title" between the brackets.
std::optional<std::string_view> InBrackets(std::string_view target) {
  if (!target.starts_with('[')) return std::nullopt;
  // The heading may contain brackets, and so may the path: the first that is followed by a space or
  // by the end of the text closes the citation.
  for (size_t end = target.find(']'); end != std::string_view::npos;
       end = target.find(']', end + 1)) {
    if (end + 1 == target.size() || target[end + 1] == ' ' || target[end + 1] == '\n') {
      return target.substr(1, end - 1);
    }
  }
  return std::nullopt;
}

void AddReadings(std::string_view text, std::vector<TextReference>& readings) {
  const auto add = [&](std::optional<TextReference> reading) {
    if (reading && std::ranges::find(readings, *reading) == readings.end()) {
      readings.push_back(*std::move(reading));
    }
  };
  const std::optional<TextReference> splits[] = {TextReference{std::string(text), "", {}},
                                                 SplitLines(text), SplitCount(text)};
  for (const auto& split : splits) add(split);
  for (const auto& split : splits) {
    if (split) add(SplitHash(*split));
  }
  add(SplitPlace(text));
  add(SplitAnchor(text));
}

}  // namespace

std::vector<TextReference> ReadingsOf(std::string_view target) {
  std::vector<TextReference> readings;
  AddReadings(target, readings);
  if (const auto inside = InBrackets(target)) {
    AddReadings(*inside, readings);
    if (const auto before = BeforePlace(*inside)) AddReadings(*before, readings);
  }
  if (const auto before = BeforePlace(target)) AddReadings(*before, readings);
  return readings;
}

bool HasTooShortHash(std::string_view target) {
  return std::ranges::any_of(ReadingsOf(target), [](const TextReference& reading) {
    const auto exact = reading.hash.empty() ? SplitHash(reading, 1) : std::nullopt;
    return exact && exact->hash.size() < kLeastHashDigits;
  });
}

std::string ExactCitation(std::string_view path, std::string_view hash,
                          const std::optional<LineRange>& lines) {
  std::string citation = std::string(path) + "@" + std::string(hash.substr(0, kCitedHashDigits));
  if (!lines) return citation;
  citation += ":" + std::to_string(lines->first) + "-";
  return lines->last ? citation + std::to_string(*lines->last) : citation;
}

}  // namespace recall
