#include "cli/commands/commands.h"

#include "cli/options/flags/global_flags.h"

namespace recall {
namespace {

constexpr const CommandInfo* kCommands[] = {
    &kInitCommand,    &kAddCommand,         &kRmCommand,        &kSearchCommand,  &kBrowseCommand,
    &kSimilarCommand, &kQueryCommand,       &kContextCommand,   &kGetCommand,     &kLsCommand,
    &kGrepCommand,    &kSymbolsCommand,     &kMapCommand,       &kSaveCommand,    &kLinkCommand,
    &kUnlinkCommand,  &kLinksCommand,       &kUsedCommand,      &kReviewCommand,  &kRetireCommand,
    &kStaleCommand,   &kCaptureCommand,     &kSessionsCommand,  &kResumeCommand,  &kForgetCommand,
    &kPushCommand,    &kPullCommand,        &kStatsCommand,     &kExportCommand,  &kImportCommand,
    &kMergeCommand,   &kMigrateCommand,     &kEmbedCommand,     &kCompactCommand, &kDoctorCommand,
    &kBackupCommand,  &kInspectCommand,     &kWatchCommand,     &kMcpCommand,     &kServeCommand,
    &kHookCommand,    &kInstallCommand,     &kUninstallCommand, &kEvalCommand,    &kBenchCommand,
    &kConfigCommand,  &kCompletionsCommand, &kManCommand,       &kGuideCommand,   &kHelpCommand,
    &kVersionCommand,
};

std::vector<FlagSet::Entry> OwnEntries(const CommandInfo& info) {
  const std::unique_ptr<Command> command = info.make();
  FlagSet flags;
  GlobalFlags globals;
  command->Declare(flags, globals);
  return flags.entries();
}

}  // namespace

std::span<const CommandInfo* const> AllCommands() { return kCommands; }

const CommandInfo* FindCommand(std::string_view name) {
  for (const CommandInfo* command : kCommands) {
    if (command->name == name) return command;
  }
  return nullptr;
}

std::vector<std::string> CommandNames() {
  std::vector<std::string> names;
  for (const CommandInfo* command : kCommands) names.emplace_back(command->name);
  return names;
}

std::vector<FlagSet::Entry> EntriesOf(const CommandInfo& info) {
  std::vector<FlagSet::Entry> entries = OwnEntries(info);
  for (FlagSet::Entry& entry : GlobalEntries()) entries.push_back(std::move(entry));
  return entries;
}

ProgramReference DescribeProgram() {
  ProgramReference program;
  for (const CommandInfo* info : kCommands) program.commands.push_back({info, OwnEntries(*info)});
  program.globals = GlobalEntries();
  return program;
}

}  // namespace recall
