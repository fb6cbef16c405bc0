#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/result_flags.h"
#include "cli/commands/scope_flags.h"
#include "cli/commands/source_flags.h"
#include "cli/commands/view_flag.h"
#include "cli/options/flags/flags.h"
#include "cli/options/flags/global_flags.h"
#include "cli/options/settings/config.h"
#include "cli/show/output/payload.h"
#include "query/database/database.h"
#include "storage/base/result.h"

namespace recall {

// The flags for the ranking of chunks and for the scope.
class RankingFlags final {
 public:
  void DeclareFilter(FlagSet& flags) { scope_.DeclareFilter(flags); }
  // Declares the flags for the view, retrievers, fusion, stages, field weights and the minimum
  // score.
  void DeclareRetrievers(FlagSet& flags);
  // Declares the short form of the stage `hops`.
  void DeclareHops(FlagSet& flags);
  void DeclareRest(FlagSet& flags);
  // Call it before Ask.
  Status Read() { return scope_.Read(); }
  // As ViewFlag::Ask, with the scope of the flags.
  Result<AskedView> Ask(const Config& config) const { return view_.Ask(config, scope_.scope()); }
  // The same with another view, or none, and without the filter of the flags.
  Result<AskedView> AskWith(const Config& config, const std::optional<std::string>& view) const;
  // The request without text, k and offset. Nothing is compared with its source.
  SearchRequest MakeRequest(const AskedView& asked) const;

  const std::optional<std::string>& view() const { return view_.name(); }
  const Scope& scope() const { return scope_.scope(); }
  bool explain() const { return explain_; }
  bool has_min_score() const { return min_score_.has_value(); }

 private:
  bool bm25_ = false;
  bool vector_ = false;
  bool exact_ = false;
  bool explain_ = false;
  std::optional<double> min_score_;
  std::optional<int64_t> hops_;
  ViewFlag view_;
  ScopeFlags scope_;
};

// The flags that `search` and `context` share, and the request they make.
class SearchFlags final {
 public:
  void Declare(FlagSet& flags);
  // Reads the query text and the filter; reads stdin if the text is "-". Call it before Ask.
  Status Read();
  Result<AskedView> Ask(const Config& config) const { return ranking_.Ask(config); }
  // The request without k and offset.
  SearchRequest MakeRequest(const CommandContext& context, const AskedView& asked) const;

  bool explain() const { return ranking_.explain(); }
  bool has_min_score() const { return ranking_.has_min_score(); }
  const SourceFlags& sources() const { return sources_; }

 private:
  bool literal_ = false;
  std::vector<std::string> words_;
  std::string text_;
  std::string lexical_mode_ = "query";
  bool no_expand_ = false;
  std::optional<std::string> embedding_text_;
  std::vector<float> embedding_;
  RankingFlags ranking_;
  SourceFlags sources_;
};

// The flags that select the shown part of a ranking and its format.
class PageFlags final {
 public:
  void Declare(FlagSet& flags, GlobalFlags& globals);
  Status Check(const GlobalFlags& globals, bool explain);
  // `lean`: results are shown as lean lines. `default_k`: results if neither flag nor view says how
  // many. Errors: InvalidArgument if more results are requested than the settings allow.
  Status Apply(const AskedView& asked, bool lean, SearchRequest* request,
               int64_t default_k = 8) const;
  // How results are printed.
  Payload PayloadOf(const View* view) const;

  const std::optional<ResultFields>& fields() const { return results_.fields(); }
  // Whether the fields were requested, and are not those of --lean.
  bool named() const { return results_.named(); }
  bool fzf() const { return format_ == "fzf"; }
  // Whether a form other than a JSON document was requested.
  bool other_form(const GlobalFlags& globals) const {
    return results_.named() || (!format_.empty() && format_ != "json") || globals.json_lines ||
           (globals.lean && !globals.lean_from_environment);
  }
  bool full_payload() const { return payload_ == kFullPayload; }

 private:
  GlobalFlags* globals_ = nullptr;
  std::string format_;
  std::string payload_;
  std::optional<int64_t> k_;
  int64_t offset_ = 0;
  std::optional<int64_t> snippet_bytes_;
  ResultFlags results_;
};

inline constexpr size_t kSnippetBytes = 240;

// Checks a number of results. Errors: InvalidArgument if it exceeds max_limit.
Status CheckLimit(const Config& config, int64_t k, std::string_view flag = "--k");

// Declares the flag that turns the expansion of missing words off.
void DeclareNoExpand(FlagSet& flags, bool* target);

// Declares the flag for the query syntax, for search, context and query.
void DeclareLexicalMode(FlagSet& flags, std::string* target);
LexicalMode LexicalModeFrom(std::string_view name);

// Declare flags for fusion, stages, field weights and scores, for search, similar, context, query
// and eval.
void DeclareFusion(FlagSet& flags);
void DeclareStageList(FlagSet& flags);
void DeclareFieldWeights(FlagSet& flags);
void DeclareCues(FlagSet& flags);
void DeclareMinScore(FlagSet& flags, std::optional<double>* target);
// The minimum score of the flag, else that of the view, else 0. `view` may be null.
double MinScoreOf(const std::optional<double>& flag, const View* view);

// The query vector, for stores with user-supplied embeddings.
void DeclareEmbedding(FlagSet& flags, std::optional<std::string>* target);
// Parses the value of the flag, which may name a file; empty if the flag is not given.
Result<std::vector<float>> ReadEmbedding(const std::optional<std::string>& argument);

void DeclareSnippet(FlagSet& flags, int64_t* target, const char* help);

// The number of threads for a query. Default: two, one for each retriever, if there are two cores.
// If the user set 0: one per core.
uint32_t AskThreads(const Config& config);

}  // namespace recall
