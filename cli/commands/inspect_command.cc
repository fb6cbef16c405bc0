#include "cli/commands/commands.h"
#include "cli/commands/page_flag.h"
#include "cli/show/output/inspect_output.h"
#include "cli/show/output/response.h"
#include "cli/show/pages/inspect_page.h"
#include "cli/show/terminal/signals.h"
#include "cli/show/terminal/wrap.h"

namespace recall {
namespace {

class InspectCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kPath; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Switch("--verbose", &verbose_, "also the sections of each segment, with checksums");
    page_.Declare(flags);
  }

  Status Check(const GlobalFlags&) override { return page_.Check(); }

  Result<ExitCode> Run(CommandContext& context) override {
    const InterruptFlag interrupted;
    RECALL_TRY(page_.Begin(interrupted.get()));
    RECALL_ASSIGN(const InspectReport report,
                  Database::Inspect(
                      {.path = context.store_path, .busy_timeout_ms = context.busy_timeout_ms()},
                      interrupted.get()));
    RECALL_TRY(page_.Finish(
        [&] { return InspectPage(report, context.store_path, context.flags.stable); }));
    if (context.json()) {
      JsonResponse response;
      response.own_key = "inspect";
      response.own = [&](JsonWriter& json) { WriteFields(report, context.store_path, json); };
      context.Send(std::move(response));
      return ExitCode::kDone;
    }
    context.PrintWarnings();
    const std::string text = FormatInspectReport(
        report, context.store_path,
        {context.flags.stable, verbose_, context.out_style.terminal && context.out_style.utf8});
    context.out->Write(WrapLines(text, context.out_style.columns));
    return ExitCode::kDone;
  }

 private:
  bool verbose_ = false;
  PageFlag page_;
};

}  // namespace

const CommandInfo kInspectCommand = {
    "inspect",
    "[OPTIONS]",
    "show the structure of the file: tables, pages, vector spaces, segments",
    "  recall inspect\n"
    "  recall inspect --html store.html          a map of the file, to look at in a browser\n"
    "  recall inspect --json | jq '.inspect.segments[].vectors'\n",
    "For work on the file format (docs/format): whose pages the file consists of, SQLite's tables\n"
    "and indexes with their rows and pages, the sorted runs of the full-text index by level, each\n"
    "vector space, and each vector segment; with --verbose its sections, their offsets and\n"
    "checksums. `recall doctor` checks whether the file is correct.\n",
    [] { return std::unique_ptr<Command>(new InspectCommand); }};

}  // namespace recall
