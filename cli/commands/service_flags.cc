#include "cli/commands/service_flags.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/run/execution/command_call.h"
#include "cli/server/tools/server_instructions.h"
#include "query/maintenance/build_info.h"

namespace recall {
namespace {

constexpr int64_t kRefreshMicros = 60'000'000;  // of --auto
constexpr int64_t kMostTokens = 1'000'000;

CommandProgress ProgressOf(const CallEvent& event) {
  if (!event.progress) return {std::nullopt, 0, std::string(event.stage.stage)};
  const AddProgress& add = *event.progress;
  if (!add.catch_up) return {add.files_done, add.files_total, "documents"};
  // After the documents come the steps of derived data.
  const int64_t files = std::max(add.files_done, add.files_total);
  return {files + add.catch_up->done, files + add.catch_up->total, "indexes"};
}

// Runs the commands of this program for the service of one thread.
class InProcessRunner final : public CommandRunner {
 public:
  explicit InProcessRunner(CallSettings settings) : runner_(Listening(std::move(settings))) {}

  CommandOutput Run(std::string_view command, std::vector<std::string> args) override {
    return Answer({FindCommand(command), std::move(args)});
  }
  CommandOutput RunAnew(std::string_view command, std::vector<std::string> args) override {
    return Answer({FindCommand(command), std::move(args), /*anew=*/true});
  }
  void OnProgress(std::function<void(const CommandProgress&)> listener) override {
    progress_ = std::move(listener);
  }
  void Cancel() override { runner_.Cancel(); }
  void Renew() override { runner_.Renew(); }

 private:
  CallSettings Listening(CallSettings settings) {
    settings.on_event = [this, others = std::move(settings.on_event)](const CallEvent& event) {
      if (others) others(event);
      if (progress_) progress_(ProgressOf(event));
    };
    return settings;
  }
  CommandOutput Answer(const CommandCall& call) {
    CallAnswer answer = runner_.Run(call);
    return {answer.exit, std::move(answer.output)};
  }

  std::function<void(const CommandProgress&)> progress_;
  CallRunner runner_;
};

}  // namespace

void ServiceFlags::Declare(FlagSet& flags) {
  flags.Text("--scope", &scope_text_, "EXPR", "documents that do not satisfy EXPR do not exist");
  flags.Switch("--allow-private", &allow_private_, "also show notes with sensitivity: private");
  flags.Switch("--allow-write", &allow_write_, "also offer the tools that write");
  flags.Text("--root", &root_, "DIR", "add and compare only files below DIR (default: here)");
  flags.Switch("--auto", &auto_, "make the store and keep it up to date with the files in --root");
  flags.TextList("--tool", &tools_, "NAME",
                 "offer only this tool, or `default`: the usual ones; may be repeated");
  flags.Number("--max-tokens", &max_tokens_, kLeastAnswerTokens, kMostTokens,
               "the most tokens of one answer (default: 4000)");
  flags.Switch("--structured", &structured_, "answer with structuredContent, too");
}

std::vector<std::string> ServiceFlags::NamesOfTools() {
  std::vector<std::string> names;
  for (const ToolInfo& tool : AllTools()) names.emplace_back(tool.name);
  names.emplace_back(kUsualTools);
  return names;
}

Status ServiceFlags::Check(const std::vector<std::string>& known) const {
  for (const std::string& name : tools_) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string names;
    for (const std::string& other : known) names += (names.empty() ? "" : ", ") + other;
    return Status::InvalidArgument("--tool: there is no tool '" + name + "'", "tools: " + names);
  }
  if (scope_text_) {
    if (Status status = CheckFilter(*scope_text_); !status.ok())
      return status.WithContext("--scope");
  }
  if (root_ && !std::filesystem::is_directory(*root_)) {
    return Status::NotFound("--root: '" + *root_ + "' is no directory", "name a directory");
  }
  return {};
}

std::vector<std::string> ServiceFlags::check_within() const {
  std::error_code error;
  std::vector<std::string> within = {
      std::filesystem::absolute(root_.value_or("."), error).lexically_normal().string()};
  if (!root_) within.emplace_back();
  return within;
}

LocateRequest ServiceFlags::Located(LocateRequest locate) const {
  if (!auto_ || !root_ || !locate.store.empty()) return locate;
  std::vector<std::string> warnings;
  const auto found = LocateStore(locate, &warnings);
  if (!found && found.error().code() == StatusCode::kStoreNotFound) locate.store = *root_;
  return locate;
}

RecallServiceOptions ServiceFlags::MakeOptions() const {
  RecallServiceOptions options;
  options.info = {"recall", "Recall", BuildInformation().version, ""};
  options.scope = scope_text_.value_or("");
  options.tools = tools_;
  options.allow_write = allow_write_;
  options.structured = structured_;
  options.max_tokens = max_tokens_;
  options.root = root_.value_or(".");
  options.info.instructions = InstructionsOf(options);
  if (auto_) options.auto_index = std::make_shared<AutoIndex>(options.root, kRefreshMicros);
  return options;
}

std::unique_ptr<CommandRunner> ServiceFlags::MakeRunner(CallSettings settings) {
  return std::make_unique<InProcessRunner>(std::move(settings));
}

}  // namespace recall
