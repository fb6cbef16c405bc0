#pragma once

// Parses one line of JSON Lines into a fixed set of expected fields. Other fields are skipped and
// not kept, however deeply they nest, so memory is proportional to the length of the line.

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

// Limits for JsonRecord::Integer.
inline constexpr int64_t kMostInt64 = std::numeric_limits<int64_t>::max();
inline constexpr int64_t kMostUint32 = std::numeric_limits<uint32_t>::max();

// A line of a file, for errors with its position. It refers to memory of its creator.
struct LineRef {
  std::string_view file;
  int64_t number = 0;  // from 1
  std::string_view text;
};

// Returns: an InvalidArgument "FILE: message" with the position of byte `at`, or of the whole line.
Status LineFault(const LineRef& line, std::string message, std::string hint = {},
                 std::optional<size_t> at = std::nullopt);

// An expected field. Text that is not UTF-8 may appear in base64, in a field named `name`_base64.
struct FieldSpec {
  std::string_view name;
  bool is_tree = false;  // it may be an object or an array, which is kept (at most 100,000 values)
};

// The values of one line, indexed by the specs.
class JsonRecord final {
 public:
  // Errors: InvalidArgument, with the position, if `line` is not a single JSON object or contains a
  // field twice. `specs` and the memory of `line` must outlive the record.
  static Result<JsonRecord> Parse(const LineRef& line, std::span<const FieldSpec> specs);

  // Each function moves the value out of a field. If the field is missing or has another type, the
  // error is kept in status() and the returned value is meaningless. Read all fields, then check
  // status().
  std::string Text(size_t field);                       // a string; decodes _base64
  std::optional<std::string> TextOrNull(size_t field);  // nullopt for null or a missing field
  int64_t Integer(size_t field, int64_t min, int64_t max);
  std::optional<int64_t> IntegerOrNull(size_t field, int64_t min, int64_t max);
  double Number(size_t field);
  Digest Hash(size_t field);                         // 64 hexadecimal digits
  std::string Base64(size_t field);                  // bytes, always in base64
  std::optional<nlohmann::json> Tree(size_t field);  // an object; nullopt for null or missing
  std::optional<nlohmann::json> List(size_t field);  // an array; nullopt for null or missing
  // An array of finite numbers (the field must have is_tree), or base64 of float32, little-endian;
  // empty for null.
  std::vector<float> Floats(size_t field);

  bool Has(size_t field) const { return values_[field].kind != Kind::kAbsent; }
  bool IsNull(size_t field) const { return values_[field].kind == Kind::kNull; }
  bool IsString(size_t field) const { return values_[field].kind == Kind::kString; }
  // Sets the error of the record, unless it already has one: status() is the first error.
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

// Returns: the value of the field `type`, which every line of an export has. Errors:
// InvalidArgument.
Result<std::string> TypeOfLine(const LineRef& line);

// Parses `text` as a JSON object. Returns: nullopt if it is not an object, or exceeds the limits of
// a tree field.
std::optional<nlohmann::json> ParseJsonObject(std::string_view text);

}  // namespace recall
