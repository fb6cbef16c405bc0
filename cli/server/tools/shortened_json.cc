#include "cli/server/tools/shortened_json.h"

#include <vector>

#include "cli/server/tools/answer_budget.h"
#include "index/subword/token_estimate.h"

namespace recall {
namespace {

// A text of half the tokens.
std::string Halved(const std::string& text) {
  return text.substr(0, PrefixThatFits(text, EstimateTokens(text) / 2)) + "…";
}

}  // namespace

bool ShortenBefore(Json& result, const std::string& rest, int64_t budget) {
  constexpr size_t kLeastText = 40;
  for (;;) {
    if (EstimateTokens(PrintJson(result) + rest) <= budget) return true;
    Json* longest = nullptr;
    std::string name;
    for (auto& [key, value] : result.items()) {
      if (key == "path" || key == "doc.path" || key == "lines" || key == "cite") continue;
      if (key == "source_state") continue;
      if (!value.is_string()) continue;
      if (!longest || value.get_ref<const std::string&>().size() >
                          longest->get_ref<const std::string&>().size()) {
        longest = &value;
        name = key;
      }
    }
    if (longest == nullptr) return false;
    const std::string text = longest->get<std::string>();
    if (text.size() <= kLeastText) {
      result.erase(name);
    } else {
      *longest = Halved(text);
    }
    result["truncated"] = true;
  }
}

void ShortenWarnings(Json& totals, int64_t budget) {
  constexpr size_t kLeastWarning = 40;
  const auto warnings = totals.find("warnings");
  if (warnings == totals.end() || !warnings->is_array()) return;
  while (!warnings->empty() && EstimateTokens(PrintJson(totals)) > budget) {
    Json& last = warnings->back();
    if (!last.is_string() || last.get_ref<const std::string&>().size() <= kLeastWarning) {
      warnings->erase(warnings->size() - 1);
    } else {
      last = Halved(last.get<std::string>());
    }
  }
  if (warnings->empty()) totals.erase("warnings");
}

void ShortenRelated(Json& totals, int64_t budget) {
  const auto related = totals.find("related");
  if (related == totals.end() || !related->is_array()) return;
  while (!related->empty() && EstimateTokens(PrintJson(totals)) > budget) {
    related->erase(related->size() - 1);
    totals["truncated"] = true;
  }
}

bool ShortenToFit(Json& object, int64_t budget) { return ShortenBefore(object, "", budget); }

void CountListsToFit(Json& object, int64_t budget) {
  while (EstimateTokens(PrintJson(object)) > budget) {
    std::string longest;
    for (const auto& [name, value] : object.items()) {
      if (!value.is_array() || value.empty()) continue;
      if (longest.empty() || value.size() > object[longest].size()) longest = name;
    }
    if (longest.empty()) break;
    object[longest + "_count"] = object[longest].size();
    object.erase(longest);
    object["truncated"] = true;
  }
  if (EstimateTokens(PrintJson(object)) <= budget) return;
  // What remains is short, but for counts of what is left out by rules, empty lists, and the
  // targets in an error.
  std::vector<std::string> least;
  for (const auto& [name, value] : object.items()) {
    if (name == "left_out" || (value.is_array() && value.empty())) least.push_back(name);
  }
  for (const std::string& name : least) object.erase(name);
  std::string text = JsonText(JsonMember(object, "error"), "message");
  while (EstimateTokens(PrintJson(object)) > budget && EstimateTokens(text) > 1) {
    text = Halved(text);
    object["error"]["message"] = text;
  }
}

}  // namespace recall
