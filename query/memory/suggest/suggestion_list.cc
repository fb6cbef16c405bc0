#include "query/memory/suggest/suggestion_list.h"

#include <algorithm>
#include <utility>

#include "storage/base/ids.h"

namespace recall {

std::string SuggestionId(SuggestionKind kind, std::string_view cause,
                         const std::vector<std::string>& about) {
  constexpr size_t kDigits = 12;
  std::string named = std::string(NameOf(kind)) + "\n" + std::string(cause);
  for (const std::string& part : about) named += "\n" + part;
  return ToHex(Sha256(named)).substr(0, kDigits);
}

bool SuggestionList::Wants(SuggestionKind kind) const {
  return !request_.id.empty() || request_.kinds.empty() ||
         std::ranges::find(request_.kinds, kind) != request_.kinds.end();
}

bool SuggestionList::HasAll(SuggestionKind kind) const {
  return request_.id.empty() && taken_[static_cast<size_t>(kind)] >= request_.limit;
}

bool SuggestionList::Add(Suggestion suggestion) {
  if (!WantsId(suggestion.id) || HasAll(suggestion.kind)) return false;
  suggestion.rejected = rejected_.contains(suggestion.id);
  if (suggestion.rejected && !request_.with_rejected && request_.id.empty()) {
    ++report_->rejected;
    return false;
  }
  ++taken_[static_cast<size_t>(suggestion.kind)];
  report_->suggestions.push_back(std::move(suggestion));
  return true;
}

std::string CountedTimes(int64_t count) {
  return count == 1 ? "once" : std::to_string(count) + " times";
}

}  // namespace recall
