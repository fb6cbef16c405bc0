#include "tests/cli/json_schema.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace recall {
namespace {

using Json = SchemaSet::Json;
using Schemas = std::map<std::string, Json>;

// Keywords that constrain the value (kChecks), and those that only describe (kNotes).
const std::set<std::string> kChecks = {
    "$ref",     "additionalProperties",
    "allOf",    "anyOf",
    "const",    "enum",
    "items",    "maximum",
    "minItems", "minimum",
    "not",      "pattern",
    "type",     "properties",
    "required",
};
const std::set<std::string> kNotes = {"$schema", "$id", "$defs", "title", "description"};

// A schema and its file, to which its references are relative.
struct Located {
  const Json* schema = nullptr;
  std::string file;
};

// Resolves "other.schema.json#/$defs/x", "#/$defs/x" and "other.schema.json".
Located Resolve(const Schemas& schemas, const std::string& file, const std::string& reference) {
  const size_t hash = std::min(reference.find('#'), reference.size());
  const std::string target = hash == 0 ? file : reference.substr(0, hash);
  const auto found = schemas.find(target);
  if (found == schemas.end()) return {};
  const std::string pointer = hash < reference.size() ? reference.substr(hash + 1) : std::string();
  const Json::json_pointer place(pointer);
  if (!found->second.contains(place)) return {};
  return {&found->second.at(place), target};
}

bool HasType(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  // Stricter than the standard, which accepts 1.0 as an integer.
  return type == "integer" && value.is_number_integer();
}

class Validation final {
 public:
  explicit Validation(const Schemas& schemas) : schemas_(schemas) {}

  void Check(const Located& at, const Json& value, const std::string& path) {
    for (const auto& [keyword, argument] : at.schema->items()) {
      if (kNotes.count(keyword) == 0) CheckKeyword(keyword, argument, at, value, path);
    }
  }

  std::vector<std::string> Finish() && { return std::move(violations_); }

 private:
  void CheckKeyword(const std::string& keyword, const Json& argument, const Located& at,
                    const Json& value, const std::string& path) {
    if (keyword == "$ref") {
      CheckReference(argument, at, value, path);
    } else if (keyword == "allOf") {
      for (const Json& part : argument) Check({&part, at.file}, value, path);
    } else if (keyword == "anyOf") {
      CheckAny(argument, at, value, path);
    } else if (keyword == "not") {
      if (Try({&argument, at.file}, value, path).empty()) Object(path, "is what it must not be");
    } else if (keyword == "type") {
      CheckType(argument, value, path);
    } else if (keyword == "const") {
      if (value != argument) Object(path, "is " + value.dump() + ", not " + argument.dump());
    } else if (keyword == "enum") {
      if (std::ranges::find(argument, value) == argument.end()) {
        Object(path, value.dump() + " is none of " + argument.dump());
      }
    } else if (value.is_object()) {
      CheckObject(keyword, argument, at, value, path);
    } else if (value.is_array()) {
      CheckArray(keyword, argument, at, value, path);
    } else {
      CheckScalar(keyword, argument, value, path);
    }
    if (kChecks.count(keyword) == 0) Object(path, "the schema has the unknown keyword " + keyword);
  }

  void CheckReference(const std::string& reference, const Located& at, const Json& value,
                      const std::string& path) {
    const Located target = Resolve(schemas_, at.file, reference);
    if (target.schema == nullptr) return Object(path, "the schema refers to nothing: " + reference);
    Check(target, value, path);
  }

  void CheckAny(const Json& parts, const Located& at, const Json& value, const std::string& path) {
    std::string reasons;
    for (const Json& part : parts) {
      const std::vector<std::string> violations = Try({&part, at.file}, value, path);
      if (violations.empty()) return;
      reasons += "\n    or " + violations.front();
    }
    Object(path, "is none of the alternatives:" + reasons);
  }

  void CheckType(const Json& argument, const Json& value, const std::string& path) {
    const Json types = argument.is_array() ? argument : Json::array({argument});
    const bool fits = std::ranges::any_of(
        types, [&](const Json& type) { return HasType(value, type.get<std::string>()); });
    if (!fits) Object(path, value.dump().substr(0, 80) + " is not of type " + argument.dump());
  }

  void CheckObject(const std::string& keyword, const Json& argument, const Located& at,
                   const Json& value, const std::string& path) {
    if (keyword == "required") {
      for (const Json& key : argument) {
        if (!value.contains(key.get<std::string>())) {
          Object(path, key.get<std::string>() + " is missing");
        }
      }
    } else if (keyword == "properties") {
      for (const auto& [key, schema] : argument.items()) {
        if (value.contains(key)) Check({&schema, at.file}, value.at(key), path + "/" + key);
      }
    } else if (keyword == "additionalProperties" && argument.is_object()) {
      const Json known = at.schema->value("properties", Json::object());
      for (const auto& [key, member] : value.items()) {
        if (!known.contains(key)) Check({&argument, at.file}, member, path + "/" + key);
      }
    }
  }

  void CheckArray(const std::string& keyword, const Json& argument, const Located& at,
                  const Json& value, const std::string& path) {
    if (keyword == "items") {
      for (size_t i = 0; i < value.size(); ++i) {
        Check({&argument, at.file}, value[i], path + "/" + std::to_string(i));
      }
    } else if (keyword == "minItems" && value.size() < argument.get<size_t>()) {
      Object(path, "has fewer than " + argument.dump() + " elements");
    }
  }

  void CheckScalar(const std::string& keyword, const Json& argument, const Json& value,
                   const std::string& path) {
    if (keyword == "pattern" && value.is_string()) {
      if (!std::regex_search(value.get<std::string>(), std::regex(argument.get<std::string>()))) {
        Object(path, value.dump() + " does not match " + argument.dump());
      }
    } else if (keyword == "minimum" && value.is_number() && value < argument) {
      Object(path, value.dump() + " is below " + argument.dump());
    } else if (keyword == "maximum" && value.is_number() && value > argument) {
      Object(path, value.dump() + " is above " + argument.dump());
    }
  }

  std::vector<std::string> Try(const Located& at, const Json& value, const std::string& path) {
    Validation trial(schemas_);
    trial.Check(at, value, path);
    return std::move(trial.violations_);
  }

  void Object(const std::string& path, const std::string& reason) {
    violations_.push_back((path.empty() ? "/" : path) + ": " + reason);
  }

  const Schemas& schemas_;
  std::vector<std::string> violations_;
};

// Checks a schema itself, without a value.
class Review final {
 public:
  explicit Review(const Schemas& schemas) : schemas_(schemas) {}

  void Check(const Located& at, const std::string& path) {
    if (!at.schema->is_object()) return Object(path, "is not a schema");
    for (const auto& [keyword, argument] : at.schema->items()) {
      const std::string place = path + "/" + keyword;
      if (kChecks.count(keyword) + kNotes.count(keyword) == 0) {
        Object(place, "unknown keyword");
      } else if (keyword == "$ref") {
        if (Resolve(schemas_, at.file, argument).schema == nullptr) Object(place, "leads nowhere");
      } else if (keyword == "pattern") {
        CheckPattern(argument, place);
      } else {
        Descend(keyword, argument, at.file, place);
      }
    }
  }

  std::vector<std::string> Finish() && { return std::move(faults_); }

 private:
  void Descend(const std::string& keyword, const Json& argument, const std::string& file,
               const std::string& place) {
    if (keyword == "properties" || keyword == "$defs") {
      for (const auto& [key, schema] : argument.items()) Check({&schema, file}, place + "/" + key);
    } else if (keyword == "allOf" || keyword == "anyOf") {
      for (const Json& schema : argument) Check({&schema, file}, place);
    } else if (keyword == "items" || keyword == "not") {
      Check({&argument, file}, place);
    } else if (keyword == "additionalProperties" && argument != true) {
      // `false` is a fault, because it would reject fields of later versions.
      Check({&argument, file}, place);
    }
  }

  void CheckPattern(const std::string& pattern, const std::string& place) {
    try {
      const std::regex compiled(pattern);
    } catch (const std::regex_error& error) {
      Object(place, error.what());
    }
  }

  void Object(const std::string& place, const std::string& reason) {
    faults_.push_back(place + ": " + reason);
  }

  const Schemas& schemas_;
  std::vector<std::string> faults_;
};

}  // namespace

SchemaSet SchemaSet::Load(const std::string& directory) {
  SchemaSet set;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (!entry.path().string().ends_with(".schema.json")) continue;
    std::ifstream file(entry.path());
    set.Add(Json::parse(file));
  }
  return set;
}

void SchemaSet::Add(const Json& schema) {
  const std::string id = schema.at("$id");
  schemas_[id.substr(id.rfind('/') + 1)] = schema;
}

std::vector<std::string> SchemaSet::Files() const {
  std::vector<std::string> files;
  for (const auto& [file, schema] : schemas_) files.push_back(file);
  return files;
}

std::vector<std::string> SchemaSet::Violations(const std::string& file, const Json& value) const {
  Validation validation(schemas_);
  validation.Check({&schemas_.at(file), file}, value, "");
  return std::move(validation).Finish();
}

std::vector<std::string> SchemaSet::Faults() const {
  Review review(schemas_);
  for (const auto& [file, schema] : schemas_) review.Check({&schema, file}, file);
  return std::move(review).Finish();
}

}  // namespace recall
