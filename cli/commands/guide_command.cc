#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/static_text.h"
#include "cli/run/reference/guide_sections.h"
#include "cli/run/reference/guide_text.h"

namespace recall {
namespace {

class GuideCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("SECTION", &words_, 0, 2,
                "a section, instead of the short guide; `commands` takes a command");
    flags.Suggest(GuideSectionNames(kGuideText));
    flags.Switch("--all", &all_, "print the short guide and all sections");
  }

  Status Check(const GlobalFlags&) override {
    if (words_.empty()) return {};
    const std::vector<std::string> names = GuideSectionNames(kGuideText);
    if (std::ranges::count(names, words_[0]) == 0) {
      std::string list;
      for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
      return Status::InvalidArgument(
          "the guide has no section '" + words_[0] + "'",
          "its sections are " + list + "; `recall guide` alone prints the short guide");
    }
    if (all_) return Status::InvalidArgument("--all and a section cannot be combined");
    if (words_.size() < 2) return {};
    if (words_[0] != kGuideOfCommands) {
      return Status::InvalidArgument("the section " + words_[0] + " has no parts",
                                     "only `recall guide commands` takes the name of a command");
    }
    if (FindCommand(words_[1]) != nullptr) return {};
    return Status::InvalidArgument("there is no command '" + words_[1] + "'",
                                   "`recall -h` lists the commands");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    if (all_) return AnswerWithText(context, "guide", {}, kGuideText);
    if (words_.size() > 1) {
      const CommandInfo& command = *FindCommand(words_[1]);
      return AnswerWithText(context, "guide", {},
                            GuideOfCommand(kGuideText, command, OwnEntriesOf(command)));
    }
    const std::vector<GuideSection> sections = GuideSections(kGuideText);
    auto wanted = sections.begin();
    if (!words_.empty()) wanted = std::ranges::find(sections, words_[0], &GuideSection::name);
    return AnswerWithText(context, "guide", {}, wanted->text);
  }

 private:
  std::vector<std::string> words_;
  bool all_ = false;
};

}  // namespace

const CommandInfo kGuideCommand = {
    "guide",
    "[OPTIONS] [SECTION [COMMAND]]",
    "print the manual for people and agents, or a section of it",
    "  recall guide                    the short guide, enough for most tasks\n"
    "  recall guide rql                one section, with examples\n"
    "  recall guide commands search    what one command does, and its options\n"
    "  recall guide --all | less       everything, on one page\n"
    "  recall guide --json             the same in {\"guide\": {\"text\": ...}}\n",
    "The guide is Markdown. The short guide names the sections.\n",
    [] { return std::unique_ptr<Command>(new GuideCommand); }};

}  // namespace recall
