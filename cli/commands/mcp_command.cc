#include <algorithm>
#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/execution/command_call.h"
#include "cli/mcp/stdio_server.h"
#include "cli/tools/recall_service.h"
#include "query/maintenance/build_info.h"

namespace recall {
namespace {

constexpr int64_t kRefreshMicros = 60'000'000;  // of --auto
constexpr int64_t kMostTokens = 1'000'000;

// What a model is told of the server; the tools say the rest.
constexpr std::string_view kInstructions =
    "Searches the documents of a local store. search finds passages, context packs them into a "
    "token budget, get reads path:9-17. Cite as path@hash:9-17; get checks such a citation. "
    "Filters "
    "are exact: doc.path GLOB 'src/**' AND doc.tag = 'x'. More: recall://guide.";

// Runs the commands of this program for the service of one thread.
class InProcessRunner final : public CommandRunner {
 public:
  explicit InProcessRunner(CallSettings settings) : runner_(std::move(settings)) {}

  CommandOutput Run(std::string_view command, std::vector<std::string> args) override {
    CallAnswer answer = runner_.Run({FindCommand(command), std::move(args)});
    return {answer.exit == ExitCode::kDone, std::move(answer.output)};
  }
  void Cancel() override { runner_.Cancel(); }
  void Renew() override { runner_.Renew(); }

 private:
  CallRunner runner_;
};

class McpCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Text("--scope", &scope_, "EXPR", "documents that do not satisfy EXPR do not exist");
    flags.Switch("--allow-write", &allow_write_, "also offer the tools add and rm");
    flags.Text("--root", &root_, "DIR", "add only files below DIR (default: here)");
    flags.Switch("--auto", &auto_,
                 "make the store and keep it up to date with the files in --root");
    flags.TextList("--tool", &tools_, "NAME", "offer only this tool; may be repeated");
    flags.Number("--max-tokens", &max_tokens_, kLeastAnswerTokens, kMostTokens,
                 "the most tokens of one answer (default: 4000)");
    flags.Switch("--structured", &structured_, "answer with structuredContent, too");
  }

  Status Check(const GlobalFlags&) override {
    for (const std::string& name : tools_) {
      const auto all = AllTools();
      const bool known =
          std::ranges::any_of(all, [&](const ToolInfo& tool) { return tool.name == name; });
      if (known) continue;
      std::string names;
      for (const ToolInfo& tool : all)
        names += (names.empty() ? "" : ", ") + std::string(tool.name);
      return Status::InvalidArgument("--tool: there is no tool '" + name + "'", "tools: " + names);
    }
    if (scope_) {
      if (Status status = CheckFilter(*scope_); !status.ok()) return status.WithContext("--scope");
    }
    if (root_ && !std::filesystem::is_directory(*root_)) {
      return Status::NotFound("--root: '" + *root_ + "' is no directory", "name a directory");
    }
    return {};
  }

  Result<ExitCode> Run(Session& session) override {
    RecallServiceOptions options;
    const BuildInfo build = BuildInformation();
    options.info = {"recall", "Recall", build.version, std::string(kInstructions)};
    options.scope = scope_.value_or("");
    options.tools = tools_;
    options.allow_write = allow_write_;
    options.structured = structured_;
    options.max_tokens = max_tokens_;
    options.root = root_.value_or(".");
    if (auto_) options.auto_index = std::make_shared<AutoIndex>(options.root, kRefreshMicros);
    const CallSettings settings{session.locate, options.scope};
    RECALL_TRY(ServeStdio([&]() -> std::unique_ptr<McpService> {
      return std::make_unique<RecallService>(options, std::make_unique<InProcessRunner>(settings));
    }));
    return ExitCode::kDone;
  }

 private:
  std::optional<std::string> scope_;
  std::optional<std::string> root_;
  bool allow_write_ = false;
  bool auto_ = false;
  bool structured_ = false;
  std::vector<std::string> tools_;
  int64_t max_tokens_ = kAnswerTokens;
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
