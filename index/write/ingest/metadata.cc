// Extraction of metadata at the top of a document (docs/rql.md, "Fields").

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "index/source/chunk/front_matter.h"
#include "index/write/ingest/text_file.h"
#include "storage/base/from_chars.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

using Json = nlohmann::json;  // objects sort their keys

constexpr std::string_view kFieldBlanks = " \t\r\v\f";
// YAML aliases can expand a small document exponentially; hand-written metadata stays far below
// these limits.
constexpr int kMaxDepth = 32;
constexpr int kMaxNodes = 10'000;

constexpr const char* kTooLarge = "it is larger than 64 KiB and was not read";
constexpr const char* kTooDeep = "it has more than 32 levels and was read as plain lines";
constexpr const char* kTooMany = "it has more than 10,000 values and was read as plain lines";

std::string InvalidYaml(const std::string& where) {
  return "it is not valid YAML" + where + " and was read as plain lines";
}

// "Due-Date " -> "due_date". ASCII punctuation is dropped, other scripts are kept.
std::string NormalizeKey(std::string_view key) {
  std::string normal;
  bool gap = false;
  for (const char c : key) {
    if (c == ' ' || c == '\t' || c == '_' || c == '-') {
      gap = true;
      continue;
    }
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                      static_cast<unsigned char>(c) >= 0x80;
    if (!kept) continue;
    if (gap && !normal.empty()) normal += '_';
    gap = false;
    normal += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return normal;
}

// Parses all of `text` as a number of type T; nothing if it is none.
template <typename T>
std::optional<T> ParseNumber(std::string_view text) {
  T value{};
  const auto [end, error] = FromChars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A plain scalar by YAML 1.2's core schema. Numbers with a leading zero ("007") stay strings: YAML
// 1.1 reads them as octal, 1.2 as decimal, and usually they are identifiers. Dates stay strings,
// too.
Json ParsePlainScalar(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") {
    return nullptr;
  }
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;

  std::string_view number = text;
  if (number.starts_with('+') && !number.starts_with("+-")) number.remove_prefix(1);
  const std::string_view digits = number.substr(number.starts_with('-') ? 1 : 0);
  const bool leading_zero =
      digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
  constexpr std::string_view kNumberCharacters = "0123456789.eE+-";  // not "inf" and "nan"
  if (leading_zero || digits.find_first_not_of(kNumberCharacters) != std::string_view::npos) {
    return text;
  }
  if (const auto integer = ParseNumber<int64_t>(number)) return *integer;
  if (const auto integer = ParseNumber<uint64_t>(number)) return *integer;
  const bool is_integer = digits.find_first_not_of("0123456789") == std::string_view::npos;
  const auto real = ParseNumber<double>(number);
  if (!is_integer && real && std::isfinite(*real)) return *real;
  return text;
}

// Converts YAML nodes to JSON; fails, with an objection, if there are too many or they nest too
// deep.
class YamlConverter final {
 public:
  std::optional<Json> Convert(const YAML::Node& node, int depth = 0) {
    if (depth > kMaxDepth) return Refuse(kTooDeep);
    if (++nodes_ > kMaxNodes) return Refuse(kTooMany);
    if (node.IsSequence()) return ConvertSequence(node, depth);
    if (node.IsMap()) return ConvertMap(node, depth);
    if (!node.IsScalar()) return Json(nullptr);
    return node.Tag() == "?" ? ParsePlainScalar(node.Scalar()) : Json(node.Scalar());
  }

  const char* objection() const { return objection_; }

 private:
  std::optional<Json> Refuse(const char* objection) {
    objection_ = objection;
    return std::nullopt;
  }

  std::optional<Json> ConvertSequence(const YAML::Node& node, int depth) {
    Json list = Json::array();
    for (const YAML::Node& item : node) {
      std::optional<Json> value = Convert(item, depth + 1);
      if (!value) return std::nullopt;
      list.push_back(std::move(*value));
    }
    return list;
  }

  std::optional<Json> ConvertMap(const YAML::Node& node, int depth) {
    Json object = Json::object();
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) continue;
      const std::string key = NormalizeKey(entry.first.Scalar());
      if (key.empty()) continue;
      std::optional<Json> value = Convert(entry.second, depth + 1);
      if (!value) return std::nullopt;
      object[key] = std::move(*value);
    }
    return object;
  }

  int nodes_ = 0;
  const char* objection_ = "";
};

// Parses front matter as YAML; nothing if it is not a YAML map. *shortfall: why it is none, unless
// it is valid YAML of another kind.
std::optional<Json> ParseYaml(std::string_view body, std::string* shortfall) {
  try {
    const YAML::Node root = YAML::Load(std::string(body));
    if (!root.IsMap()) return std::nullopt;
    YamlConverter converter;
    std::optional<Json> object = converter.Convert(root);
    *shortfall = converter.objection();
    return object;
  } catch (const YAML::DeepRecursion&) {
    *shortfall = kTooDeep;
  } catch (const YAML::Exception& fault) {
    // The body begins on line 2 of the file, and yaml-cpp counts from 0.
    const int line = fault.mark.is_null() ? 0 : fault.mark.line + 2;
    *shortfall = InvalidYaml(line > 0 ? " (line " + std::to_string(line) + ")" : "");
  } catch (const std::exception&) {
    *shortfall = InvalidYaml("");
  }
  return std::nullopt;
}

struct Field {
  std::string key;
  std::string_view value;
};

// Parses a line such as "Due-Date: tomorrow". A colon inside a word ("https://x") is not a
// separator.
std::optional<Field> ParseField(std::string_view line) {
  for (size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    if (colon + 1 < line.size() && kFieldBlanks.find(line[colon + 1]) == std::string_view::npos) {
      continue;
    }
    std::string key = NormalizeKey(line.substr(0, colon));
    if (key.empty()) return std::nullopt;
    return Field{std::move(key), Trim(line.substr(colon + 1), kFieldBlanks)};
  }
  return std::nullopt;
}

// Removes and returns the first line of `text`, trimmed.
std::string_view TakeLine(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  const std::string_view line = Trim(text->substr(0, end), kFieldBlanks);
  text->remove_prefix(std::min(end + 1, text->size()));
  return line;
}

// Parses the lines of front matter that look like fields, and ignores the others.
Json ParseFields(std::string_view body) {
  Json object = Json::object();
  while (!body.empty()) {
    if (std::optional<Field> field = ParseField(TakeLine(&body))) {
      object[field->key] = std::string(field->value);
    }
  }
  return object;
}

// Parses the fields after an optional heading, up to the first line that is not a field.
Json ParseLeadingFields(std::string_view text) {
  constexpr size_t kMaxBytes = kMaxFrontMatterBytes;
  text = WithoutByteOrderMark(text).substr(0, kMaxBytes);
  Json object = Json::object();
  bool heading_seen = false;
  while (!text.empty()) {
    const std::string_view line = TakeLine(&text);
    if (line.empty() && object.empty()) continue;
    if (line.starts_with('#') && object.empty() && !heading_seen) {
      heading_seen = true;
      continue;
    }
    const std::optional<Field> field = ParseField(line);
    if (!field) break;
    object[field->key] = std::string(field->value);
  }
  return object;
}

// Whether the text has front matter that is too large. Two thematic breaks far from each other are
// none: the line after the first one must be a field or a comment.
bool IsOversized(std::string_view text) {
  const std::optional<FrontMatter> oversized = FindOversizedFrontMatter(text);
  if (!oversized) return false;
  std::string_view body = oversized->body;
  const std::string_view first = TakeLine(&body);
  return first.starts_with('#') || ParseField(first);
}

}  // namespace

ExtractedMetadata ExtractMetadata(std::string_view text) {
  ExtractedMetadata metadata;
  Json object;
  if (const std::optional<FrontMatter> front_matter = FindFrontMatter(text)) {
    std::optional<Json> yaml = ParseYaml(front_matter->body, &metadata.shortfall);
    object = yaml ? *std::move(yaml) : ParseFields(front_matter->body);
  } else {
    object = ParseLeadingFields(text);
    if (IsOversized(text)) metadata.shortfall = kTooLarge;
  }
  if (!object.empty()) {
    metadata.object = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return metadata;
}

}  // namespace recall
