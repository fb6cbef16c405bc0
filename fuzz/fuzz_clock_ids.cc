// Times, hexadecimal texts and id prefixes: accepted values are unchanged by printing and parsing.

#include <algorithm>
#include <cctype>
#include <string>

#include "fuzz/fuzz_target.h"
#include "storage/base/clock.h"
#include "storage/base/ids.h"

namespace recall {
namespace {

void CheckTime(std::string_view text) {
  const auto time = ParseRfc3339(text);
  if (!time) return;
  const std::string printed = FormatRfc3339(*time);
  RECALL_CHECK(ParseRfc3339(printed) == time);
  RECALL_CHECK(FormatRfc3339(*ParseRfc3339(printed)) == printed);
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
  return lower;
}

void CheckHex(std::string_view text) {
  const auto bytes = FromHex(text);
  if (!bytes) return;
  RECALL_CHECK(ToHex(AsBytes(*bytes)) == LowerCase(text));
}

// The id that consists of this prefix and then one repeated digit.
Digest Completed(std::string_view prefix, char digit) {
  std::string hex(prefix);
  hex.resize(64, digit);
  const auto bytes = FromHex(hex);
  RECALL_CHECK(bytes && bytes->size() == 32);
  Digest id;
  std::copy(bytes->begin(), bytes->end(), id.begin());
  return id;
}

void CheckPrefix(std::string_view text) {
  const auto range = IdPrefixRange(text);
  const bool hexadecimal = std::all_of(text.begin(), text.end(), [](char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
  });
  RECALL_CHECK(range.has_value() == (hexadecimal && !text.empty() && text.size() <= 64));
  if (!range) return;
  RECALL_CHECK(range->first == IdSortKey(Completed(text, '0')));
  RECALL_CHECK(range->last == IdSortKey(Completed(text, 'f')));
}

}  // namespace

void FuzzOne(ByteSpan input) {
  const std::string_view text = AsText(input);
  CheckTime(text);
  CheckHex(text);
  CheckPrefix(text);
}

}  // namespace recall
