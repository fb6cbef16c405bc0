#include "cli/commands/commands.h"
#include "cli/commands/static_text.h"
#include "cli/run/reference/help.h"
#include "cli/show/terminal/wrap.h"

namespace recall {
namespace {

class HelpCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("COMMAND", &command_, 0, 1, "a command (default: the program)", CommandNames());
  }

  Result<ExitCode> Run(CommandContext& context) override {
    return AnswerWithText(context, "help", {},
                          context.json() ? Text() : WrapLines(Text(), context.out_style.columns));
  }

 private:
  std::string Text() const {
    if (command_.empty()) return ProgramHelp(CommandGroups(), /*full=*/true);
    const CommandInfo& info = *FindCommand(command_[0]);
    return CommandHelp(info, EntriesOf(info), /*full=*/true);
  }

  std::vector<std::string> command_;
};

}  // namespace

const CommandInfo kHelpCommand = {
    "help",
    "[COMMAND]",
    "print the complete help of a command, as --help does",
    "  recall help                     the commands, settings, files and exit codes\n"
    "  recall help search              everything about one command\n"
    "  recall search -h                its examples and options\n",
    "",
    [] { return std::unique_ptr<Command>(new HelpCommand); }};

}  // namespace recall
