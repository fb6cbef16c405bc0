// Two evaluations are compared query by query, over the queries that both of them have, by the
// paired bootstrap.

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "cli/show/comparison/json_access.h"
#include "query/measure/eval/paired_bootstrap.h"

namespace recall {
namespace {

// New minus earlier, for each query of both runs, in the order of the new one.
std::vector<double> Differences(const std::vector<std::string>& ids_before,
                                const std::vector<double>& before,
                                const std::vector<std::string>& ids_after,
                                const std::vector<double>& after) {
  if (ids_before.size() != before.size() || ids_after.size() != after.size()) return {};
  std::map<std::string_view, double> values;
  for (size_t i = 0; i < before.size(); ++i) values.emplace(ids_before[i], before[i]);
  std::vector<double> differences;
  for (size_t i = 0; i < after.size(); ++i) {
    const auto found = values.find(ids_after[i]);
    if (found != values.end()) differences.push_back(after[i] - found->second);
  }
  return differences;
}

Verdict VerdictOf(const PairedDifference& difference) {
  if (difference.low > 0) return Verdict::kBetter;
  if (difference.high < 0) return Verdict::kWorse;
  const bool same = difference.low == 0 && difference.high == 0;
  return same && difference.difference == 0 ? Verdict::kSame : Verdict::kUnclear;
}

// `groups`: the differences of each collection.
void Judge(std::span<const std::vector<double>> groups, EvalChange* change) {
  if (groups.empty()) return;
  for (const std::vector<double>& group : groups) {
    if (group.empty()) return;
    change->queries += static_cast<int64_t>(group.size());
  }
  change->difference = PairedBootstrap(groups);
  change->verdict = VerdictOf(*change->difference);
}

const RunJson* FindNamed(const RunJson& list, const std::string& name) {
  if (!list.is_array()) return nullptr;
  const auto found = std::find_if(
      list.begin(), list.end(), [&](const RunJson& item) { return TextOf(item, "name") == name; });
  return found == list.end() ? nullptr : &*found;
}

void CompareCollections(const RunJson& before, const RunJson& after, EvalComparison* comparison) {
  const RunJson& collections = MemberOf(after, "collections");
  if (!collections.is_array()) return;
  std::map<std::string, std::vector<std::vector<double>>> all;  // by retriever
  size_t common = 0;
  const auto ndcg = [](const RunJson& part, const std::string& retriever) {
    return NumberOf(MemberOf(MemberOf(part, "legs"), retriever), "ndcg_at_10").value_or(0);
  };
  for (const RunJson& now : collections) {
    const RunJson* const old = FindNamed(MemberOf(before, "collections"), TextOf(now, "name"));
    if (old == nullptr) continue;
    ++common;
    const RunJson& queries = MemberOf(now, "per_query");
    const RunJson& old_queries = MemberOf(*old, "per_query");
    for (const SearchMode mode : kEvalRetrievers) {
      const std::string retriever(EvalRetrieverName(mode));
      EvalChange change{TextOf(now, "name"),  retriever, "nDCG@10", ndcg(*old, retriever),
                        ndcg(now, retriever), {},        0,         Verdict::kUnknown};
      std::vector<double> differences =
          Differences(TextsOf(old_queries, "ids"), NumbersOf(old_queries, retriever),
                      TextsOf(queries, "ids"), NumbersOf(queries, retriever));
      Judge({&differences, 1}, &change);
      all[retriever].push_back(std::move(differences));
      comparison->changes.push_back(std::move(change));
    }
  }
  const bool same_collections =
      common == collections.size() && common == MemberOf(before, "collections").size();
  if (common < 2 || !same_collections) return;
  for (const SearchMode mode : kEvalRetrievers) {
    const std::string retriever(EvalRetrieverName(mode));
    EvalChange change{"average",
                      retriever,
                      "nDCG@10",
                      ndcg(MemberOf(before, "average"), retriever),
                      ndcg(MemberOf(after, "average"), retriever),
                      {},
                      0,
                      Verdict::kUnknown};
    Judge(all[retriever], &change);
    comparison->changes.push_back(std::move(change));
  }
}

void CompareBudget(const RunJson& old_set, const RunJson& old, const RunJson& set,
                   const RunJson& now, EvalComparison* comparison) {
  const auto budget = static_cast<int64_t>(NumberOf(now, "budget_tokens").value_or(0));
  for (const auto& [field, measure] :
       {std::pair("token_recall", "token recall"), std::pair("precision", "precision")}) {
    EvalChange change{TextOf(set, "name"),
                      std::to_string(budget) + " tokens",
                      measure,
                      NumberOf(MemberOf(old, "context"), field).value_or(0),
                      NumberOf(MemberOf(now, "context"), field).value_or(0),
                      {},
                      0,
                      Verdict::kUnknown};
    const std::vector<double> differences = Differences(
        TextsOf(old_set, "question_ids"), NumbersOf(MemberOf(old, "per_question"), field),
        TextsOf(set, "question_ids"), NumbersOf(MemberOf(now, "per_question"), field));
    Judge({&differences, 1}, &change);
    comparison->changes.push_back(std::move(change));
  }
}

void CompareSpans(const RunJson& before, const RunJson& after, EvalComparison* comparison) {
  const RunJson& sets = MemberOf(after, "spans");
  if (!sets.is_array()) return;
  for (const RunJson& set : sets) {
    const RunJson* const old_set = FindNamed(MemberOf(before, "spans"), TextOf(set, "name"));
    if (old_set == nullptr) continue;
    const RunJson& old_budgets = MemberOf(*old_set, "budgets");
    for (const RunJson& now : MemberOf(set, "budgets")) {
      const auto old =
          std::find_if(old_budgets.begin(), old_budgets.end(), [&](const RunJson& budget) {
            return NumberOf(budget, "budget_tokens") == NumberOf(now, "budget_tokens");
          });
      if (old != old_budgets.end()) CompareBudget(*old_set, *old, set, now, comparison);
    }
  }
}

}  // namespace

EvalComparison CompareEval(const RecordedRun& earlier, const RecordedRun& run, std::string file) {
  const RunJson& before = earlier.document().json;
  const RunJson& after = run.document().json;
  EvalComparison comparison;
  comparison.file = std::move(file);
  FindSettingChanges(MemberOf(before, "settings"), MemberOf(after, "settings"),
                     &comparison.settings);
  CompareCollections(before, after, &comparison);
  CompareSpans(before, after, &comparison);
  return comparison;
}

}  // namespace recall
