#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/server/tools/tool_table.h"

namespace recall {

// An error in what a model asked for, as it reads it: so that it can ask again.
struct ToolFault {
  std::string code;  // as `error.code` in JSON
  std::string message;
  std::string hint;
};

ToolFault InvalidToolArgument(std::string message, std::string hint);

// Returns: the text as a literal of RQL.
std::string QuotedForRql(std::string_view text);

// The arguments of a call, checked and under their own names.
class ToolArguments final {
 public:
  // Takes aliases, texts that are numbers, and null for what is not given; `since` and `before`
  // become part of the filter. Errors: invalid_argument for unknown names, wrong types, missing
  // values, and two names for one parameter with different values.
  static tl::expected<ToolArguments, ToolFault> Read(const ToolInfo& tool, const Json& arguments);

  std::optional<std::string> Text(std::string_view name) const;
  std::optional<int64_t> Integer(std::string_view name) const;
  std::vector<std::string> Texts(std::string_view name) const;  // empty if it is not given
  bool IsTrue(std::string_view name) const;

  void Replace(std::string_view name, std::vector<std::string> texts) {
    values_[std::string(name)] = std::move(texts);
  }

  // The flags of the command line, in the order of the parameters.
  std::vector<std::string> Flags() const;
  // The first 4 bytes of a hash of everything that decides which results there are: not of the
  // size of a page and the place in them.
  uint32_t Fingerprint() const;

 private:
  explicit ToolArguments(const ToolInfo* tool) : tool_(tool) {}
  std::optional<ToolFault> Take(std::string_view given, const Json& value);

  const ToolInfo* tool_;
  std::map<std::string, Json, std::less<>> values_;
};

}  // namespace recall
