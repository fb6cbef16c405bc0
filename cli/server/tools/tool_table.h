#pragma once

// The tools that an assistant can call. Each stands for a command line of `recall`.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/server/mcp/json_rpc.h"

namespace recall {

// kNames: a text of names with commas between them. kJson: a JSON object or its text.
enum class ParameterType { kText, kTexts, kNames, kJson, kInteger, kNumber, kBool };

struct ToolParameter {
  std::string_view name;
  ParameterType type = ParameterType::kText;
  bool required = false;
  std::string_view flag;  // of the command; "": handled by the tool, or the words after the flags
  std::string_view help;  // "" if the name says it
};

// How the answer of the command becomes that of the tool.
enum class ToolKind {
  kLines,    // lean lines, then a line of totals
  kMatches,  // the same, of the lines that match a pattern
  kSymbols,  // the same, of definitions of source code or their uses
  kChanges,  // the same, of files that change together with one
  kContext,  // the packed text
  kMap,      // the map of source code
  kGet,      // texts below their citations
  kStatus,
  kObject,  // the object of the command
};

struct ToolInfo {
  std::string_view name;
  ToolKind kind = ToolKind::kLines;
  bool writes = false;
  std::string_view words;  // the parameter that becomes the words of the command line
  std::string_view help;
  std::span<const ToolParameter> parameters;
  std::string_view command = {};  // that answers it; "": the one of the same name
  // Offered only where `--tool` names it, so that its description costs others nothing.
  bool on_request = false;

  std::string_view command_name() const { return command.empty() ? name : command; }
};

// All tools, in the order in which they are listed: those that read, then those that write.
std::span<const ToolInfo> AllTools();

// The parameter that `name` means for a tool: itself, or an alias such as `q` and `limit`, which
// models guess. nullptr if there is none.
const ToolParameter* FindParameter(const ToolInfo& tool, std::string_view name);

// The names of the parameters: "query, k, filter".
std::string ParameterNames(const ToolInfo& tool);

// The description of a tool as `tools/list` has it. `structured`: with an outputSchema.
Json DescribeTool(const ToolInfo& tool, bool structured);

}  // namespace recall
