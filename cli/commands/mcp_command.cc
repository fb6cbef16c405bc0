#include "cli/commands/commands.h"
#include "cli/commands/service_flags.h"
#include "cli/mcp/stdio_server.h"

namespace recall {
namespace {

class McpCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }
  void Declare(FlagSet& flags, GlobalFlags&) override { service_.Declare(flags); }
  Status Check(const GlobalFlags&) override { return service_.Check(); }

  Result<ExitCode> Run(Session& session) override {
    const RecallServiceOptions options = service_.MakeOptions();
    RECALL_TRY(ServeStdio([&]() -> std::unique_ptr<McpService> {
      return std::make_unique<RecallService>(
          options, ServiceFlags::MakeRunner({.locate = session.locate,
                                             .scope = options.scope,
                                             .hide_private = !service_.allow_private()}));
    }));
    return ExitCode::kDone;
  }

 private:
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
    "  recall mcp --allow-write --root ~/notes    the assistant may add files, too\n",
    "Speaks the revisions 2024-11-05 to 2025-11-25, which begin with initialize, and 2026-07-28. "
    "The\n"
    "tools are search, context, get, similar, query and status, with --allow-write also add and "
    "rm.\n"
    "Each answer has at most --max-tokens tokens; what was cut has a cursor for the rest. "
    "Messages\n"
    "are lines of JSON; standard output has nothing else.\n",
    [] { return std::unique_ptr<Command>(new McpCommand); }};

}  // namespace recall
