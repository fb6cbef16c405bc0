// Configured boosting rules: if the query contains one of the words of a rule, chunks that satisfy
// the filter of the rule rank higher.
//
//   keywords = ["install setup => doc.path GLOB 'docs/**' => 0.3"]       in recall.toml
//               words            filter (docs/rql.md)        weight
//
// The words are analysed like the query, so rules match by stem. A rule whose words occur in the
// query is triggered. With W the sum of the weights of all triggered rules:
//
//   score = best * (score / best + sum of the weights of the satisfied triggered rules) / (1 + W)
//
// Rules boost and never exclude, and a rule without a matching chunk changes no order. Every
// rule is parsed and its filter resolved for each query, even if it is not triggered, so that an
// error in the configuration is reported at once and not only for some queries.
//
// Cost: one evaluation of each rule's filter over the store, as a bitmap of chunks.

#include <algorithm>

#include "query/ask/rows/scope.h"
#include "query/ask/stages/stage.h"
#include "storage/base/from_chars.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr StageParameter kKeywordsParameters[] = {
    {"weight", StageParameter::Kind::kNumber, 0.2, 0, 1},
};

constexpr std::string_view kArrow = "=>";

struct Rule {
  std::string_view words;
  std::string_view filter;
  double weight;
};

Status BadRule(std::string_view line) {
  return Status::InvalidArgument(
      "invalid keywords rule '" + std::string(line) +
          "': expected WORDS => FILTER or WORDS => FILTER => WEIGHT, with a WEIGHT from 0 to 1",
      "for example: install setup => doc.path GLOB 'docs/**' => 0.3");
}

// Parses "WORDS => FILTER" or "WORDS => FILTER => WEIGHT". `weight` is the default.
Result<Rule> ParseRule(std::string_view line, double weight) {
  const size_t first = line.find(kArrow);
  if (first == line.npos) return Fail(BadRule(line));
  Rule rule{Trim(line.substr(0, first)), Trim(line.substr(first + kArrow.size())), weight};
  const size_t last = rule.filter.rfind(kArrow);
  if (last != rule.filter.npos) {
    const std::string_view text = Trim(rule.filter.substr(last + kArrow.size()));
    const auto [stop, error] = FromChars(text.data(), text.data() + text.size(), rule.weight);
    if (error != std::errc() || stop != text.data() + text.size()) return Fail(BadRule(line));
    rule.filter = Trim(rule.filter.substr(0, last));
  }
  const bool in_range = rule.weight >= 0 && rule.weight <= 1;
  if (rule.words.empty() || rule.filter.empty() || !in_range) return Fail(BadRule(line));
  return rule;
}

class KeywordsStage final : public RankStage {
 public:
  explicit KeywordsStage(double weight) : weight_(weight) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    std::vector<Rule> rules;
    RECALL_TRY(ReadRules(context.question().keyword_rules, &rules));
    std::vector<double> sums(hits.size(), 0);
    double total = 0;
    for (const Rule& rule : rules) {
      RECALL_ASSIGN(const Bitmap chunks, ChunksOf(context, rule));
      if (!Triggers(context, rule)) continue;
      total += rule.weight;
      context.note += (context.note.empty() ? "" : "; ") + std::string(rule.filter);
      for (size_t i = 0; i < hits.size(); ++i) {
        if (!chunks.Contains(hits[i].fused.candidate.chunk)) continue;
        sums[i] += rule.weight;
        hits[i].note += (hits[i].note.empty() ? "" : "; ") + std::string(rule.filter);
      }
    }
    if (!(total > 0)) return Status::Ok();
    for (double& sum : sums) sum /= total;
    AddEvidence(hits, sums, total);
    return Status::Ok();
  }

 private:
  Status ReadRules(std::string_view text, std::vector<Rule>* rules) const {
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = Trim(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty()) continue;
      RECALL_ASSIGN(const Rule rule, ParseRule(line, weight_));
      rules->push_back(rule);
    }
    if (!rules->empty()) return Status::Ok();
    return Status::InvalidArgument(
        "the stage keywords has no rules",
        "recall.toml: keywords = [\"install setup => doc.path GLOB 'docs/**'\"]");
  }

  static bool Triggers(StageContext& context, const Rule& rule) {
    const std::vector<std::string>& question = context.question_stems();
    for (const std::string& stem : context.StemsOf(rule.words)) {
      if (std::ranges::count(question, stem) > 0) return true;
    }
    return false;
  }

  static Result<Bitmap> ChunksOf(StageContext& context, const Rule& rule) {
    Scope scope;
    scope.filter = rule.filter;
    scope.as_of = context.question().as_of;
    auto resolved = ResolveScope(context.snapshot().filters(), scope, "", FilterDomain::kChunks);
    if (!resolved) {
      return Fail(Status::InvalidArgument("invalid keywords rule with the filter '" +
                                              std::string(rule.filter) +
                                              "': " + std::string(resolved.error().message()),
                                          std::string(resolved.error().hint())));
    }
    if (resolved->as_of) context.AsOf();
    return std::move(*resolved->set);
  }

  const double weight_;
};

std::unique_ptr<RankStage> MakeKeywordsStage(std::span<const StageValue> values) {
  return std::make_unique<KeywordsStage>(values[0].number);
}

}  // namespace

const StageInfo kKeywordsStage = {"keywords", kKeywordsParameters, MakeKeywordsStage};

}  // namespace recall
