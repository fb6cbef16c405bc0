#pragma once

// One line of JSON Lines, read into the fields one expects. What a line holds besides is skipped
// without being kept, however deep it nests, so memory is bounded by the length of the line.

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/ids.h"
#include "storage/base/result.h"

namespace recall {

// Limits of JsonRecord::Integer.
inline constexpr int64_t kMostInt64 = std::numeric_limits<int64_t>::max();
inline constexpr int64_t kMostUint32 = std::numeric_limits<uint32_t>::max();

// A line of a file, for errors that point at it. Views what its maker keeps.
struct LineRef {
  std::string_view file;
  int64_t number = 0;  // from 1
  std::string_view text;
};

// "FILE: message", with the position: the byte `at`, or the line as a whole.
Status LineFault(const LineRef& line, std::string message, std::string hint = {},
                 std::optional<size_t> at = std::nullopt);

// A field that is looked for. `name` is also found as `name`_base64: text that need not be UTF-8.
struct FieldSpec {
  std::string_view name;
  bool is_tree = false;  // may be an object or an array, which is kept (at most 100,000 values)
};

// The fields of one line, in the order of their specs.
class JsonRecord final {
 public:
  // InvalidArgument at the place where `line` is not one JSON object, or names a field twice.
  // `specs` must outlive the record, as must what `line` views.
  static Result<JsonRecord> Parse(const LineRef& line, std::span<const FieldSpec> specs);

  // Each takes the value out of a field. A field that is missing or has another type is the
  // record's fault from then on, and the value returned means nothing: read all, then ask status().
  std::string Text(size_t field);                       // a string; decodes _base64
  std::optional<std::string> TextOrNull(size_t field);  // nothing for null or a missing field
  int64_t Integer(size_t field, int64_t min, int64_t max);
  std::optional<int64_t> IntegerOrNull(size_t field, int64_t min, int64_t max);
  double Number(size_t field);
  Digest Hash(size_t field);                         // 64 hexadecimal digits
  std::string Base64(size_t field);                  // bytes that are always written so
  std::optional<nlohmann::json> Tree(size_t field);  // an object; nothing for null or missing
  // An array of finite numbers (of a field that may be a tree), or base64 of float32,
  // little-endian; empty for null.
  std::vector<float> Floats(size_t field);

  bool Has(size_t field) const { return values_[field].kind != Kind::kAbsent; }
  bool IsNull(size_t field) const { return values_[field].kind == Kind::kNull; }
  bool IsString(size_t field) const { return values_[field].kind == Kind::kString; }
  // The first fault; also one of the caller's own.
  void Refuse(size_t field, const std::string& why);
  const Status& status() const { return status_; }
  const LineRef& line() const { return line_; }

 private:
  enum class Kind : uint8_t { kAbsent, kNull, kBoolean, kInteger, kNumber, kString, kTree, kOther };
  struct Value {
    Kind kind = Kind::kAbsent;
    bool base64 = false;
    int64_t integer = 0;
    double number = 0;
    std::string text;
    nlohmann::json tree;
  };
  class Handler;

  JsonRecord(const LineRef& line, std::span<const FieldSpec> specs)
      : line_(line), specs_(specs), values_(specs.size()) {}
  bool Expect(size_t field, Kind kind, std::string_view what);

  LineRef line_;
  std::span<const FieldSpec> specs_;
  std::vector<Value> values_;
  Status status_;
};

// The value of the field `type`, by which lines are told apart.
Result<std::string> TypeOfLine(const LineRef& line);

// The JSON object that `text` is; nothing when it is none, or too large or deep for a field.
std::optional<nlohmann::json> ParseJsonObject(std::string_view text);

}  // namespace recall
