#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/result_flags.h"
#include "cli/commands/scope_flags.h"
#include "cli/flags/flags.h"
#include "cli/flags/global_flags.h"
#include "cli/settings/config.h"
#include "query/database.h"
#include "storage/base/result.h"

namespace recall {

// The flags for the ranking of chunks and for the scope.
class RankingFlags final {
 public:
  void DeclareFilter(FlagSet& flags) { scope_.DeclareFilter(flags); }
  // Declares the flags for retrievers, fusion, stages and the minimum score.
  void DeclareRetrievers(FlagSet& flags);
  // Declares the short form of the stage `hops`.
  void DeclareHops(FlagSet& flags);
  void DeclareRest(FlagSet& flags);
  // Call it before MakeRequest.
  Status Read() { return scope_.Read(); }
  // The request without text, k and offset.
  SearchRequest MakeRequest(const Config& config) const;

  bool explain() const { return explain_; }

 private:
  bool bm25_ = false;
  bool vector_ = false;
  bool exact_ = false;
  bool explain_ = false;
  double min_score_ = 0;
  std::optional<int64_t> hops_;
  ScopeFlags scope_;
};

// The flags that `search` and `context` share, and the request they make.
class SearchFlags final {
 public:
  void Declare(FlagSet& flags);
  // Reads the query text and the filter; reads stdin if the text is "-". Call it before
  // MakeRequest.
  Status Read();
  // The request without k and offset.
  SearchRequest MakeRequest(const Config& config) const;

  bool explain() const { return ranking_.explain(); }

 private:
  bool literal_ = false;
  std::vector<std::string> words_;
  std::string text_;
  std::string lexical_mode_ = "query";
  bool no_expand_ = false;
  std::optional<std::string> embedding_text_;
  std::vector<float> embedding_;
  RankingFlags ranking_;
};

// The flags that select the shown part of a ranking and its format.
class PageFlags final {
 public:
  void Declare(FlagSet& flags, GlobalFlags& globals);
  Status Check(const GlobalFlags& globals, bool explain);
  // `lean`: results are shown as lean lines. Errors: InvalidArgument if more results are requested
  // than the settings allow.
  Status Apply(const Config& config, bool lean, SearchRequest* request) const;

  const std::optional<ResultFields>& fields() const { return results_.fields(); }
  bool fzf() const { return format_ == "fzf"; }

 private:
  GlobalFlags* globals_ = nullptr;
  std::string format_;
  int64_t k_ = 8;
  int64_t offset_ = 0;
  std::optional<int64_t> snippet_bytes_;
  ResultFlags results_;
};

inline constexpr size_t kSnippetBytes = 240;

// Checks a number of results. Errors: InvalidArgument if it exceeds max_limit.
Status CheckLimit(const Config& config, int64_t k);

// Declares the flag that turns the expansion of missing words off.
void DeclareNoExpand(FlagSet& flags, bool* target);

// Declares the flag for the query syntax, for search, context and query.
void DeclareLexicalMode(FlagSet& flags, std::string* target);
LexicalMode LexicalModeFrom(std::string_view name);

// Declare flags for fusion, stages and scores, for search, similar, context, query and eval.
void DeclareFusion(FlagSet& flags);
void DeclareStageList(FlagSet& flags);
void DeclareMinScore(FlagSet& flags, double* target);

// The query vector, for stores with user-supplied embeddings.
void DeclareEmbedding(FlagSet& flags, std::optional<std::string>* target);
// Parses the value of the flag, which may name a file; empty if the flag is not given.
Result<std::vector<float>> ReadEmbedding(const std::optional<std::string>& argument);

void DeclareSnippet(FlagSet& flags, int64_t* target, const char* help);

// The number of threads for a query. Default: two, one for each retriever, if there are two cores.
// If the user set 0: one per core.
uint32_t AskThreads(const Config& config);

}  // namespace recall
