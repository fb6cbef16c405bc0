#pragma once

#include <string>
#include <vector>

#include "cli/commands/scope_flags.h"
#include "cli/config.h"
#include "cli/flags.h"
#include "query/database.h"
#include "storage/base/result.h"

namespace recall {

// The flags that `search` and `context` share, and the request they make.
class SearchFlags final {
 public:
  void Declare(FlagSet& flags);
  // Settles the query's text and the filter; reads stdin when the text is "-". To be called before
  // MakeRequest.
  Status Read();
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
  ScopeFlags scope_;
};

// Flags of everything that ranks: search, context and query.
void DeclareLexicalMode(FlagSet& flags, std::string* target);
LexicalMode LexicalModeFrom(std::string_view name);

// Threads to ask with: one unless the user set a number; 0 is one per core.
uint32_t AskThreads(const Config& config);

}  // namespace recall
