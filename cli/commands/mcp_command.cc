#include "cli/commands/commands.h"
#include "cli/commands/service_flags.h"
#include "cli/compat/tools/compat_service.h"
#include "cli/run/command/joined_text.h"
#include "cli/server/mcp/stdio_server.h"

namespace recall {
namespace {

constexpr std::string_view kOwnTools = "recall";

class McpCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }
  void Declare(FlagSet& flags, GlobalFlags&) override {
    std::vector<std::string> names = {std::string(kOwnTools)};
    for (const ToolSet& set : ToolSets()) names.emplace_back(set.name);
    flags.Choice("--tools", &names_, std::move(names), std::string(kToolSetHelp));
    service_.Declare(flags);
  }
  Status Check(const GlobalFlags&) override {
    const ToolSet* const set = FindToolSet(names_);
    if (set == nullptr) return service_.Check();
    std::vector<std::string> names;
    for (const CompatTool& tool : set->tools()) names.emplace_back(tool.name);
    return service_.Check(names);
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const RecallServiceOptions options = service_.MakeOptions();
    const ToolSet* const set = FindToolSet(names_);
    const LocateRequest locate = service_.Located(context.locate);
    RECALL_TRY(ServeStdio([&]() -> std::unique_ptr<McpService> {
      auto runner = ServiceFlags::MakeRunner({.locate = locate,
                                              .scope = options.scope,
                                              .hide_private = !service_.allow_private(),
                                              .sources_below = options.root,
                                              .check_within = service_.check_within()});
      if (set != nullptr) {
        return std::make_unique<CompatService>(set->tools(), options, std::move(runner));
      }
      return std::make_unique<RecallService>(options, std::move(runner));
    }));
    return ExitCode::kDone;
  }

 private:
  std::string names_{kOwnTools};
  ServiceFlags service_;
};

constexpr std::string_view kMcpExamples =
    "  recall mcp                                 what an assistant starts\n"
    "  recall mcp --store ~/notes --scope \"doc.tag = 'public'\"\n"
    "  recall mcp --auto                          make the store here on the first question\n"
    "  recall mcp --allow-write --root ~/notes    the assistant may add files, too\n"
    "  recall mcp --tool default --tool related   the usual tools, and one that is not\n";

}  // namespace

const CommandInfo kMcpCommand = {
    "mcp",
    "[OPTIONS]",
    "answer an assistant: Model Context Protocol over stdin and stdout",
    JoinedText<kMcpExamples, kToolSetExample>::View(),
    "Speaks the revisions 2024-11-05 to 2025-11-25, which begin with initialize, and 2026-07-28. "
    "The\n"
    "tools are search, context, get, similar, grep, symbols, map, query, status and links, with\n"
    "--allow-write also those that write: save, link, unlink, review, retire, add and rm. "
    "related,\n"
    "suggest and, with --allow-write, settle are there if --tool names them.\n"
    "Each answer has at most --max-tokens tokens; what was cut has a cursor for the rest. "
    "Messages\n"
    "are lines of JSON; standard output has nothing else.\n",
    [] { return std::unique_ptr<Command>(new McpCommand); }};

}  // namespace recall
