#pragma once

// JSON of which most is skipped: a list of where each value begins and ends, in one pass. Texts are
// decoded only when they are asked for. Transcripts consist of results of tools for the most part,
// so this is the speed of finding the ends of strings (memchr).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"

namespace recall {

class JsonTape;

// A value of a tape, or none. Valid until the tape reads another text.
class TapeValue final {
  enum class Kind : uint8_t { kObject, kArray, kString, kNumber, kTrue, kFalse, kNull };

 public:
  TapeValue() = default;

  explicit operator bool() const { return tape_ != nullptr; }
  bool IsObject() const { return HasKind(Kind::kObject); }
  bool IsArray() const { return HasKind(Kind::kArray); }
  bool IsString() const { return HasKind(Kind::kString); }
  bool IsNumber() const { return HasKind(Kind::kNumber); }
  bool IsTrue() const { return HasKind(Kind::kTrue); }
  bool IsFalse() const { return HasKind(Kind::kFalse); }

  // A member of an object, the last one of that name; none if there is none.
  TapeValue operator[](std::string_view name) const;
  // Whether it is this string. Requires: `text` needs no escapes in JSON.
  bool Is(std::string_view text) const;
  // A string, decoded: valid UTF-8, with U+FFFD for what is no character, and for NUL. "" if it is
  // no string.
  std::string Text() const;
  // A string, or a number as it is written; else "".
  std::string TextOrNumber() const;
  std::optional<double> Number() const;
  // RFC 3339, or a count of seconds, milliseconds, microseconds or nanoseconds since 1970, which
  // its size tells.
  std::optional<UnixNanos> Time() const;
  // The value as it is written; a string without its quotes.
  std::string_view Raw() const;
  // The number of names and values in an object or array, at all depths.
  size_t CountWithin() const;

  // Calls visit(element) for each of an array.
  template <typename Visit>
  void ForEach(const Visit& visit) const;
  // Calls visit(name as it is written, value) for each member of an object.
  template <typename Visit>
  void ForEachMember(const Visit& visit) const;

 private:
  friend class JsonTape;
  TapeValue(const JsonTape* tape, uint32_t node) : tape_(tape), node_(node) {}

  bool HasKind(Kind kind) const;

  const JsonTape* tape_ = nullptr;
  uint32_t node_ = 0;
};

// Reads one text after another, and keeps its memory. Not thread-safe.
class JsonTape final {
 public:
  // Whether `text` is one JSON value with white space around it. It is lenient where it skips: the
  // insides of strings and numbers are not checked. Values deeper than 256 or more than 16 million
  // are refused. `text`, below 4 GB, must live as long as the values.
  bool Parse(std::string_view text);
  TapeValue root() const { return nodes_.empty() ? TapeValue() : TapeValue(this, 0); }

 private:
  friend class TapeValue;
  using Kind = TapeValue::Kind;
  struct Node {
    uint32_t begin = 0;  // in the text; of a string: behind its quote
    uint32_t end = 0;
    uint32_t next = 0;  // the node behind this value with all that is in it
    Kind kind = Kind::kNull;
  };

  bool ParseNodes(std::string_view text);
  bool AddString(std::string_view text, size_t* at);
  bool AddScalar(std::string_view text, size_t* at);

  std::string_view text_;
  std::vector<Node> nodes_;     // in the order of the text; a member is its name, then its value
  std::vector<uint32_t> open_;  // the containers around the position, while reading
};

inline bool TapeValue::HasKind(Kind kind) const {
  return tape_ != nullptr && tape_->nodes_[node_].kind == kind;
}

template <typename Visit>
void TapeValue::ForEach(const Visit& visit) const {
  if (!IsArray()) return;
  const uint32_t end = tape_->nodes_[node_].next;
  for (uint32_t at = node_ + 1; at < end; at = tape_->nodes_[at].next) visit(TapeValue(tape_, at));
}

template <typename Visit>
void TapeValue::ForEachMember(const Visit& visit) const {
  if (!IsObject()) return;
  const uint32_t end = tape_->nodes_[node_].next;
  for (uint32_t at = node_ + 1; at < end; at = tape_->nodes_[at + 1].next) {
    visit(TapeValue(tape_, at).Raw(), TapeValue(tape_, at + 1));
  }
}

}  // namespace recall
