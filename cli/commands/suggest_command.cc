// The command `suggest`: lists what could be done with notes, or settles one suggestion.

#include <array>

#include "cli/commands/commands.h"
#include "cli/commands/scope_flags.h"
#include "cli/show/output/response.h"
#include "cli/show/output/suggest_output.h"

namespace recall {
namespace {

constexpr std::array<SuggestionKind, 4> kSuggestionKinds = {
    SuggestionKind::kRetire, SuggestionKind::kPattern, SuggestionKind::kLink,
    SuggestionKind::kReview};

class SuggestCommand final : public Command {
 public:
  StoreAccess access() const override {
    return accepted_ || rejected_ ? StoreAccess::kWrite : StoreAccess::kRead;
  }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    std::vector<std::string> kinds;
    for (const SuggestionKind kind : kSuggestionKinds) kinds.emplace_back(NameOf(kind));
    flags.Choice("--kind", &kind_, std::move(kinds), "only suggestions of this kind");
    flags.Number("--limit", &limit_, 1, 1'000'000, "the most suggestions of each kind");
    flags.AlsoSpelled("-n,-k,--k");
    flags.Switch("--rejected", &with_rejected_, "also those that were rejected");
    flags.Text("--accept", &accepted_, "ID", "do what the suggestion with this id says");
    flags.Text("--reject", &rejected_, "ID", "do not make this suggestion again");
    scope_.DeclareFilter(flags);
    scope_.DeclareAsOf(flags);
    flags.Text("--at", &at_, "TIME", "the time to record instead of now");
    flags.Switch("--dry-run", &dry_run_, "report what would be done");
  }

  Status Check(const GlobalFlags&) override {
    RECALL_TRY(scope_.Read());
    const bool settles = accepted_ || rejected_;
    if (accepted_ && rejected_) {
      return Status::InvalidArgument("--accept and --reject exclude each other",
                                     "run the command twice");
    }
    if (settles && (!kind_.empty() || with_rejected_)) {
      return Status::InvalidArgument("--kind and --rejected cannot be combined with an ID",
                                     "an id names one suggestion");
    }
    if (!settles && (at_ || dry_run_)) {
      return Status::InvalidArgument("--at and --dry-run need --accept or --reject",
                                     "a list changes nothing; --as-of is its time");
    }
    if (at_) {
      RECALL_ASSIGN(settled_at_, ReadTimeFlag(*at_, "--at"));
    }
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    return accepted_ || rejected_ ? Settle(context) : List(context);
  }

 private:
  Result<ExitCode> List(CommandContext& context) {
    SuggestRequest request;
    request.scope = scope_.scope();
    request.limit = static_cast<size_t>(limit_);
    request.with_rejected = with_rejected_;
    for (const SuggestionKind kind : kSuggestionKinds) {
      if (NameOf(kind) == kind_) request.kinds = {kind};
    }
    RECALL_ASSIGN(const SuggestReport report, context.database->Suggest(request));
    for (const std::string& warning : report.warnings) context.warnings.push_back(warning);
    if (report.suggestions.empty()) {
      context.warnings.push_back(report.rejected > 0
                                     ? "nothing is suggested but what was rejected; --rejected "
                                       "shows it"
                                     : "nothing is suggested: no notes need care, or are alike");
    }
    if (context.json()) {
      JsonResponse response;
      response.own_key = "suggest";
      response.own = [&](JsonWriter& json) { WriteFields(report, json); };
      context.Send(std::move(response));
      return ExitCode::kDone;
    }
    context.PrintWarnings();
    for (const Suggestion& suggestion : report.suggestions) {
      context.out->Write(FormatSuggestion(suggestion, context.out_style));
    }
    return ExitCode::kDone;
  }

  Result<ExitCode> Settle(CommandContext& context) {
    SettleRequest request;
    request.id = accepted_ ? *accepted_ : *rejected_;
    request.accept = accepted_.has_value();
    request.scope = scope_.scope();
    request.at = settled_at_;
    request.dry_run = dry_run_;
    RECALL_ASSIGN(const SettleReport report, context.database->Settle(request));
    if (context.json()) {
      JsonResponse response;
      response.own_key = "suggest";
      response.own = [&](JsonWriter& json) { WriteFields(report, dry_run_, json); };
      context.Send(std::move(response));
    } else if (!context.flags.quiet) {
      context.out->Write(TextOf(report));
    }
    return ExitCode::kDone;
  }

  // What was done; of what somebody has to do, the command alone, so that it can be run.
  std::string TextOf(const SettleReport& report) const {
    if (!report.accepted) {
      const char* const what = !report.done ? "already rejected "
                               : dry_run_   ? "would reject "
                                            : "rejected ";
      return what + report.suggestion.id + "\n";
    }
    if (report.done && !dry_run_) return "done: " + CommandLineOf(report.suggestion) + "\n";
    return CommandLineOf(report.suggestion) + "\n";
  }

  std::string kind_;
  int64_t limit_ = 10;
  bool with_rejected_ = false;
  std::optional<std::string> accepted_;
  std::optional<std::string> rejected_;
  ScopeFlags scope_;
  std::optional<std::string> at_;
  std::optional<UnixNanos> settled_at_;
  bool dry_run_ = false;
};

}  // namespace

const CommandInfo kSuggestCommand = {
    "suggest",
    "[OPTIONS]",
    "suggest notes to retire, to link, to review, and patterns to write down",
    "  recall suggest\n"
    "  recall suggest --kind pattern\n"
    "  recall suggest --accept 3f2a91c04b7e\n"
    "  recall suggest --reject 3f2a91c04b7e    it is not suggested again\n",
    "Each suggestion has an id, which stays the same, and its evidence. Accepting one links or\n"
    "retires notes; for a pattern or a review it prints the command that somebody has to run.\n",
    [] { return std::unique_ptr<Command>(new SuggestCommand); }};

}  // namespace recall
