#pragma once

#include <string>
#include <vector>

#include "cli/flags.h"
#include "cli/output/json.h"
#include "cli/session.h"
#include "query/database.h"
#include "storage/base/result.h"

namespace recall {

// The flags that `search` and `context` share, and the request they make.
class SearchFlags final {
 public:
  void Declare(FlagSet& flags);
  // Settles the query's text; reads stdin when it is "-". To be called before MakeRequest.
  Status ReadQuery();
  // The request without k and offset.
  SearchRequest MakeRequest(const Config& config) const;

  bool explain() const { return explain_; }

 private:
  std::vector<std::string> words_;
  std::string text_;
  bool bm25_ = false;
  bool vector_ = false;
  bool exact_ = false;
  bool explain_ = false;
  std::string lexical_mode_ = "query";
};

// The `query` object: what was asked. `limit` is null for a context.
Json QueryJson(const SearchRequest& request, const Json& limit, const std::string& snapshot);

// The `explain` object: how it was answered, with the settings that were in force.
Json ExplainJson(const SearchRequest& request, const SearchResponse& response,
                 const StatsReport& store, const Config& config);

}  // namespace recall
