#include "index/base/json/json_tape.h"

#include "index/base/text/utf8.h"
#include "storage/base/from_chars.h"
#include "storage/base/json_scanner.h"

namespace recall {
namespace {

constexpr size_t kMaxDepth = 256;
constexpr size_t kMaxNodes = size_t{1} << 24;
constexpr size_t kMaxTextBytes = UINT32_MAX;
constexpr uint32_t kReplacement = 0xFFFD;

bool IsJsonSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void SkipJsonSpace(std::string_view text, size_t* at) {
  while (*at < text.size() && IsJsonSpace(text[*at])) ++*at;
}

bool IsInNumber(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

// Decodes the escape at *at, where two characters are.
void AppendEscape(std::string_view raw, size_t* at, std::string* out) {
  const auto escape = ReadJsonEscape(raw, *at);
  if (escape) {
    const uint32_t c = escape->code_point;
    AppendUtf8(IsSurrogate(c) || c == 0 ? kReplacement : c, out);
    *at += escape->bytes;
    return;
  }
  const char letter = raw[*at + 1];
  if (letter == 'u') {
    AppendUtf8(kReplacement, out);
  } else {
    out->push_back(letter);
  }
  *at += 2;
}

std::string DecodeString(std::string_view raw) {
  std::string decoded;
  decoded.reserve(raw.size());
  for (size_t at = 0; at < raw.size();) {
    const size_t escape = std::min(raw.find('\\', at), raw.size());
    decoded.append(raw.substr(at, escape - at));
    if (escape + 1 >= raw.size()) break;
    at = escape;
    AppendEscape(raw, &at, &decoded);
  }
  if (IsValidUtf8(decoded) && decoded.find('\0') == decoded.npos) return decoded;
  std::string repaired;
  for (size_t at = 0; at <= decoded.size();) {
    const size_t nul = std::min(decoded.find('\0', at), decoded.size());
    AppendRepairedUtf8(std::string_view(decoded).substr(at, nul - at), &repaired);
    if (nul < decoded.size()) AppendUtf8(kReplacement, &repaired);
    at = nul + 1;
  }
  return repaired;
}

// A count of time units since 1970, in nanoseconds: seconds until the year 5138, milliseconds and
// microseconds accordingly.
std::optional<UnixNanos> TimeOfCount(double count) {
  const double size = count < 0 ? -count : count;
  const double scale = size < 1e11 ? 1e9 : size < 1e14 ? 1e6 : size < 1e17 ? 1e3 : 1;
  const double nanos = count * scale;
  if (!(nanos > -9.2e18 && nanos < 9.2e18)) return std::nullopt;
  return static_cast<UnixNanos>(nanos);
}

std::optional<UnixNanos> TimeOfNumber(std::string_view digits) {
  int64_t whole = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = FromChars(digits.data(), last, whole);
  // Whole milliseconds are exact; a double of nanoseconds would not be.
  if (error == std::errc() && end == last) {
    const int64_t size = whole < 0 ? -whole : whole;
    if (size < 9'000'000'000) return whole * 1'000'000'000;
    if (size >= 100'000'000'000 && size < 9'000'000'000'000) return whole * 1'000'000;
    if (size >= 100'000'000'000'000 && size < 9'000'000'000'000'000) return whole * 1000;
  }
  double count = 0;
  const auto [stop, failure] = FromChars(digits.data(), last, count);
  if (failure != std::errc() || stop != last) return std::nullopt;
  return TimeOfCount(count);
}

}  // namespace

bool JsonTape::Parse(std::string_view text) {
  nodes_.clear();
  open_.clear();
  text_ = text;
  // As much memory as the text has: most texts have fewer nodes, and what is unused stays
  // untouched.
  if (nodes_.capacity() == 0) nodes_.reserve(text.size() / sizeof(Node));
  const bool is_json = text.size() < kMaxTextBytes && ParseNodes(text);
  if (!is_json) nodes_.clear();
  return is_json;
}

// A loop instead of a recursion, so that depth costs no stack.
bool JsonTape::ParseNodes(std::string_view text) {
  size_t at = 0;
  bool after_comma = false;
  for (;;) {
    SkipJsonSpace(text, &at);
    if (at >= text.size() || nodes_.size() >= kMaxNodes) return false;
    const bool closes = text[at] == '}' || text[at] == ']';
    if (!open_.empty() && !closes && nodes_[open_.back()].kind == Kind::kObject) {
      if (text[at] != '"' || !AddString(text, &at)) return false;
      SkipJsonSpace(text, &at);
      if (at >= text.size() || text[at] != ':') return false;
      ++at;
      SkipJsonSpace(text, &at);
      if (at >= text.size() || text[at] == '}' || text[at] == ']') return false;
    }
    const char c = text[at];
    if (c == '{' || c == '[') {
      if (open_.size() >= kMaxDepth) return false;
      open_.push_back(static_cast<uint32_t>(nodes_.size()));
      nodes_.push_back({static_cast<uint32_t>(at), 0, 0, c == '{' ? Kind::kObject : Kind::kArray});
      ++at;
      after_comma = false;
      continue;  // to its first element, or its end
    }
    if (closes) {
      // Only as the end of an empty container; other ends are taken below.
      if (open_.empty() || after_comma) return false;
      if (open_.back() + 1 != nodes_.size()) return false;
    } else if (c == '"') {
      if (!AddString(text, &at)) return false;
    } else if (!AddScalar(text, &at)) {
      return false;
    }
    // Behind a value: the ends of containers, then a comma or the end of the text.
    for (;;) {
      SkipJsonSpace(text, &at);
      if (open_.empty()) return at == text.size();
      if (at >= text.size()) return false;
      Node& container = nodes_[open_.back()];
      if (text[at] == ',') break;
      if (text[at] != (container.kind == Kind::kObject ? '}' : ']')) return false;
      ++at;
      container.end = static_cast<uint32_t>(at);
      container.next = static_cast<uint32_t>(nodes_.size());
      open_.pop_back();
    }
    ++at;
    after_comma = true;
  }
}

bool JsonTape::AddString(std::string_view text, size_t* at) {
  const size_t quote = FindJsonQuote(text, *at + 1);
  if (quote == text.npos) return false;
  nodes_.push_back({static_cast<uint32_t>(*at + 1), static_cast<uint32_t>(quote),
                    static_cast<uint32_t>(nodes_.size() + 1), Kind::kString});
  *at = quote + 1;
  return true;
}

bool JsonTape::AddScalar(std::string_view text, size_t* at) {
  const std::string_view rest = text.substr(*at);
  size_t size = 0;
  Kind kind = Kind::kNumber;
  if (rest.starts_with("true")) {
    size = 4;
    kind = Kind::kTrue;
  } else if (rest.starts_with("false")) {
    size = 5;
    kind = Kind::kFalse;
  } else if (rest.starts_with("null")) {
    size = 4;
    kind = Kind::kNull;
  } else {
    while (size < rest.size() && IsInNumber(rest[size])) ++size;
    if (size == 0) return false;
  }
  nodes_.push_back({static_cast<uint32_t>(*at), static_cast<uint32_t>(*at + size),
                    static_cast<uint32_t>(nodes_.size() + 1), kind});
  *at += size;
  return true;
}

TapeValue TapeValue::operator[](std::string_view name) const {
  TapeValue found;
  ForEachMember([&](std::string_view key, TapeValue value) {
    if (key == name) found = value;
  });
  return found;
}

bool TapeValue::Is(std::string_view text) const { return IsString() && Raw() == text; }

std::string TapeValue::Text() const { return IsString() ? DecodeString(Raw()) : std::string(); }

std::string TapeValue::TextOrNumber() const { return IsNumber() ? std::string(Raw()) : Text(); }

std::optional<double> TapeValue::Number() const {
  if (!IsNumber()) return std::nullopt;
  const std::string_view raw = Raw();
  double number = 0;
  const auto [end, error] = FromChars(raw.data(), raw.data() + raw.size(), number);
  return error == std::errc() && end == raw.data() + raw.size() ? std::optional(number)
                                                                : std::nullopt;
}

std::optional<UnixNanos> TapeValue::Time() const {
  if (IsNumber()) return TimeOfNumber(Raw());
  if (!IsString()) return std::nullopt;
  const auto time = ParseRfc3339(Raw());
  return time ? time : TimeOfNumber(Raw());
}

std::string_view TapeValue::Raw() const {
  if (!tape_) return {};
  const JsonTape::Node& node = tape_->nodes_[node_];
  return tape_->text_.substr(node.begin, node.end - node.begin);
}

size_t TapeValue::CountWithin() const { return tape_ ? tape_->nodes_[node_].next - node_ - 1 : 0; }

}  // namespace recall
