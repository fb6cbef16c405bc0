#include "cli/commands/commands.h"

#include "cli/options/flags/global_flags.h"

namespace recall {
namespace {

constexpr const CommandInfo* kCommands[] = {
    &kInitCommand,        &kAddCommand,       &kRmCommand,      &kSearchCommand,  &kBrowseCommand,
    &kSimilarCommand,     &kQueryCommand,     &kContextCommand, &kGetCommand,     &kLsCommand,
    &kGrepCommand,        &kSymbolsCommand,   &kMapCommand,     &kRelatedCommand, &kSaveCommand,
    &kLinkCommand,        &kUnlinkCommand,    &kLinksCommand,   &kUsedCommand,    &kReviewCommand,
    &kRetireCommand,      &kStaleCommand,     &kSuggestCommand, &kCaptureCommand, &kSessionsCommand,
    &kResumeCommand,      &kForgetCommand,    &kPushCommand,    &kPullCommand,    &kStatsCommand,
    &kExportCommand,      &kImportCommand,    &kMergeCommand,   &kMigrateCommand, &kEmbedCommand,
    &kCompactCommand,     &kDoctorCommand,    &kBackupCommand,  &kInspectCommand, &kRunCommand,
    &kRunsCommand,        &kWatchCommand,     &kMcpCommand,     &kServeCommand,   &kHookCommand,
    &kInstallCommand,     &kUninstallCommand, &kEvalCommand,    &kBenchCommand,   &kConfigCommand,
    &kCompletionsCommand, &kManCommand,       &kGuideCommand,   &kHelpCommand,    &kVersionCommand,
};

}  // namespace

std::span<const CommandInfo* const> AllCommands() { return kCommands; }

const std::vector<HelpGroup>& CommandGroups() {
  static const std::vector<HelpGroup> groups = {
      {"Fill", {{{&kInitCommand}}, {{&kAddCommand}}, {{&kWatchCommand}}, {{&kRmCommand}}}},
      {"Find",
       {{{&kSearchCommand}},
        {{&kBrowseCommand}},
        {{&kContextCommand}},
        {{&kGetCommand}},
        {{&kSimilarCommand}},
        {{&kGrepCommand}},
        {{&kSymbolsCommand}},
        {{&kMapCommand}},
        {{&kRelatedCommand}},
        {{&kLsCommand}},
        {{&kQueryCommand}}}},
      {"Remember",
       {{{&kSaveCommand}},
        {{&kLinkCommand, &kUnlinkCommand},
         "link documents, or notes to those nearest; take it back"},
        {{&kLinksCommand}},
        {{&kReviewCommand, &kUsedCommand}, "review what is due; record that documents were used"},
        {{&kStaleCommand, &kRetireCommand},
         "list the notes that are out of date; mark one as obsolete"},
        {{&kSuggestCommand}}}},
      {"Sessions",
       {{{&kCaptureCommand}},
        {{&kSessionsCommand}},
        {{&kResumeCommand, &kForgetCommand},
         "print the command that goes on with a session; delete sessions for good"},
        {{&kPushCommand, &kPullCommand},
         "carry sessions and notes over a git remote; get them from there"}}},
      {"Store",
       {{{&kStatsCommand, &kInspectCommand},
         "show the contents, the size, the structure of the file"},
        {{&kExportCommand, &kImportCommand},
         "write documents as JSON Lines, or notes for others; read them"},
        {{&kMergeCommand, &kMigrateCommand}, "import other stores, or convert one of recall 0.1"},
        {{&kEmbedCommand}},
        {{&kCompactCommand}},
        {{&kDoctorCommand}},
        {{&kBackupCommand}},
        {{&kRunCommand, &kRunsCommand}, "run jobs unattended; show what became of them"}}},
      {"Connect",
       {{{&kInstallCommand, &kUninstallCommand},
         "let an assistant search, and git capture sessions; undo it"},
        {{&kMcpCommand}},
        {{&kServeCommand}},
        {{&kHookCommand}}}},
      {"Measure", {{{&kEvalCommand}}, {{&kBenchCommand}}}},
      {"This program",
       {{{&kGuideCommand}},
        {{&kHelpCommand}},
        {{&kConfigCommand}},
        {{&kCompletionsCommand, &kManCommand}, "print completions for a shell, or manual pages"},
        {{&kVersionCommand}}}},
  };
  return groups;
}

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

std::vector<FlagSet::Entry> OwnEntriesOf(const CommandInfo& info) {
  const std::unique_ptr<Command> command = info.make();
  FlagSet flags;
  GlobalFlags globals;
  command->Declare(flags, globals);
  return flags.entries();
}

std::vector<FlagSet::Entry> EntriesOf(const CommandInfo& info) {
  std::vector<FlagSet::Entry> entries = OwnEntriesOf(info);
  for (FlagSet::Entry& entry : GlobalEntries()) entries.push_back(std::move(entry));
  return entries;
}

ProgramReference DescribeProgram() {
  ProgramReference program;
  for (const CommandInfo* info : kCommands) program.commands.push_back({info, OwnEntriesOf(*info)});
  program.globals = GlobalEntries();
  return program;
}

}  // namespace recall
