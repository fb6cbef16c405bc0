#include "cli/commands/commands.h"
#include "cli/commands/scope_flags.h"
#include "cli/show/output/note_json.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"

namespace recall {
namespace {

class RetireCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("TARGET", &words_, 1, 1, "the path or id of a note");
    flags.Text("--by", &request_.by, "TARGET",
               "the note that supersedes it, which is linked to it");
    flags.Text("--at", &at_, "TIME", "the time to record instead of now");
    flags.Switch("--dry-run", &request_.dry_run, "report the change without making it");
  }

  Status Check(const GlobalFlags&) override {
    if (at_) {
      RECALL_ASSIGN(request_.at, ReadTimeFlag(*at_, "--at"));
    }
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    request_.target = words_[0];
    RECALL_ASSIGN(const RetireReport report, context.database->Retire(request_));
    if (context.json()) {
      JsonResponse response;
      response.own_key = "retire";
      response.own = [&](JsonWriter& json) { WriteFields(report, request_.dry_run, json); };
      context.Send(std::move(response));
    } else if (!context.flags.quiet) {
      const char* const what = report.unchanged   ? "already retired "
                               : request_.dry_run ? "would retire "
                                                  : "retired ";
      context.out->Write(what + EscapeLine(report.doc.path) + "\n");
    }
    return ExitCode::kDone;
  }

 private:
  std::vector<std::string> words_;
  std::optional<std::string> at_;
  RetireRequest request_;
};

class StaleCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Number("--days", &request_.days, 0, 36'500,
                 "notes that nobody used, reviewed or changed for so many days");
    flags.Share("--at-risk", &request_.at_risk, "SHARE",
                "notes with less consolidation, as in .25");
    flags.Number("--limit", &limit_, 1, 1'000'000, "the most notes");
    flags.AlsoSpelled("-n,-k,--k");
    scope_.DeclareFilter(flags);
    scope_.DeclareAsOf(flags);
    scope_.DeclareSnapshot(flags);
  }

  Status Check(const GlobalFlags&) override { return scope_.Read(); }

  Result<ExitCode> Run(CommandContext& context) override {
    request_.scope = scope_.scope();
    request_.limit = static_cast<size_t>(limit_);
    RECALL_ASSIGN(const StaleReport report, context.database->Stale(request_));
    if (report.documents.empty()) {
      context.warnings.push_back(
          "nothing is stale: no document has expired, and none that was "
          "used has been left for so long");
    }
    if (context.json()) {
      JsonResponse response;
      response.own_key = "stale";
      response.own = [&](JsonWriter& json) { WriteFields(report, json); };
      context.Send(std::move(response));
      return ExitCode::kDone;
    }
    context.PrintWarnings();
    for (const StaleDocument& stale : report.documents) {
      char consolidation[16];
      std::snprintf(consolidation, sizeof(consolidation), "%.2f", stale.consolidation.value_or(0));
      const std::string_view state = stale.conflict ? kConflictStatus : LifecycleName(stale.state);
      context.out->Write(std::string(state) + "  " + consolidation + "  " +
                         context.out_style.DocPath(stale.doc.path) + "  " +
                         EscapeLine(TitleOf(stale.doc)) + "\n");
    }
    return ExitCode::kDone;
  }

 private:
  int64_t limit_ = 1000;
  ScopeFlags scope_;
  StaleRequest request_;
};

}  // namespace

const CommandInfo kRetireCommand = {"retire",
                                    "[OPTIONS] TARGET",
                                    "mark a note as obsolete",
                                    "  recall retire old-advice --by new-advice\n",
                                    "The note gets a new version with `status: obsolete`. Views "
                                    "leave it out; a plain search shows\n"
                                    "it. If it came from a file, the file is changed, too.\n",
                                    [] { return std::unique_ptr<Command>(new RetireCommand); }};

const CommandInfo kStaleCommand = {
    "stale",
    "[OPTIONS]",
    "list the notes that are out of date",
    "  recall stale                        stale or expired by their type and dates\n"
    "  recall stale --days 30              not used, reviewed or changed for 30 days\n"
    "  recall stale --at-risk .25          little consolidated: about to be forgotten\n",
    "",
    [] { return std::unique_ptr<Command>(new StaleCommand); }};

}  // namespace recall
