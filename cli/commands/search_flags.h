#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/scope_flags.h"
#include "cli/flags/flags.h"
#include "cli/flags/global_flags.h"
#include "cli/settings/config.h"
#include "query/database.h"
#include "storage/base/result.h"

namespace recall {

// The flags of how chunks are ranked, and from which ones.
class RankingFlags final {
 public:
  void DeclareFilter(FlagSet& flags) { scope_.DeclareFilter(flags); }
  // Which retrievers rank, how they are fused, what ranks the best once more, and which scores do
  // not count.
  void DeclareRetrievers(FlagSet& flags);
  void DeclareRest(FlagSet& flags);
  // To be called before MakeRequest.
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
  ScopeFlags scope_;
};

// The flags that `search` and `context` share, and the request they make.
class SearchFlags final {
 public:
  void Declare(FlagSet& flags);
  // Settles the query's text and the filter; reads stdin when the text is "-". To be called before
  // MakeRequest.
  Status Read();
  // The request without k and offset.
  SearchRequest MakeRequest(const Config& config) const;

  bool explain() const { return ranking_.explain(); }

 private:
  std::vector<std::string> words_;
  std::string text_;
  std::string lexical_mode_ = "query";
  std::optional<std::string> embedding_text_;
  std::vector<float> embedding_;
  RankingFlags ranking_;
};

// Which part of a ranking is shown, and how.
class PageFlags final {
 public:
  void Declare(FlagSet& flags, GlobalFlags& globals);
  static Status Check(const GlobalFlags& globals);
  // Errors: InvalidArgument when more is asked for than the settings allow.
  Status Apply(const Config& config, SearchRequest* request) const;

 private:
  int64_t k_ = 8;
  int64_t offset_ = 0;
  int64_t snippet_bytes_ = 240;
};

// Flags of everything that ranks: search, context and query.
void DeclareLexicalMode(FlagSet& flags, std::string* target);
LexicalMode LexicalModeFrom(std::string_view name);

// How rankings come about, beside the retrievers: in search, similar, context, query and eval.
void DeclareFusion(FlagSet& flags);
void DeclareStageList(FlagSet& flags);
void DeclareMinScore(FlagSet& flags, double* target);

// The question as a vector, for stores that are given theirs.
void DeclareEmbedding(FlagSet& flags, std::optional<std::string>* target);
// What the flag says, which may be a file's; empty when it says nothing.
Result<std::vector<float>> ReadEmbedding(const std::optional<std::string>& argument);

void DeclareSnippet(FlagSet& flags, int64_t* target, const char* help);

// Threads to ask with: two, where there are two cores, for the two retrievers, unless the
// user set a number; 0 is one per core.
uint32_t AskThreads(const Config& config);

}  // namespace recall
