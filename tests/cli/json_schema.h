#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A validator for the part of JSON Schema (draft 2020-12) that docs/schema uses. An unknown keyword
// is reported as a fault of the schema, so that nothing is left unchecked.
class SchemaSet final {
 public:
  using Json = nlohmann::ordered_json;

  // Loads every *.schema.json of a directory.
  static SchemaSet Load(const std::string& directory);
  // Adds a schema under the last component of its $id.
  void Add(const Json& schema);

  bool Has(const std::string& file) const { return schemas_.count(file) > 0; }
  std::vector<std::string> Files() const;
  const Json& Schema(const std::string& file) const { return schemas_.at(file); }

  // The violations of schema `file` by `value`, for example "/stats/took_ms: not an integer".
  std::vector<std::string> Violations(const std::string& file, const Json& value) const;

  // Unknown keywords, unresolved references, and patterns that do not compile.
  std::vector<std::string> Faults() const;

 private:
  std::map<std::string, Json> schemas_;
};

}  // namespace recall
