#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A validator for the part of JSON Schema (draft 2020-12) that docs/schema uses. A keyword it does
// not know is a fault of the schema, lest a promise goes unchecked.
class SchemaSet final {
 public:
  using Json = nlohmann::ordered_json;

  // Every *.schema.json of a directory.
  static SchemaSet Load(const std::string& directory);
  // Adds one schema under the last part of its $id.
  void Add(const Json& schema);

  bool Has(const std::string& file) const { return schemas_.count(file) > 0; }
  std::vector<std::string> Files() const;
  const Json& Schema(const std::string& file) const { return schemas_.at(file); }

  // What keeps `value` from being what `file` describes: "/stats/took_ms: not an integer"; empty
  // when nothing does.
  std::vector<std::string> Violations(const std::string& file, const Json& value) const;

  // Unknown keywords, references that lead nowhere, patterns that do not compile.
  std::vector<std::string> Faults() const;

 private:
  std::map<std::string, Json> schemas_;
};

}  // namespace recall
