#pragma once

// JSON text, in the one spelling that Recall prints everywhere.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"

namespace recall {

// Appends JSON to a text as its values come, so that no tree of them is built. Members keep the
// order they are written in.
//
// Strings escape what JSON demands (`"`, `\`, control characters; \n and the like by letter) and
// nothing else. Bytes that are not UTF-8 become U+FFFD: one for each byte that begins no character,
// and one for a character that breaks off.
class JsonWriter final {
 public:
  enum class Layout {
    kLine,    // no white space
    kPretty,  // two spaces a level
  };

  // `out` must outlive it.
  explicit JsonWriter(std::string* out, Layout layout = Layout::kLine)
      : out_(out), pretty_(layout == Layout::kPretty) {}

  // Leaves out members by their paths, which are those of JSON Pointer; '*' is every element of an
  // array. `paths` must outlive the writer. To be called before anything is written.
  void LeaveOut(std::span<const std::string_view> paths) { left_out_ = paths; }

  void BeginObject() { Begin('{'); }
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }
  // The name of the member whose value comes next.
  void Key(std::string_view name);

  void String(std::string_view text);
  void Int(int64_t value);
  void Uint(uint64_t value);
  // As AppendJsonNumber.
  void Double(double value);
  void Bool(bool value);
  void Null();
  // A string: the bytes in base64.
  void Base64(ByteSpan bytes);

  // Ends the line behind a whole value. Another value may follow.
  void EndLine() { *out_ += '\n'; }

  // A value by its type; null for an optional without one, an array for a list.
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
  template <typename T>
  void Value(const std::optional<T>& value) {
    value ? Value(*value) : Null();
  }

  // A member.
  template <typename T>
  void Field(std::string_view name, const T& value) {
    Key(name);
    Value(value);
  }
  // Null where the text is empty.
  void FieldOrNull(std::string_view name, std::string_view text);
  void BeginObject(std::string_view name);
  void BeginArray(std::string_view name);
  // A member that is an object, whose own members `write()` writes.
  template <typename Write>
  void Object(std::string_view name, const Write& write) {
    BeginObject(name);
    write();
    EndObject();
  }
  // A member that is an array of objects: one for each of `items`, written by `write(item)`.
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
  bool first_ = true;       // nothing is in the innermost container yet
  bool after_key_ = false;  // a value must come
  size_t depth_ = 0;

  // What LeaveOut needs.
  struct Cut {
    size_t begin;  // of the member in *out_
    bool first;    // as it was before it
    size_t depth;
  };
  std::span<const std::string_view> left_out_;
  std::string path_;               // of the value that is being written
  std::vector<size_t> path_ends_;  // its length, for each open container
  std::optional<Cut> cut_;         // the member that goes when it is complete
};

// The shortest form that reads back to the same double. A whole number keeps its fraction (1.0),
// so that typed readers see what it is; what is not finite has no form in JSON and becomes null.
void AppendJsonNumber(double value, std::string* out);

}  // namespace recall
