// Two runs of a benchmark that asked the same queries are compared query by query: a query takes
// ten times as long as another, but about as long as itself in another run. The statistic is the
// mean of log(time now / time then), whose exponential is the geometric mean of the ratios.

#include <algorithm>
#include <utility>

#include "cli/show/comparison/json_access.h"
#include "index/base/math/natural_exp.h"
#include "index/base/math/natural_log.h"
#include "query/measure/eval/paired_bootstrap.h"

namespace recall {
namespace {

// What identifies the queries of this kind; "" if it was not recorded.
std::string QueriesOf(const RunJson& run, const std::string& what) {
  const RunJson& questions = MemberOf(run, "questions");
  const RunJson& rql = MemberOf(questions, "rql");
  return TextOf(what == "query" && rql.is_object() ? rql : questions, "sha256");
}

std::optional<BenchChange::Ratio> RatioOf(const std::vector<double>& before,
                                          const std::vector<double>& after) {
  if (before.empty() || before.size() != after.size()) return std::nullopt;
  constexpr double kClockMs = 0.001;  // a time of 0 is below the precision of the clock
  std::vector<std::vector<double>> logs(1);
  for (size_t i = 0; i < before.size(); ++i) {
    logs[0].push_back(NaturalLog(std::max(after[i], kClockMs) / std::max(before[i], kClockMs)));
  }
  const PairedDifference mean = PairedBootstrap(logs);
  return BenchChange::Ratio{NaturalExp(mean.difference), NaturalExp(mean.low),
                            NaturalExp(mean.high)};
}

Verdict VerdictOf(const BenchChange::Ratio& ratio) {
  if (ratio.high < 1) return Verdict::kBetter;
  if (ratio.low > 1) return Verdict::kWorse;
  return ratio.low == 1 && ratio.high == 1 ? Verdict::kSame : Verdict::kUnclear;
}

BenchChange Compare(const RunJson& before, const RunJson& after, bool same_queries) {
  BenchChange change;
  change.what = TextOf(after, "what");
  change.cache = TextOf(after, "cache");
  const RunJson& old_ms = MemberOf(before, "ms");
  const RunJson& new_ms = MemberOf(after, "ms");
  change.p50_before = NumberOf(old_ms, "p50").value_or(0);
  change.p50_after = NumberOf(new_ms, "p50").value_or(0);
  change.p99_before = NumberOf(old_ms, "p99").value_or(0);
  change.p99_after = NumberOf(new_ms, "p99").value_or(0);
  change.query_ms_before = NumbersOf(before, "query_ms");
  if (same_queries) change.ratio = RatioOf(change.query_ms_before, NumbersOf(after, "query_ms"));
  if (change.ratio) change.verdict = VerdictOf(*change.ratio);
  return change;
}

RunJson PropertiesOf(const RunJson& run) {
  RunJson properties = RunJson::object();
  for (const char* name : {"docs", "chunks", "embedder"}) properties[name] = MemberOf(run, name);
  return properties;
}

}  // namespace

BenchComparison CompareBench(const RecordedRun& earlier, const RecordedRun& run, std::string file) {
  const RunJson& before = earlier.document().json;
  const RunJson& after = run.document().json;
  BenchComparison comparison;
  comparison.file = std::move(file);
  FindSettingChanges(PropertiesOf(before), PropertiesOf(after), &comparison.settings);
  FindSettingChanges(MemberOf(before, "settings"), MemberOf(after, "settings"),
                     &comparison.settings);
  comparison.same_queries = true;
  for (const RunJson& now : MemberOf(after, "latencies")) {
    const auto& olds = MemberOf(before, "latencies");
    const auto old = std::find_if(olds.begin(), olds.end(), [&](const RunJson& latency) {
      return TextOf(latency, "what") == TextOf(now, "what") &&
             TextOf(latency, "cache") == TextOf(now, "cache");
    });
    if (old == olds.end()) continue;
    const std::string queries = QueriesOf(before, TextOf(now, "what"));
    const bool same = !queries.empty() && queries == QueriesOf(after, TextOf(now, "what"));
    comparison.recorded = comparison.recorded && !queries.empty();
    comparison.same_queries = comparison.same_queries && same;
    comparison.changes.push_back(Compare(*old, now, same));
  }
  return comparison;
}

}  // namespace recall
