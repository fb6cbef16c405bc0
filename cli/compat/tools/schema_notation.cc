#include "cli/compat/tools/schema_notation.h"

#include <algorithm>
#include <string>
#include <utility>

namespace recall {
namespace {

class NotationReader final {
 public:
  explicit NotationReader(std::string_view notation) : rest_(notation) {}

  Json Object() {
    Json properties = Json::object();
    Json required = Json::array();
    for (std::string name = Word(); !name.empty(); name = Word()) {
      if (Take('*')) required.push_back(name);
      Take(':');
      properties[name] = Type();
      if (Take('\'')) {
        const size_t end = rest_.find('\'');
        properties[name]["description"] = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
      }
      if (!Take(';')) break;
    }
    Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
  }

 private:
  bool Take(char c) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string Word() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    const size_t end = std::min(rest_.find_first_of(" *:;'|()[]{}"), rest_.size());
    std::string word(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return word;
  }

  Json Type() {
    if (Take('[')) {
      Json schema = {{"type", "array"}, {"items", Type()}};
      Take(']');
      return schema;
    }
    if (Take('{')) {
      Json schema = Object();
      Take('}');
      return schema;
    }
    const std::string name = Word();
    if (name == "flag") return {{"type", "boolean"}};
    Json schema = {{"type", name == "text" ? "string" : name}};
    if (Take('(')) {
      do schema["enum"].push_back(Word());
      while (Take('|'));
      Take(')');
    } else if (const std::string range = Word(); !range.empty()) {
      const size_t dots = range.find("..");
      schema["minimum"] = Json::parse(range.substr(0, dots));
      if (dots + 2 < range.size()) schema["maximum"] = Json::parse(range.substr(dots + 2));
    }
    return schema;
  }

  std::string_view rest_;
};

}  // namespace

Json SchemaFrom(std::string_view notation) { return NotationReader(notation).Object(); }

}  // namespace recall
