#pragma once

// Tools with the names, the parameters and the answers that other programs have published, for
// assistants that were set up for them. Each is answered by running commands of `recall`.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/server/mcp/json_rpc.h"
#include "cli/server/tools/command_runner.h"
#include "cli/server/tools/tool_arguments.h"

namespace recall {

struct CompatCall {
  const Json& arguments;  // valid by the schema of the tool
  CommandRunner& runner;
  bool may_write = false;  // a call may record that notes were used
};

using CompatResult = tl::expected<Json, ToolFault>;

enum class ToolEffect { kReads, kAdds, kRemoves };

struct CompatTool {
  std::string_view name;
  ToolEffect effect = ToolEffect::kReads;
  std::string_view help;
  std::string_view input;   // the arguments, in the notation of schema_notation.h
  std::string_view output;  // the members of structuredContent; "": there is none
  std::string_view shown;   // the member of the answer that is its text; "": all of it
  // Returns: an object. Errors: those of the commands.
  CompatResult (*answer)(const CompatCall& call);
  // A further name that was published for a tool: it can be called, and is listed where --tool
  // names it.
  bool other_name = false;
};

std::span<const CompatTool> BastraTools();
std::span<const CompatTool> RekallTools();
std::span<const CompatTool> MemoryTools();

// The tools of a program.
struct ToolSet {
  std::string_view name;  // what users type: `mcp --tools NAME`
  std::span<const CompatTool> (*tools)() = nullptr;
};

std::span<const ToolSet> ToolSets();
// Returns: the set with this name; null if there is none.
const ToolSet* FindToolSet(std::string_view name);

// The help of `mcp --tools`, and an example for the page of `mcp`.
inline constexpr std::string_view kToolSetHelp =
    "answer under the names of bastra-recall, Rekall or Anthropic's memory\n"
    "server, for assistants that know these (default: recall)";
inline constexpr std::string_view kToolSetExample =
    "  recall mcp --tools memory --allow-write    in place of Anthropic's memory server\n";

// Returns: how a value violates its schema, as in "entities[0].name is missing"; "" if it does not.
// Members that the schema does not name, and members that are null, are allowed. `name` is that of
// the value in the message.
std::string SchemaFault(const Json& schema, const Json& value, const std::string& name);

// Shortens an answer until its text has at most `budget` tokens: its longest lists, then its
// longest texts, from the end. A shortened answer has `truncated`.
void FitAnswer(Json& answer, std::string_view shown, int64_t budget);
// Returns: the text of the member `shown` of an answer, or of the whole answer if `shown` is "".
// What is not a text is printed as JSON.
std::string TextOfAnswer(const Json& answer, std::string_view shown);

// ---- For the answers of tools -------------------------------------------------------------------

// Runs a command. Returns: its JSON document.
CompatResult RunCommand(CommandRunner& runner, std::string_view command,
                        std::vector<std::string> args);
// Parses the lines of JSON that a command prints with --lean.
std::vector<Json> ParseLines(std::string_view text);
// Appends a flag with the value of an argument, such as "--text=VALUE", or one for each text of a
// list. Appends nothing if the argument is absent or empty.
void AddFlag(const Json& arguments, std::string_view name, std::string_view flag,
             std::vector<std::string>* args);
// Returns: the texts of an argument that is a list; empty if it is absent.
std::vector<std::string> TextsIn(const Json& arguments, std::string_view name);
// A note: the values of its front matter, and its whole text without it.
struct ReadNote {
  std::string path;
  Json card = Json::object();
  std::string body;
};
tl::expected<ReadNote, ToolFault> ReadWholeNote(const CompatCall& call, const std::string& id);

}  // namespace recall
