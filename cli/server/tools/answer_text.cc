#include "cli/server/tools/answer_text.h"

#include <algorithm>

#include "cli/show/output/number_text.h"

namespace recall {

std::vector<std::string> OutputLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Json ParsedLine(const std::string& line) {
  Json json = Json::parse(line, nullptr, false);
  return json.is_discarded() ? Json::object() : json;
}

Json LeanNeighbours(const Json& related) {
  Json lean = Json::array();
  for (const Json& neighbour : related) {
    const Json& score = JsonMember(neighbour, "score");
    lean.push_back({{"score", score.is_number() ? Json(LeanScore(score.get<double>())) : score},
                    {"path", JsonMember(JsonMember(neighbour, "doc"), "path")},
                    {"via", JsonMember(neighbour, "via")},
                    {"relation", JsonMember(neighbour, "relation")}});
  }
  return lean;
}

ToolFault BudgetTooSmall(int64_t budget) {
  return {"limit_exceeded", "not even one result fits into " + std::to_string(budget) + " tokens",
          "raise budget_tokens, or ask for fewer fields"};
}

}  // namespace recall
