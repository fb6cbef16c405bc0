#pragma once

#include <cstddef>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "query/types/suggest_types.h"

namespace recall {

// The id of a suggestion: of its kind, its cause, and what it is about, as paths or words.
std::string SuggestionId(SuggestionKind kind, std::string_view cause,
                         const std::vector<std::string>& about);

// Takes the suggestions of a request. They are offered kind by kind, the strongest first. Request,
// ids and report must outlive the object.
class SuggestionList final {
 public:
  SuggestionList(const SuggestRequest& request, const std::set<std::string>& rejected,
                 SuggestReport* report)
      : request_(request), rejected_(rejected), report_(report) {}

  bool Wants(SuggestionKind kind) const;
  // Whether Add would take a suggestion with this id, as far as it is not rejected.
  bool WantsId(std::string_view id) const { return request_.id.empty() || request_.id == id; }
  // Whether as many of this kind as were asked for have been taken.
  bool HasAll(SuggestionKind kind) const;
  // Returns: whether it was taken.
  bool Add(Suggestion suggestion);

 private:
  const SuggestRequest& request_;
  const std::set<std::string>& rejected_;
  SuggestReport* report_;
  std::vector<size_t> taken_ = std::vector<size_t>(4);  // by kind
};

// "7 times", "once".
std::string CountedTimes(int64_t count);

}  // namespace recall
