#include "cli/commands/commands.h"
#include "cli/commands/service_flags.h"
#include "cli/compat/tools/compat_service.h"
#include "cli/server/mcp/stdio_server.h"

namespace recall {
namespace {

constexpr std::pair<std::string_view, ToolSet> kToolSets[] = {
    {"bastra", ToolSet::kBastra}, {"rekall", ToolSet::kRekall}, {"memory", ToolSet::kMemory}};

class McpCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Choice("--tools", &names_, {"recall", "bastra", "rekall", "memory"},
                 "answer under the names of bastra-recall, Rekall or Anthropic's memory\n"
                 "server, for assistants that know these (default: recall)");
    service_.Declare(flags);
  }
  Status Check(const GlobalFlags&) override {
    const auto set = Set();
    if (!set) return service_.Check();
    std::vector<std::string> names;
    for (const CompatTool& tool : ToolsOf(*set)) names.emplace_back(tool.name);
    return service_.Check(names);
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const RecallServiceOptions options = service_.MakeOptions();
    const auto set = Set();
    RECALL_TRY(ServeStdio([&]() -> std::unique_ptr<McpService> {
      auto runner = ServiceFlags::MakeRunner({.locate = context.locate,
                                              .scope = options.scope,
                                              .hide_private = !service_.allow_private()});
      if (set) return std::make_unique<CompatService>(*set, options, std::move(runner));
      return std::make_unique<RecallService>(options, std::move(runner));
    }));
    return ExitCode::kDone;
  }

 private:
  // nullopt: the tools of Recall itself.
  std::optional<ToolSet> Set() const {
    for (const auto& [name, set] : kToolSets) {
      if (names_ == name) return set;
    }
    return std::nullopt;
  }

  std::string names_ = "recall";
  ServiceFlags service_;
};

}  // namespace

const CommandInfo kMcpCommand = {
    "mcp",
    "[OPTIONS]",
    "answer an assistant: Model Context Protocol over stdin and stdout",
    "  recall mcp                                 what an assistant starts\n"
    "  recall mcp --store ~/notes --scope \"doc.tag = 'public'\"\n"
    "  recall mcp --auto                          make the store here on the first question\n"
    "  recall mcp --allow-write --root ~/notes    the assistant may add files, too\n"
    "  recall mcp --tools memory --allow-write    in place of Anthropic's memory server\n",
    "Speaks the revisions 2024-11-05 to 2025-11-25, which begin with initialize, and 2026-07-28. "
    "The\n"
    "tools are search, context, get, similar, query, status and links, with --allow-write also\n"
    "those that write: save, link, unlink, review, retire, add and rm.\n"
    "Each answer has at most --max-tokens tokens; what was cut has a cursor for the rest. "
    "Messages\n"
    "are lines of JSON; standard output has nothing else.\n",
    [] { return std::unique_ptr<Command>(new McpCommand); }};

}  // namespace recall
