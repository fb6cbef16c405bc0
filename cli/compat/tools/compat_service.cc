#include "cli/compat/tools/compat_service.h"

#include <algorithm>

#include "cli/compat/tools/schema_notation.h"
#include "cli/server/tools/tool_answers.h"

namespace recall {
namespace {

Json TextResult(std::string text) {
  return {{"content", Json::array({{{"type", "text"}, {"text", std::move(text)}}})}};
}

Json FaultResult(const ToolFault& fault, int64_t budget) {
  Json fitted = {{"text", fault.code + ": " + fault.message +
                              (fault.hint.empty() ? "" : "\nhint: " + fault.hint)}};
  FitAnswer(fitted, "text", budget);
  Json result = TextResult(TextOfAnswer(fitted, "text"));
  result["isError"] = true;
  return result;
}

Json Describe(const CompatTool& tool) {
  Json described = {
      {"name", tool.name}, {"description", tool.help}, {"inputSchema", SchemaFrom(tool.input)}};
  if (!tool.output.empty()) described["outputSchema"] = SchemaFrom(tool.output);
  described["annotations"] = {{"readOnlyHint", tool.effect == ToolEffect::kReads},
                              {"destructiveHint", tool.effect == ToolEffect::kRemoves},
                              {"openWorldHint", false}};
  return described;
}

}  // namespace

CompatService::CompatService(std::span<const CompatTool> tools, RecallServiceOptions options,
                             std::unique_ptr<CommandRunner> runner)
    : tools_(tools), options_(std::move(options)), runner_(std::move(runner)) {
  options_.info.instructions.clear();  // they describe the tools of Recall
}

bool CompatService::Offers(const CompatTool& tool) const {
  if (tool.effect != ToolEffect::kReads && !options_.allow_write) return false;
  return options_.tools.empty() ||
         std::ranges::find(options_.tools, tool.name) != options_.tools.end();
}

bool CompatService::Lists(const CompatTool& tool) const {
  return Offers(tool) && (!tool.other_name || !options_.tools.empty());
}

RpcAnswer CompatService::ListTools() {
  Json tools = Json::array();
  for (const CompatTool& tool : tools_) {
    if (Lists(tool)) tools.push_back(Describe(tool));
  }
  return Json{{"tools", std::move(tools)}};
}

RpcAnswer CompatService::CallTool(const std::string& name, const Json& params, McpExchange&) {
  const auto tool = std::ranges::find(tools_, name, &CompatTool::name);
  if (tool == tools_.end() || !Offers(*tool)) {
    std::string names;
    for (const CompatTool& other : tools_) {
      if (Lists(other)) names += (names.empty() ? "" : ", ") + std::string(other.name);
    }
    return RpcFailure(RpcCode::kInvalidParams, "unknown tool '" + name + "'; there are " + names);
  }
  const Json& given = JsonMember(params, "arguments");
  const Json arguments = given.is_object() ? given : Json::object();
  const std::string fault = SchemaFault(SchemaFrom(tool->input), arguments, "");
  if (!fault.empty()) {
    return FaultResult(InvalidToolArgument(fault, ""), options_.max_tokens);
  }
  if (options_.auto_index && tool->effect == ToolEffect::kReads) {
    if (const auto failed = options_.auto_index->Update(*runner_)) {
      return FaultResult(FaultOf(*failed), options_.max_tokens);
    }
  }
  CompatResult answer = tool->answer({arguments, *runner_, options_.allow_write});
  if (!answer) return FaultResult(answer.error(), options_.max_tokens);
  FitAnswer(*answer, tool->shown, options_.max_tokens);
  Json result = TextResult(TextOfAnswer(*answer, tool->shown));
  if (!tool->output.empty()) result["structuredContent"] = *std::move(answer);
  return result;
}

}  // namespace recall
