#include "cli/commands/scope_flags.h"

#include "cli/options/flags/text_argument.h"
#include "query/rql/time_text.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

bool IsBlank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

}  // namespace

Result<UnixNanos> ReadTimeFlag(const std::string& text, std::string_view flag,
                               TimeDirection direction) {
  if (const auto time = ReadTime(text, WallClockNanos(), direction)) return *time;
  if (IsTimeBeyondRange(text) || IsTimeBeyondRange(text + "T00:00:00Z")) {
    return Fail(Status::InvalidArgument(std::string(flag) + " must be a time from " +
                                        std::string(kTimeRange) + ", not '" + text + "'"));
  }
  return Fail(Status::InvalidArgument(
      std::string(flag) + " must be a time such as 2026-02-04T09:30:00Z, not '" + text + "'",
      "also 2026-02-04, 2026-02, now, today, yesterday, " +
          std::string(direction == TimeDirection::kPast ? "-7d or 36h" : "+7d or 36h")));
}

void ScopeFlags::DeclareFilter(FlagSet& flags) {
  literal_ = flags.takes_texts_literally();
  flags.Text("--filter", &filter_, "EXPR",
             "documents that satisfy EXPR, as in \"doc.tag = 'docs'\"; @FILE reads it");
}

void ScopeFlags::DeclareSnapshot(FlagSet& flags) {
  flags.Text("--snapshot", &snapshot_, "TOKEN",
             "the store at this commit; or a time: no later documents");
}

void ScopeFlags::DeclareAsOf(FlagSet& flags) {
  flags.Text("--as-of", &as_of_, "TIME", "reference time for '-7d' and 'today' in filters");
}

Status ScopeFlags::Read() {
  if (filter_) {
    if (literal_) {
      scope_.filter = *filter_;
    } else {
      RECALL_ASSIGN(scope_.filter, ReadTextArgument(*filter_, "--filter"));
    }
    // Reject an empty filter: an unset variable in a script must not select all documents.
    if (IsBlank(scope_.filter)) {
      return Status::InvalidArgument("the filter is empty", "omit --filter to select everything");
    }
  }
  if (snapshot_) {
    scope_.snapshot = *snapshot_;
    if (IsBlank(scope_.snapshot)) {
      return Status::InvalidArgument("the snapshot is empty",
                                     "specify a token from stats.snapshot, or a time");
    }
    // A token has none of the forms of times.
    const auto time = ReadTime(scope_.snapshot, WallClockNanos(), TimeDirection::kPast);
    if (time && !ParseRfc3339(scope_.snapshot)) scope_.snapshot = FormatRfc3339(*time);
  }
  if (as_of_) {
    RECALL_ASSIGN(scope_.as_of, ReadTimeFlag(*as_of_, "--as-of"));
  }
  return {};
}

}  // namespace recall
