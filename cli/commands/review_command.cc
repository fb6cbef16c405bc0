// The commands `review` and `used`.
//
// `review` has three ways: --list prints what is due, --rate records one rating, and on a terminal,
// without either, it shows one document after the other and asks for ratings. Without a terminal it
// lists. Each rating is a commit of its own, so an interruption loses none.

#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/commands/scope_flags.h"
#include "cli/show/output/note_json.h"
#include "cli/show/output/query_text.h"
#include "cli/show/output/response.h"
#include "cli/show/output/review_text.h"
#include "cli/show/output/text_output.h"
#include "cli/show/terminal/typed_lines.h"
#include "query/types/note_types.h"

namespace recall {
namespace {

class ReviewCommand final : public Command {
 public:
  StoreAccess access() const override {
    const bool lists = list_ || (words_.empty() && !rate_ && !has_terminal());
    return lists ? StoreAccess::kRead : StoreAccess::kWrite;
  }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    literal_ = flags.takes_texts_literally();
    flags.Words("TARGET", &words_, 0, 1, "a path, or the id of a note; else what is due");
    flags.Switch("--list", &list_, "list what is due, the most urgent first");
    flags.Number("--rate", &rate_, 0, 5, "rate TARGET: 0 forgotten, 3 with effort, 5 at once");
    flags.Number("--limit", &limit_, 1, 1'000'000, "the most documents");
    flags.AlsoSpelled("-n,-k,--k");
    flags.Number("--new", &fresh_, 0, 1'000'000,
                 "also as many notes for which no review was ever scheduled");
    scope_.DeclareFilter(flags);
    scope_.DeclareAsOf(flags);
    flags.Setting("--algorithm", "review_algorithm", "NAME",
                  "how intervals grow: " + std::string(NameOf(ReviewAlgorithm::kSm2)) + " or " +
                      std::string(NameOf(ReviewAlgorithm::kGeometric)));
    flags.Text("--at", &at_, "TIME", "the time to record instead of now");
  }

  Status Check(const GlobalFlags&) override {
    RECALL_TRY(scope_.Read());
    if (at_) {
      RECALL_ASSIGN(rated_at_, ReadTimeFlag(*at_, "--at"));
    }
    if (rate_ && words_.empty()) {
      return Status::InvalidArgument("--rate needs a TARGET",
                                     "as in: recall review --rate 4 css-focus");
    }
    if (rate_ && list_) return Status::InvalidArgument("--rate and --list exclude each other");
    if (list_ && !words_.empty()) {
      return Status::InvalidArgument("--list takes no TARGET", "use --filter to select documents");
    }
    if (!list_ && !rate_ && !has_terminal()) {
      if (!words_.empty()) {
        return Status::InvalidArgument("reviewing needs a terminal", "use --rate in scripts");
      }
      list_ = true;
    }
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    review_ = RatingFrom(context.config);
    review_.at = rated_at_;
    if (list_) return List(context);
    if (rate_) return Rate(context);
    return Ask(context);
  }

 private:
  // A client of a server must not be asked on the terminal of that.
  bool has_terminal() const { return !literal_ && ::isatty(STDIN_FILENO) != 0; }

  Result<DueReport> FindDue(CommandContext& context) const {
    return context.database->Due({.scope = scope_.scope(),
                                  .limit = static_cast<size_t>(limit_),
                                  .fresh = static_cast<size_t>(fresh_)});
  }

  Result<ExitCode> List(CommandContext& context) const {
    RECALL_ASSIGN(const DueReport report, FindDue(context));
    if (report.documents.empty()) {
      RECALL_ASSIGN(std::string why, WhyNothingIsDue(context));
      context.warnings.push_back(std::move(why));
    }
    if (context.json()) {
      JsonResponse response;
      response.own_key = "review";
      response.own = [&](JsonWriter& json) { WriteFields(report, json); };
      context.Send(std::move(response));
      return ExitCode::kDone;
    }
    context.PrintWarnings();
    for (const DueDocument& due : report.documents) {
      context.out->Write(DayOf(due.due) + "  " + context.out_style.DocPath(due.doc.path) + "  " +
                         EscapeLine(TitleOf(due.doc)) + "\n");
    }
    return ExitCode::kDone;
  }

  // "nothing is due; the next review is on 2026-12-05".
  Result<std::string> WhyNothingIsDue(CommandContext& context) const {
    std::string filter = "doc.due IS NOT NULL";
    if (!scope_.scope().filter.empty()) filter = "(" + scope_.scope().filter + ") AND " + filter;
    QueryRequest next;
    next.rql = "FROM doc FILTER " + filter + " ORDER BY doc.due ASC LIMIT 1 SELECT doc.due";
    next.snapshot = scope_.scope().snapshot;
    RECALL_ASSIGN(const QueryResponse found, context.database->Query(next));
    if (found.rows.empty()) {
      return std::string("nothing is due: no review is scheduled; `recall save` writes notes");
    }
    constexpr size_t kDay = 10;  // of "2026-12-05T09:00:00Z"
    const std::string due = FormatRow(found.columns, found.rows.front(), {});
    return "nothing is due; the next review is on " + due.substr(0, kDay);
  }

  Result<ExitCode> Rate(CommandContext& context) {
    review_.target = words_[0];
    review_.quality = *rate_;
    RECALL_ASSIGN(const ReviewReport report, context.database->Review(review_));
    if (context.json()) {
      JsonResponse response;
      response.own_key = "review";
      response.own = [&](JsonWriter& json) { WriteFields(report, json); };
      context.Send(std::move(response));
    } else if (!context.flags.quiet) {
      context.out->Write(ReviewedText(report) + "\n");
    }
    return ExitCode::kDone;
  }

  // Shows one document after the other and asks for ratings, on a terminal.
  Result<ExitCode> Ask(CommandContext& context) {
    std::vector<std::string> targets = words_;
    if (targets.empty()) {
      RECALL_ASSIGN(const DueReport due, FindDue(context));
      for (const DueDocument& document : due.documents) targets.push_back(document.doc.path);
    }
    if (targets.empty()) context.out->Write("nothing is due\n");
    TypedLines lines;
    for (size_t i = 0; i < targets.size(); ++i) {
      RECALL_ASSIGN(const GetResponse found, context.database->Get({.target = targets[i]}));
      const std::string title = TitleOf(found.doc);
      context.out->Write("\n" + std::to_string(i + 1) + " of " + std::to_string(targets.size()) +
                         "  " + context.out_style.DocPath(found.doc.path) + "  " +
                         EscapeLine(title) + "\nEnter shows it, s skips it, q ends: ");
      RECALL_TRY(context.out->Flush());
      RECALL_ASSIGN(const auto line, lines.Next());
      if (!line || line == "q") return ExitCode::kDone;
      if (line == "s") continue;
      context.out->Write("\n" + EscapeControls(found.chunk.text) + "\n");
      RECALL_ASSIGN(const std::optional<int64_t> quality, AskQuality(context, lines));
      if (!quality) return ExitCode::kDone;
      review_.target = found.doc.path;
      review_.quality = *quality;
      RECALL_ASSIGN(const ReviewReport report, context.database->Review(review_));
      context.out->Write(ReviewedText(report) + "\n");
    }
    return ExitCode::kDone;
  }

  Result<std::optional<int64_t>> AskQuality(CommandContext& context, TypedLines& lines) const {
    for (;;) {
      context.out->Write(std::string(kRatingScale) + ", q ends: ");
      RECALL_TRY(context.out->Flush());
      RECALL_ASSIGN(const auto line, lines.Next());
      if (!line || line == "q") return std::nullopt;
      if (line->size() == 1 && (*line)[0] >= '0' && (*line)[0] <= '5') return (*line)[0] - '0';
    }
  }

  bool literal_ = false;
  std::vector<std::string> words_;
  bool list_ = false;
  std::optional<int64_t> rate_;
  int64_t limit_ = 10;
  int64_t fresh_ = 0;
  ScopeFlags scope_;
  std::optional<std::string> at_;
  std::optional<UnixNanos> rated_at_;
  ReviewRequest review_;
};

class UsedCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("TARGET", &request_.targets, 1, SIZE_MAX, "paths, or ids of notes");
    flags.Text("--at", &at_, "TIME", "the time to record instead of now");
  }

  Status Check(const GlobalFlags&) override {
    if (at_) {
      RECALL_ASSIGN(request_.at, ReadTimeFlag(*at_, "--at"));
    }
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    RECALL_ASSIGN(const UseReport report, context.database->Use(request_));
    if (context.json()) {
      JsonResponse response;
      response.own_key = "used";
      response.own = [&](JsonWriter& json) { WriteFields(report, json); };
      context.Send(std::move(response));
    } else if (!context.flags.quiet) {
      for (const auto& [path, uses] : report.used) {
        context.out->Write("used " + EscapeLine(path) + ", " + Plural(uses, "time") + " in all\n");
      }
    }
    return ExitCode::kDone;
  }

 private:
  std::optional<std::string> at_;
  UseRequest request_;
};

}  // namespace

const CommandInfo kReviewCommand = {
    "review",
    "[OPTIONS] [TARGET]",
    "review notes: what is due, and how well it was remembered",
    "  recall review                       one after the other, on a terminal\n"
    "  recall review --list --limit 20\n"
    "  recall review --rate 4 css-focus\n",
    "The first review of a note is due a day after it was saved. The interval then grows by "
    "SM-2.\n",
    [] { return std::unique_ptr<Command>(new ReviewCommand); }};

const CommandInfo kUsedCommand = {
    "used",
    "[OPTIONS] TARGET...",
    "record that documents were used",
    "  recall used css-focus\n"
    "  recall get --use css-focus          print it and record the use\n",
    "Searching is no use. What is used often and lately is consolidated: doc.consolidation.\n",
    [] { return std::unique_ptr<Command>(new UsedCommand); }};

}  // namespace recall
