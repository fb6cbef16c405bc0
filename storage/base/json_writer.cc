#include "storage/base/json_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "storage/base/base64.h"

namespace recall {
namespace {

// For each byte: 0 if it is written unchanged, 'u' for \u00XX, else the letter after the backslash;
// kBeyondAscii for a byte of a multi-byte character.
constexpr char kBeyondAscii = '8';
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> escapes{};
  for (size_t c = 0; c < 0x20; ++c) escapes[c] = 'u';
  for (size_t c = 0x80; c < 0x100; ++c) escapes[c] = kBeyondAscii;
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['\n'] = 'n';
  escapes['\r'] = 'r';
  escapes['\t'] = 't';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  return escapes;
}();

struct CharacterBytes {
  size_t count = 1;
  bool whole = false;
};

// The bytes at `at` that start a character, at least one, and whether the character is complete
// (RFC 3629, section 4).
CharacterBytes CharacterAt(std::string_view text, size_t at) {
  const auto lead = static_cast<uint8_t>(text[at]);
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return {};
  // The second byte excludes overlong forms, surrogates, and characters above U+10FFFF.
  uint8_t least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  uint8_t most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  size_t count = 1;
  for (; count < length && at + count < text.size(); ++count) {
    const auto byte = static_cast<uint8_t>(text[at + count]);
    if (byte < least || byte > most) break;
    least = 0x80;
    most = 0xBF;
  }
  return {count, count == length};
}

void AppendEscape(char c, char escape, std::string* out) {
  constexpr char kHex[] = "0123456789abcdef";
  out->push_back('\\');
  out->push_back(escape);
  if (escape != 'u') return;
  *out += "00";
  out->push_back(kHex[c >> 4]);
  out->push_back(kHex[c & 15]);
}

template <typename T>
void AppendDigits(T value, std::string* out) {
  char buffer[24];
  out->append(buffer, std::to_chars(buffer, buffer + sizeof(buffer), value).ptr);
}

}  // namespace

void JsonWriter::Key(std::string_view name) {
  if (!left_out_.empty()) FollowPath(name);
  Place();
  Quote(name);
  *out_ += pretty_ ? ": " : ":";
  after_key_ = true;
}

void JsonWriter::String(std::string_view text) {
  Place();
  Quote(text);
  Written();
}

void JsonWriter::Int(int64_t value) {
  Place();
  AppendDigits(value, out_);
  Written();
}

void JsonWriter::Uint(uint64_t value) {
  Place();
  AppendDigits(value, out_);
  Written();
}

void JsonWriter::Double(double value) {
  Place();
  AppendJsonNumber(value, out_);
  Written();
}

void JsonWriter::Bool(bool value) {
  Place();
  *out_ += value ? "true" : "false";
  Written();
}

void JsonWriter::Null() {
  Place();
  *out_ += "null";
  Written();
}

void JsonWriter::Base64(ByteSpan bytes) {
  Place();
  *out_ += '"';
  AppendBase64(bytes, out_);
  *out_ += '"';
  Written();
}

void JsonWriter::Value(std::span<const std::string> texts) {
  BeginArray();
  for (const std::string& text : texts) String(text);
  EndArray();
}

void JsonWriter::FieldOrNull(std::string_view name, std::string_view text) {
  Key(name);
  text.empty() ? Null() : String(text);
}

void JsonWriter::BeginObject(std::string_view name) {
  Key(name);
  BeginObject();
}

void JsonWriter::BeginArray(std::string_view name) {
  Key(name);
  BeginArray();
}

// Writes what precedes a name or a value.
void JsonWriter::Place() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (depth_ == 0) return;
  if (!first_) *out_ += ',';
  first_ = false;
  Break();
}

// Called when a value is complete.
void JsonWriter::Written() {
  if (!cut_ || cut_->depth != depth_) return;
  out_->resize(cut_->begin);
  first_ = cut_->first;
  cut_.reset();
}

void JsonWriter::Begin(char bracket) {
  Place();
  *out_ += bracket;
  ++depth_;
  first_ = true;
  if (left_out_.empty()) return;
  if (bracket == '[') path_ += "/*";
  path_ends_.push_back(path_.size());
}

void JsonWriter::End(char bracket) {
  --depth_;
  if (!first_) Break();
  *out_ += bracket;
  first_ = false;
  if (!path_ends_.empty()) {
    path_ends_.pop_back();
    path_.resize(path_ends_.empty() ? 0 : path_ends_.back());
  }
  Written();
}

void JsonWriter::Break() {
  if (!pretty_) return;
  *out_ += '\n';
  out_->append(2 * depth_, ' ');
}

void JsonWriter::Quote(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  out_->push_back('"');
  size_t copied = 0;
  for (size_t i = 0; i < text.size();) {
    const char escape = kEscapes[static_cast<uint8_t>(text[i])];
    const CharacterBytes bytes =
        escape == kBeyondAscii ? CharacterAt(text, i) : CharacterBytes{1, escape == 0};
    if (!bytes.whole) {
      out_->append(text, copied, i - copied);
      copied = i + bytes.count;
      if (escape == kBeyondAscii) {
        *out_ += kReplacement;
      } else {
        AppendEscape(text[i], escape, out_);
      }
    }
    i += bytes.count;
  }
  out_->append(text, copied, text.size() - copied);
  out_->push_back('"');
}

// Makes path_ the path of the member `name`, which starts here.
void JsonWriter::FollowPath(std::string_view name) {
  path_.resize(path_ends_.back());
  path_ += '/';
  path_ += name;
  if (!cut_ && std::ranges::count(left_out_, path_) > 0) cut_ = Cut{out_->size(), first_, depth_};
}

void AppendJsonNumber(double value, std::string* out) {
  if (!std::isfinite(value)) {
    *out += "null";
    return;
  }
  char buffer[32];
  const char* const end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  const std::string_view text(buffer, static_cast<size_t>(end - buffer));
  *out += text;
  if (text.find_first_of(".e") == text.npos) *out += ".0";
}

}  // namespace recall
