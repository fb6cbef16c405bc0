#pragma once

// JSON text, in the one spelling that Recall prints everywhere.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"

namespace recall {

// Appends JSON to a text value by value, without building a tree. Members keep the order in which
// they are written.
//
// Strings escape what JSON requires (`"`, `\`, control characters; \n and the like by letter) and
// nothing else. Bytes that are not UTF-8 become U+FFFD: one for each byte that does not start a
// character, and one for a truncated character.
class JsonWriter final {
 public:
  enum class Layout {
    kLine,    // no white space
    kPretty,  // two spaces per level
  };

  // `out` must outlive it.
  explicit JsonWriter(std::string* out, Layout layout = Layout::kLine)
      : out_(out), pretty_(layout == Layout::kPretty) {}

  // Omits the members with these paths (JSON Pointer; '*' is every element of an array). `paths`
  // must outlive the writer. Must be called before anything is written.
  void LeaveOut(std::span<const std::string_view> paths) { left_out_ = paths; }

  void BeginObject() { Begin('{'); }
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }
  // Writes the name of the member whose value follows.
  void Key(std::string_view name);

  void String(std::string_view text);
  void Int(int64_t value);
  void Uint(uint64_t value);
  // Writes the number as AppendJsonNumber does.
  void Double(double value);
  void Bool(bool value);
  void Null();
  // Writes a string: the bytes in base64.
  void Base64(ByteSpan bytes);

  // Ends the line after a complete value. Another value may follow.
  void EndLine() { *out_ += '\n'; }

  // Writes a value by its type: an empty optional as null, a list as an array.
  void Value(std::string_view text) { String(text); }
  void Value(std::integral auto value) {
    if constexpr (std::same_as<decltype(value), bool>) {
      Bool(value);
    } else if constexpr (std::signed_integral<decltype(value)>) {
      Int(value);
    } else {
      Uint(value);
    }
  }
  void Value(double value) { Double(value); }
  void Value(std::nullptr_t) { Null(); }
  void Value(std::span<const std::string> texts);
  void Value(const std::vector<std::string>& texts) { Value(std::span(texts)); }
  // An object of numbers.
  void Value(const std::map<std::string, int64_t>& counts) {
    BeginObject();
    for (const auto& [name, count] : counts) Field(name, count);
    EndObject();
  }
  template <typename T>
  void Value(const std::optional<T>& value) {
    value ? Value(*value) : Null();
  }

  // Writes a member.
  template <typename T>
  void Field(std::string_view name, const T& value) {
    Key(name);
    Value(value);
  }
  // Writes a member with this text, or null if it is empty.
  void FieldOrNull(std::string_view name, std::string_view text);
  void BeginObject(std::string_view name);
  void BeginArray(std::string_view name);
  // Writes a member that is an object with the members that `write()` writes.
  template <typename Write>
  void Object(std::string_view name, const Write& write) {
    BeginObject(name);
    write();
    EndObject();
  }
  // Writes a member that is an array with an object for each of `items`, whose members
  // `write(item)` writes.
  template <typename Items, typename Write>
  void Objects(std::string_view name, const Items& items, const Write& write) {
    BeginArray(name);
    for (const auto& item : items) {
      BeginObject();
      write(item);
      EndObject();
    }
    EndArray();
  }

 private:
  void Place();
  void Written();
  void Begin(char bracket);
  void End(char bracket);
  void Break();
  void Quote(std::string_view text);
  void FollowPath(std::string_view name);

  std::string* out_;
  bool pretty_;
  bool first_ = true;       // the innermost container is empty so far
  bool after_key_ = false;  // a value must follow
  size_t depth_ = 0;

  // The state of LeaveOut.
  struct Cut {
    size_t begin;  // start of the member in *out_
    bool first;    // first_ before the member
    size_t depth;
  };
  std::span<const std::string_view> left_out_;
  std::string path_;               // of the current value
  std::vector<size_t> path_ends_;  // length of path_ for each open container
  std::optional<Cut> cut_;         // the member that is written now and will be removed
};

// Appends the shortest form that reads back to the same double. A whole number keeps its fraction
// (1.0), so that typed readers see a float. Numbers that are not finite become null, because JSON
// cannot represent them.
void AppendJsonNumber(double value, std::string* out);

}  // namespace recall
