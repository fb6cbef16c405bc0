#include "cli/commands/commands.h"
#include "cli/commands/static_text.h"
#include "cli/reference/guide_text.h"

namespace recall {
namespace {

class GuideCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet&, GlobalFlags&) override {}

  Result<ExitCode> Run(Session& session) override {
    return AnswerWithText(session, "guide", {}, kGuideText);
  }
};

}  // namespace

const CommandInfo kGuideCommand = {
    "guide",
    "[OPTIONS]",
    "print the complete manual for people and agents, in one page",
    "  recall guide                    Markdown, with an example of everything\n"
    "  recall guide | less\n"
    "  recall guide --json             the same in {\"guide\": {\"text\": ...}}\n",
    "The page is enough to use all of Recall: the life cycle of a store, the query language, the\n"
    "JSON, the errors, and recipes.\n",
    [] { return std::unique_ptr<Command>(new GuideCommand); }};

}  // namespace recall
