#pragma once

// JSON as editors write it, with the place of every value: comments (// and /* */), commas before a
// closing bracket and a byte order mark are accepted. Nothing is ever written from this tree; it
// says where in the text something can be inserted or removed.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The most brackets that may be open at one place.
inline constexpr size_t kMaxJsoncNesting = 100;

struct JsoncMember;

struct JsoncValue {
  enum class Kind { kObject, kArray, kString, kNumber, kWord };

  Kind kind = Kind::kWord;
  size_t begin = 0;  // byte positions in the text; `end` is one past the last byte
  size_t end = 0;
  std::string text;                   // of a string: decoded; of a number, true, false, null: as is
  std::vector<JsoncMember> members;   // of an object or an array
  bool trailing_comma = false;        // after the last member
  bool ends_in_line_comment = false;  // what precedes the closing bracket, apart from white space

  // The member of that name, or null. Of several, the last one, as most programs read them.
  const JsoncMember* Find(std::string_view name) const;
};

struct JsoncMember {
  size_t key_begin = 0;  // of the key with its quotes; in an array, of the value
  size_t key_end = 0;
  std::string name;  // decoded; "" in an array
  JsoncValue value;
};

// The root value of a text; nothing if the text has only white space and comments. Errors:
// InvalidArgument with the position of the first fault, for any bytes.
Result<std::optional<JsoncValue>> ParseJsonc(std::string_view text);

// The last step of a path that leads to an item of an array: that which calls `recall hook`.
inline constexpr std::string_view kHookStep = "[recall hook]";

// Whose hook an item {"matcher": ..., "hooks": [{"command": ...}]} is, or Cursor's {"command":
// ...}, by the programs that it starts.
enum class HookOwner { kOther, kOurs, kBoth };
HookOwner OwnerOfHook(const JsoncValue& item);

// The position after the white space and comments that start at `at`. Requires: `at` is between
// two tokens of a text that ParseJsonc accepted.
size_t SkipJsoncBlanks(std::string_view text, size_t at);

// The value as JSON without white space and with the members in the order of their names, to
// compare values. `without`: a path to a member or item that is left out, together with objects and
// arrays on the path that contain nothing else.
std::string CanonicalJson(const JsoncValue& value, const std::vector<std::string>& without = {});

}  // namespace recall
