#include "index/base/json/exact_json.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "index/base/text/utf8.h"
#include "storage/base/from_chars.h"
#include "storage/base/json_scanner.h"

namespace recall {
namespace {

bool IsDigitAt(std::string_view text, size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

}  // namespace

std::optional<std::string_view> ExactJsonText(std::string_view raw, std::string* scratch) {
  scratch->clear();
  size_t copied = 0;
  bool ascii = true;
  for (size_t at = 0; at < raw.size();) {
    const auto byte = static_cast<unsigned char>(raw[at]);
    if (byte < ' ') return std::nullopt;
    if (byte >= 0x80) ascii = false;
    if (byte != '\\') {
      ++at;
      continue;
    }
    const auto escape = ReadJsonEscape(raw, at);
    if (!escape || IsSurrogate(escape->code_point)) return std::nullopt;
    scratch->append(raw.substr(copied, at - copied));
    AppendUtf8(escape->code_point, scratch);
    copied = at += escape->bytes;
  }
  if (copied > 0) raw = scratch->append(raw.substr(copied));
  return ascii || IsValidUtf8(raw) ? std::optional(raw) : std::nullopt;
}

std::optional<uint32_t> ExactJsonCount(TapeValue value) {
  const std::string_view raw = value.Raw();
  if (!value.IsNumber() || (raw[0] == '0' && raw.size() > 1)) return std::nullopt;
  uint32_t count = 0;
  const char* const last = raw.data() + raw.size();
  const auto [end, error] = FromChars(raw.data(), last, count);
  const bool is_count =
      error == std::errc() && end == last && count <= uint32_t{std::numeric_limits<int32_t>::max()};
  return is_count ? std::optional(count) : std::nullopt;
}

std::optional<double> ExactJsonNumber(TapeValue value) {
  if (!value.IsNumber()) return std::nullopt;
  const std::string_view raw = value.Raw();
  // from_chars also takes leading zeros, and a point without digits before or behind it.
  const size_t first = raw[0] == '-' ? 1 : 0;
  const size_t point = raw.find('.');
  if (!IsDigitAt(raw, first) || (raw[first] == '0' && IsDigitAt(raw, first + 1)) ||
      (point != raw.npos && !IsDigitAt(raw, point + 1))) {
    return std::nullopt;
  }
  double number = 0;
  const char* const last = raw.data() + raw.size();
  const auto [end, error] = FromChars(raw.data(), last, number);
  if (end != last) return std::nullopt;
  if (error == std::errc()) return number;
  // A number too small for a double is valid and becomes 0 or subnormal.
  number = std::strtod(std::string(raw).c_str(), nullptr);
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace recall
