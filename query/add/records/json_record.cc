// Reads the fields of one JSON object by SAX events, without building a tree of the whole line.
//
// Problem. A line of an import may be a gigabyte of hostile JSON. A DOM of it takes many times its
// size, and a recursive parser overflows the stack on deep nesting.
//
// Idea. nlohmann's SAX parser is not recursive. The handler keeps only values at depth 1 whose name
// is expected. Fields with `is_tree` are built as small trees, limited to kMaxTreeValues values and
// kMaxTreeDepth levels. Everything else is skipped event by event.
//
// Invariants. A field that appears twice is an error, even if once as NAME and once as NAME_base64.
// Parsing ends at the first error, which has the position of its line, and of its byte if the JSON
// is invalid.
//
// Cost: O(bytes of the line).

#include "query/add/records/json_record.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "index/base/text/text_fault.h"
#include "index/base/text/utf8.h"
#include "storage/base/base64.h"

namespace recall {
namespace {

using Json = nlohmann::json;  // objects sort their keys

constexpr std::string_view kBase64Suffix = "_base64";
constexpr size_t kMaxTreeValues = 100'000;
constexpr size_t kMaxTreeDepth = 64;

// Builds a tree of limited size from the events of the parser.
class TreeBuilder final {
 public:
  // Returns: false if the tree is too large or too deep.
  bool Add(Json value) {
    if (++values_ > kMaxTreeValues || open_.size() > kMaxTreeDepth) return false;
    const bool opens = value.is_structured();
    Json* placed = nullptr;
    if (open_.empty()) {
      root_ = std::move(value);
      placed = &root_;
    } else if (open_.back()->is_array()) {
      placed = &open_.back()->emplace_back(std::move(value));
    } else {
      placed = &((*open_.back())[key_] = std::move(value));
    }
    if (opens) open_.push_back(placed);
    return true;
  }
  void Key(std::string key) { key_ = std::move(key); }
  void Close() { open_.pop_back(); }

  Json Take() {
    values_ = 0;
    return std::move(root_);
  }

 private:
  // The open arrays and objects, outermost first. Their addresses are stable, because only the
  // innermost one grows.
  std::vector<Json*> open_;
  std::string key_;
  size_t values_ = 0;
  Json root_;
};

// Handles the events of a text that is one tree.
class TreeHandler final {
 public:
  bool null() { return tree_.Add(nullptr); }
  bool boolean(bool value) { return tree_.Add(value); }
  bool number_integer(int64_t value) { return tree_.Add(value); }
  bool number_unsigned(uint64_t value) { return tree_.Add(value); }
  bool number_float(double value, const std::string&) { return tree_.Add(value); }
  bool string(std::string& value) { return tree_.Add(std::move(value)); }
  bool binary(std::vector<uint8_t>&) { return false; }
  bool start_object(size_t) { return tree_.Add(Json::object()); }
  bool start_array(size_t) { return tree_.Add(Json::array()); }
  bool key(std::string& key) {
    tree_.Key(std::move(key));
    return true;
  }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

  Json Take() { return tree_.Take(); }

 private:
  bool Close() {
    tree_.Close();
    return true;
  }
  TreeBuilder tree_;
};

std::string FieldName(std::string_view name) { return "\"" + std::string(name) + "\""; }

}  // namespace

Status LineFault(const LineRef& line, std::string message, std::string hint,
                 std::optional<size_t> at) {
  TextPosition position = PositionOf(line.text, at.value_or(0));
  position.line = line.number;
  if (!at) {
    position.column = 0;
    position.excerpt.resize(std::min(position.excerpt.find('\n'), position.excerpt.size()));
  }
  return Status::InvalidArgument(std::string(line.file) + ": " + message, std::move(hint))
      .WithPosition(std::move(position));
}

// Handles the events of a line. A function that returns false ends parsing.
class JsonRecord::Handler final {
 public:
  explicit Handler(JsonRecord* record) : record_(record) {}

  bool null() {
    return Scalar(
        Kind::kNull, [](Value&) {}, nullptr);
  }
  bool boolean(bool value) {
    return Scalar(
        Kind::kBoolean, [](Value&) {}, value);
  }
  bool number_integer(int64_t value) {
    return Scalar(
        Kind::kInteger, [=](Value& to) { to.integer = value; }, value);
  }
  bool number_unsigned(uint64_t value) {
    if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return Scalar(
          Kind::kInteger, [=](Value& to) { to.integer = static_cast<int64_t>(value); }, value);
    }
    return Scalar(
        Kind::kNumber, [=](Value& to) { to.number = static_cast<double>(value); }, value);
  }
  bool number_float(double value, const std::string&) {
    return Scalar(
        Kind::kNumber, [=](Value& to) { to.number = value; }, value);
  }
  bool string(std::string& value) {
    if (in_tree_) return Keep(std::move(value));
    return Scalar(
        Kind::kString, [&](Value& to) { to.text = std::move(value); }, nullptr);
  }
  bool binary(std::vector<uint8_t>&) { return false; }

  bool start_object(size_t) { return Open(Json::object()); }
  bool start_array(size_t) { return Open(Json::array()); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }

  bool key(std::string& key) {
    if (in_tree_) tree_.Key(std::move(key));
    return depth_ != 1 || ChooseField(key);
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) {
    const bool is_utf8 = IsValidUtf8(record_->line_.text);
    Fault(is_utf8 ? "invalid JSON" : "invalid JSON: it is not UTF-8",
          position > 0 ? position - 1 : 0);
    return false;
  }

 private:
  // Handles a scalar: `set` stores it in its field; inside a tree, `value` is added to the tree.
  template <typename Set, typename TreeValue>
  bool Scalar(Kind kind, Set set, TreeValue value) {
    if (in_tree_) return Keep(value);
    if (depth_ == 0) return NotAnObject();
    if (depth_ == 1 && field_ != nullptr) {
      field_->kind = kind;
      set(*field_);
    }
    return true;
  }

  bool Open(Json container) {
    if (depth_ == 0 && !container.is_object()) return NotAnObject();
    if (depth_ == 1 && field_ != nullptr) {
      field_->kind = is_tree_ ? Kind::kTree : Kind::kOther;
      in_tree_ = is_tree_;
    }
    ++depth_;
    return !in_tree_ || Keep(std::move(container));
  }

  bool Close() {
    --depth_;
    if (!in_tree_) return true;
    tree_.Close();
    if (depth_ == 1) {
      field_->tree = tree_.Take();
      in_tree_ = false;
    }
    return true;
  }

  bool Keep(Json value) {
    if (tree_.Add(std::move(value))) return true;
    Fault(FieldName(name_) + " is too large: at most " + std::to_string(kMaxTreeValues) +
          " values and " + std::to_string(kMaxTreeDepth) + " levels");
    return false;
  }

  bool ChooseField(std::string_view key) {
    field_ = nullptr;
    const bool base64 = key.ends_with(kBase64Suffix);
    const std::string_view stem = base64 ? key.substr(0, key.size() - kBase64Suffix.size()) : key;
    for (size_t i = 0; i < record_->specs_.size(); ++i) {
      if (record_->specs_[i].name != stem) continue;
      field_ = &record_->values_[i];
      is_tree_ = record_->specs_[i].is_tree && !base64;
      name_ = record_->specs_[i].name;
      if (field_->kind != Kind::kAbsent) {
        Fault(FieldName(name_) + " occurs twice");
        return false;
      }
      field_->base64 = base64;
    }
    return true;
  }

  bool NotAnObject() {
    Fault("not a JSON object", 0);
    return false;
  }

  void Fault(std::string message, std::optional<size_t> at = std::nullopt) {
    record_->status_ = LineFault(record_->line_, std::move(message),
                                 "each line of an export is one JSON object", at);
  }

  JsonRecord* record_;
  size_t depth_ = 0;
  Value* field_ = nullptr;  // the field of the next value at depth 1; null: skipped
  std::string_view name_;
  bool is_tree_ = false;
  bool in_tree_ = false;
  TreeBuilder tree_;
};

Result<JsonRecord> JsonRecord::Parse(const LineRef& line, std::span<const FieldSpec> specs) {
  JsonRecord record(line, specs);
  Handler handler(&record);
  const bool parsed = Json::sax_parse(line.text.begin(), line.text.end(), &handler);
  if (!record.status_.ok()) return Fail(std::move(record.status_));
  if (!parsed) return Fail(LineFault(line, "invalid JSON"));
  return record;
}

void JsonRecord::Refuse(size_t field, const std::string& why) {
  if (!status_.ok()) return;
  status_ = LineFault(line_, FieldName(specs_[field].name) + " " + why);
}

bool JsonRecord::Expect(size_t field, Kind kind, std::string_view what) {
  const Kind found = values_[field].kind;
  if (found == kind || (kind == Kind::kNumber && found == Kind::kInteger)) return true;
  Refuse(field, found == Kind::kAbsent ? "is missing" : "is not " + std::string(what));
  return false;
}

std::string JsonRecord::Text(size_t field) {
  if (!Expect(field, Kind::kString, "a string")) return {};
  Value& value = values_[field];
  if (!value.base64) return std::move(value.text);
  return Base64(field);
}

std::optional<std::string> JsonRecord::TextOrNull(size_t field) {
  const Kind kind = values_[field].kind;
  if (kind == Kind::kAbsent || kind == Kind::kNull) return std::nullopt;
  return Text(field);
}

int64_t JsonRecord::Integer(size_t field, int64_t min, int64_t max) {
  if (!Expect(field, Kind::kInteger, "a whole number")) return min;
  const int64_t value = values_[field].integer;
  if (value >= min && value <= max) return value;
  Refuse(field, "must be between " + std::to_string(min) + " and " + std::to_string(max) +
                    ", not be " + std::to_string(value));
  return min;
}

std::optional<int64_t> JsonRecord::IntegerOrNull(size_t field, int64_t min, int64_t max) {
  const Kind kind = values_[field].kind;
  if (kind == Kind::kAbsent || kind == Kind::kNull) return std::nullopt;
  return Integer(field, min, max);
}

double JsonRecord::Number(size_t field) {
  if (!Expect(field, Kind::kNumber, "a number")) return 0;
  const Value& value = values_[field];
  return value.kind == Kind::kInteger ? static_cast<double>(value.integer) : value.number;
}

Digest JsonRecord::Hash(size_t field) {
  Digest digest{};
  const std::optional<std::string> bytes = FromHex(Text(field));
  if (!bytes || bytes->size() != digest.size()) {
    Refuse(field, "is not 64 hexadecimal digits");
    return digest;
  }
  std::copy(bytes->begin(), bytes->end(), digest.begin());
  return digest;
}

std::string JsonRecord::Base64(size_t field) {
  if (!Expect(field, Kind::kString, "a string")) return {};
  std::optional<std::string> bytes = DecodeBase64(values_[field].text);
  if (!bytes) Refuse(field, "is not base64");
  return bytes ? *std::move(bytes) : std::string();
}

std::optional<Json> JsonRecord::Tree(size_t field) {
  const Kind kind = values_[field].kind;
  if (kind == Kind::kAbsent || kind == Kind::kNull) return std::nullopt;
  if (!Expect(field, Kind::kTree, "an object") || !values_[field].tree.is_object()) {
    Refuse(field, "is not an object");
    return std::nullopt;
  }
  return std::move(values_[field].tree);
}

std::optional<Json> JsonRecord::List(size_t field) {
  const Kind kind = values_[field].kind;
  if (kind == Kind::kAbsent || kind == Kind::kNull) return std::nullopt;
  if (!Expect(field, Kind::kTree, "an array") || !values_[field].tree.is_array()) {
    Refuse(field, "is not an array");
    return std::nullopt;
  }
  return std::move(values_[field].tree);
}

std::vector<float> JsonRecord::Floats(size_t field) {
  std::vector<float> floats;
  if (IsNull(field)) return floats;
  if (IsString(field)) {
    const std::string bytes = Base64(field);
    floats.resize(bytes.size() / sizeof(float));
    if (!floats.empty()) std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
    if (bytes.size() % sizeof(float) != 0)
      Refuse(field, "does not consist of whole float32 values");
  } else if (Expect(field, Kind::kTree, "an array of numbers") && values_[field].tree.is_array()) {
    for (const Json& number : values_[field].tree) {
      floats.push_back(number.is_number() ? number.get<float>() : std::nanf(""));
    }
  }
  const auto finite = [](float component) { return std::isfinite(component); };
  if (floats.empty() || !std::ranges::all_of(floats, finite)) {
    Refuse(field, "is not an array of numbers that a float32 can represent");
  }
  return floats;
}

Result<std::string> TypeOfLine(const LineRef& line) {
  static constexpr FieldSpec kType[] = {{"type"}};
  RECALL_ASSIGN(JsonRecord record, JsonRecord::Parse(line, kType));
  std::string type = record.Text(0);
  RECALL_TRY(record.status());
  return type;
}

std::optional<Json> ParseJsonObject(std::string_view text) {
  TreeHandler handler;
  if (!Json::sax_parse(text.begin(), text.end(), &handler)) return std::nullopt;
  Json tree = handler.Take();
  if (!tree.is_object()) return std::nullopt;
  return tree;
}

}  // namespace recall
