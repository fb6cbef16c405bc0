#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/command/command.h"
#include "cli/run/reference/command_reference.h"
#include "cli/run/reference/help.h"

namespace recall {

extern const CommandInfo kInitCommand;
extern const CommandInfo kAddCommand;
extern const CommandInfo kBrowseCommand;
extern const CommandInfo kWatchCommand;
extern const CommandInfo kCaptureCommand;
extern const CommandInfo kForgetCommand;
extern const CommandInfo kPushCommand;
extern const CommandInfo kPullCommand;
extern const CommandInfo kResumeCommand;
extern const CommandInfo kSessionsCommand;
extern const CommandInfo kRmCommand;
extern const CommandInfo kRunCommand;
extern const CommandInfo kRunsCommand;
extern const CommandInfo kSearchCommand;
extern const CommandInfo kSimilarCommand;
extern const CommandInfo kQueryCommand;
extern const CommandInfo kContextCommand;
extern const CommandInfo kGetCommand;
extern const CommandInfo kSaveCommand;
extern const CommandInfo kLinkCommand;
extern const CommandInfo kUnlinkCommand;
extern const CommandInfo kLinksCommand;
extern const CommandInfo kUsedCommand;
extern const CommandInfo kReviewCommand;
extern const CommandInfo kRetireCommand;
extern const CommandInfo kStaleCommand;
extern const CommandInfo kSuggestCommand;
extern const CommandInfo kLsCommand;
extern const CommandInfo kGrepCommand;
extern const CommandInfo kSymbolsCommand;
extern const CommandInfo kMapCommand;
extern const CommandInfo kRelatedCommand;
extern const CommandInfo kStatsCommand;
extern const CommandInfo kExportCommand;
extern const CommandInfo kImportCommand;
extern const CommandInfo kMergeCommand;
extern const CommandInfo kMigrateCommand;
extern const CommandInfo kBackupCommand;
extern const CommandInfo kInspectCommand;
extern const CommandInfo kHookCommand;
extern const CommandInfo kInstallCommand;
extern const CommandInfo kUninstallCommand;
extern const CommandInfo kEvalCommand;
extern const CommandInfo kBenchCommand;
extern const CommandInfo kCompletionsCommand;
extern const CommandInfo kCompactCommand;
extern const CommandInfo kConfigCommand;
extern const CommandInfo kDoctorCommand;
extern const CommandInfo kEmbedCommand;
extern const CommandInfo kManCommand;
extern const CommandInfo kMcpCommand;
extern const CommandInfo kServeCommand;
extern const CommandInfo kGuideCommand;
extern const CommandInfo kHelpCommand;
extern const CommandInfo kVersionCommand;

// The commits that sessions led to. It is not among all commands, because only another name of the
// program has it (cli/app).
extern const CommandInfo kLogCommand;

// All commands. Completions, man pages and the tables of the documents are made from this list, and
// have its order.
std::span<const CommandInfo* const> AllCommands();

// The same commands, each once, by what they are for, as the help of the program shows them.
const std::vector<HelpGroup>& CommandGroups();

// The command with this name; null if it does not exist.
const CommandInfo* FindCommand(std::string_view name);

std::vector<std::string> CommandNames();

// The flags and arguments of a command, without the global flags, and with them.
std::vector<FlagSet::Entry> OwnEntriesOf(const CommandInfo& command);
std::vector<FlagSet::Entry> EntriesOf(const CommandInfo& command);

// All commands with their flags, for completions and man pages.
ProgramReference DescribeProgram();

}  // namespace recall
