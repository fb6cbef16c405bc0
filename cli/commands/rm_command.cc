#include "cli/commands/commands.h"
#include "cli/commands/scope_flags.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

void WriteFields(const RemoveReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  json.FieldOrNull("filter", report.filter);
  if (report.as_of) json.Field("as_of", FormatRfc3339(*report.as_of));
  json.Objects("removed", report.removed, [&](const RemoveReport::Item& item) {
    json.Field("id", item.id);
    json.Field("path", item.path);
  });
  json.Field("not_found", report.not_found);
  json.Field("purged_docs", report.purged_docs);
  json.Field("purged_chunks", report.purged_chunks);
}

std::optional<Failure> FailureOf(const RemoveReport& report) {
  if (report.not_found.empty()) return std::nullopt;
  std::string targets;
  for (const std::string& target : report.not_found) {
    targets += (targets.empty() ? "'" : ", '") + target + "'";
  }
  return Failure::FromStatus(Status::NotFound(
      "nothing in the store matches " + targets,
      "a target is a path, a directory, at least 12 digits of an id, or id: and at least 4"));
}

std::string ReportText(const RemoveReport& report, bool dry_run, bool purge) {
  std::string text;
  for (const RemoveReport::Item& item : report.removed) {
    text += (dry_run ? "would remove " : "removed ") + EscapeLine(item.path) + "\n";
  }
  if (purge && !dry_run) {
    text += "purged " + Plural(report.purged_docs, "document") + ", " +
            Plural(report.purged_chunks, "chunk") + "\n";
  }
  return text;
}

class RmCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("TARGET", &request_.targets, 0, SIZE_MAX,
                "a path, a directory, an id or 12 digits of it, or id: and 4");
    scope_.DeclareFilter(flags);
    flags.Switch("--purge", &request_.purge,
                 "also delete the data of all removed documents from the file");
    flags.Switch("--dry-run", &request_.dry_run, "report the changes without making them");
    scope_.DeclareAsOf(flags);
  }

  // `rm --purge` without targets deletes the data of documents that were removed before.
  Status Check(const GlobalFlags&) override {
    RECALL_TRY(scope_.Read());
    request_.scope = scope_.scope();
    if (scope_.has_filter() && !request_.targets.empty()) {
      return Status::InvalidArgument("TARGET and --filter cannot be combined",
                                     "a filter can match paths: doc.path GLOB 'drafts/**'");
    }
    if (scope_.has_filter() || !request_.targets.empty() || request_.purge) return {};
    return Status::InvalidArgument("TARGET is missing");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const RemoveReport report, context.database->Remove(request_));
    const std::optional<Failure> failure = FailureOf(report);
    if (context.json()) {
      RECALL_TRY(SendJson(context, report, failure, SteadyMicros() - start));
    } else {
      context.PrintWarnings(report.warnings);
      if (!context.flags.quiet) {
        if (scope_.has_filter() && report.removed.empty()) {
          context.out->Write("nothing matches the filter\n");
        }
        context.out->Write(ReportText(report, request_.dry_run, request_.purge));
      }
      if (failure) PrintFailure(*failure, OutputMode::kText, context.error_style, {}, context.out);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  Status SendJson(CommandContext& context, const RemoveReport& report,
                  const std::optional<Failure>& failure, int64_t micros) const {
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    JsonResponse response;
    response.stats = StatsFields(static_cast<int64_t>(report.removed.size()), stats.store,
                                 {.took_ms = micros / 1000, .timings = {}, .memory = false});
    response.warnings = report.warnings;
    response.own_key = "rm";
    response.own = [&](JsonWriter& json) { WriteFields(report, request_.dry_run, json); };
    response.failure = failure;
    context.Send(std::move(response));
    return {};
  }

  RemoveRequest request_;
  ScopeFlags scope_;
};

}  // namespace

const CommandInfo kRmCommand = {
    "rm",
    "[OPTIONS] TARGET... | --filter EXPR",
    "remove documents from the store (never the files)",
    "  recall rm notes/old.md\n"
    "  recall rm build/                every document below a directory\n"
    "  recall rm id:3fa9c1             a document by the start of its id\n"
    "  recall rm --filter \"doc.mtime < '-1y'\" --dry-run\n"
    "  recall rm drafts --purge        and free the space\n",
    "A removed document is no longer found; its bytes stay in the file until --purge.\n"
    "If a target matches nothing, the others are still removed, and the exit code is 1.\n"
    "A filter that matches nothing is not an error.\n",
    [] { return std::unique_ptr<Command>(new RmCommand); }};

}  // namespace recall
