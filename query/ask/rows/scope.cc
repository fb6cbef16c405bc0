// Evaluates the scope of a request to a set of chunks or documents.
//
// A snapshot is either the token of a commit or a time. A token selects the read transaction
// (BeginSnapshot). A time is a filter on the newest commit: documents with a later modification
// time are excluded. It is combined with the user's filter by AND, and both are evaluated together.

#include "query/ask/rows/scope.h"

#include <utility>

#include "query/rql/rql.h"
#include "storage/base/clock.h"
#include "storage/history/snapshot_token.h"

namespace recall {
namespace {

FilterExpr MtimePredicate(FilterOp op, std::vector<Literal> operands) {
  FilterExpr expr;
  expr.predicate.field.field = Field::kDocMtime;
  expr.predicate.op = op;
  expr.predicate.operands = std::move(operands);
  return expr;
}

// "doc.mtime IS NULL OR doc.mtime <= 'T'": documents that are not known to be younger than `time`.
FilterExpr NotLaterThan(UnixNanos time) {
  Literal literal;
  literal.text = FormatRfc3339(time);
  FilterExpr either;
  either.kind = FilterExpr::Kind::kOr;
  either.children = {MtimePredicate(FilterOp::kIsNull, {}),
                     MtimePredicate(FilterOp::kLessEqual, {std::move(literal)})};
  return either;
}

FilterExpr Both(FilterExpr left, FilterExpr right) {
  if (left.kind == FilterExpr::Kind::kAnd) {
    left.children.push_back(std::move(right));
    return left;
  }
  FilterExpr both;
  both.kind = FilterExpr::Kind::kAnd;
  both.children = {std::move(left), std::move(right)};
  return both;
}

// Returns: the time that `snapshot` denotes; nothing if it is empty or the commit being read.
Result<std::optional<UnixNanos>> ReadSnapshot(const std::string& snapshot,
                                              const std::string& commit_token) {
  if (snapshot.empty() || NamesSameCommit(snapshot, commit_token)) return std::nullopt;
  if (const auto time = ParseRfc3339(snapshot)) return time;
  if (IsTimeBeyondRange(snapshot)) {
    return Fail(Status::InvalidArgument("a snapshot must be a time from " +
                                        std::string(kTimeRange) + ", not '" + snapshot + "'"));
  }
  const std::string store = commit_token.substr(0, commit_token.find('-'));
  if (ParseSnapshotToken(store, snapshot)) {
    return Fail(Status::NotFound(
        "snapshot " + snapshot + " is not the last commit, which is " + commit_token,
        "only the last commit can be changed; omit --snapshot"));
  }
  return Fail(Status::InvalidArgument(
      "'" + snapshot + "' is not a snapshot of this store",
      "specify a token from stats.snapshot, or a time such as 2026-02-04T09:30:00Z"));
}

FilterExplain ExplainFilter(const FilterOutcome& outcome, const std::string& canonical) {
  FilterExplain explain;
  explain.filter = canonical;
  explain.matches = static_cast<int64_t>(outcome.set.Count());
  for (const FilterStep& step : outcome.steps) {
    explain.steps.push_back(
        {step.predicate, step.method, static_cast<int64_t>(step.matches), step.micros});
  }
  return explain;
}

}  // namespace

Result<std::unique_ptr<ReadTransaction>> BeginSnapshot(Store& store, const std::string& snapshot) {
  const auto name = ParseSnapshotToken(store.uuid(), snapshot);
  return name ? store.BeginReadAt(*name) : store.BeginRead();
}

Result<ResolvedScope> ResolveFilter(const FilterSets& sets, FilterSource filter,
                                    const std::string& snapshot, std::optional<UnixNanos> as_of,
                                    const std::string& commit_token, FilterDomain domain) {
  ResolvedScope resolved;
  if (filter.expr) resolved.filter = PrintFilter(*filter.expr);
  RECALL_ASSIGN(const auto not_later_than, ReadSnapshot(snapshot, commit_token));
  std::optional<FilterExpr> expr = std::move(filter.expr);
  if (not_later_than) {
    FilterExpr limit = NotLaterThan(*not_later_than);
    expr = expr ? Both(*std::move(expr), std::move(limit)) : std::move(limit);
  }
  if (!expr) {
    RECALL_ASSIGN(resolved.set, sets.Visible(domain));
    return resolved;
  }

  const UnixNanos now = as_of.value_or(WallClockNanos());
  auto compiled = CompiledFilter::Compile(*expr, now);
  if (!compiled) return Fail(ErrorAt(filter.text, compiled.error()));
  if (compiled->depends_on_now()) resolved.as_of = now;
  RECALL_ASSIGN(FilterOutcome outcome, sets.Evaluate(*compiled, domain));
  resolved.explain = ExplainFilter(outcome, PrintFilter(*expr));
  resolved.warnings = compiled->warnings();
  std::move(outcome.warnings.begin(), outcome.warnings.end(),
            std::back_inserter(resolved.warnings));
  resolved.set = std::move(outcome.set);
  return resolved;
}

Result<ResolvedScope> ResolveScope(const FilterSets& sets, const Scope& scope,
                                   const std::string& commit_token, FilterDomain domain) {
  FilterSource source{std::nullopt, scope.filter};
  if (!scope.filter.empty()) {
    RECALL_ASSIGN(source.expr, ParseFilter(scope.filter));
  }
  return ResolveFilter(sets, std::move(source), scope.snapshot, scope.as_of, commit_token, domain);
}

}  // namespace recall
