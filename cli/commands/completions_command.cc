#include "cli/commands/commands.h"
#include "cli/commands/static_text.h"
#include "cli/run/reference/completions.h"

namespace recall {
namespace {

class CompletionsCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("SHELL", &shell_, 1, 1, "the shell that will run the script", CompletionShells());
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const std::string script = CompletionScript(shell_[0], DescribeProgram());
    return AnswerWithText(
        context, "completions", [&](JsonWriter& json) { json.Field("shell", shell_[0]); }, script);
  }

 private:
  std::vector<std::string> shell_;
};

}  // namespace

const CommandInfo kCompletionsCommand = {
    "completions",
    "bash|fish|zsh",
    "print a script with completions for a shell",
    "  eval \"$(recall completions bash)\"                in ~/.bashrc\n"
    "  source <(recall completions zsh)                 in ~/.zshrc, after compinit\n"
    "  recall completions fish | source                 in ~/.config/fish/config.fish\n",
    "Installed packages contain the scripts for bash, zsh and fish where these shells look for "
    "them.\n",
    [] { return std::unique_ptr<Command>(new CompletionsCommand); }};

}  // namespace recall
