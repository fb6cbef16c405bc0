#include "cli/commands/search_flags.h"

#include <algorithm>

#include "cli/options/flags/text_argument.h"
#include "query/ask/retrieval/question_embedding.h"
#include "query/ask/stages/stage_list.h"
#include "query/types/fusion_choice.h"
#include "storage/base/thread_start.h"
#include "storage/base/trim.h"

namespace recall {
void RankingFlags::DeclareRetrievers(FlagSet& flags) {
  view_.Declare(flags);
  flags.Switch("--bm25", &bm25_, "lexical search only (BM25)");
  flags.Switch("--vector", &vector_, "semantic search only (both or neither flag: hybrid)");
  DeclareFusion(flags);
  DeclareStageList(flags);
  DeclareFieldWeights(flags);
  DeclareMinScore(flags, &min_score_);
}

void RankingFlags::DeclareHops(FlagSet& flags) {
  flags.Number("--hops", &hops_, 0, 1, "1: also tell what links of the best results lead to");
}

void RankingFlags::DeclareRest(FlagSet& flags) {
  flags.Switch("--exact", &exact_, "score every vector instead of a shortlist");
  flags.Switch("--explain", &explain_, "explain each score and how long the search took");
  flags.Setting("--threads", "threads", "N", "threads; the answer is the same for any number");
  scope_.DeclareSnapshot(flags);
  scope_.DeclareAsOf(flags);
}

Result<AskedView> RankingFlags::AskWith(const Config& config,
                                        const std::optional<std::string>& view) const {
  Scope scope = scope_.scope();
  scope.filter.clear();
  return AskWithView(config, view, std::move(scope));
}

SearchRequest RankingFlags::MakeRequest(const AskedView& asked) const {
  const Config& config = asked.config;
  SearchRequest request;
  request.scope = asked.scope;
  if (bm25_ != vector_) request.mode = bm25_ ? SearchMode::kLexical : SearchMode::kSemantic;
  request.weights = WeightsFrom(config);
  request.ranking = RankingFrom(config);
  if (hops_) request.ranking.stages = WithHops(request.ranking.stages, *hops_ == 1);
  request.ranking.min_score = MinScoreOf(min_score_, asked.view);
  request.exact = exact_;
  request.explain = explain_;
  request.threads = AskThreads(config);
  return request;
}

void SearchFlags::Declare(FlagSet& flags) {
  literal_ = flags.takes_texts_literally();
  flags.Words("QUERY", &words_, 0, SIZE_MAX, "the query text; '-' reads it from stdin");
  ranking_.DeclareFilter(flags);
  ranking_.DeclareRetrievers(flags);
  DeclareCues(flags);
  ranking_.DeclareHops(flags);
  DeclareLexicalMode(flags, &lexical_mode_);
  DeclareNoExpand(flags, &no_expand_);
  DeclareEmbedding(flags, &embedding_text_);
  ranking_.DeclareRest(flags);
  sources_.Declare(flags);
}

Status SearchFlags::Read() {
  for (const std::string& word : words_) text_ += (text_.empty() ? "" : " ") + word;
  if (text_ == "-" && !literal_) {
    RECALL_ASSIGN(text_, ReadStandardInput("the query"));
  }
  text_ = std::string(Trim(text_));
  RECALL_ASSIGN(embedding_, ReadEmbedding(embedding_text_));
  if (words_.empty() && embedding_.empty()) return Status::InvalidArgument("QUERY is missing");
  if (text_.empty() && embedding_.empty()) {
    return Status::InvalidArgument("the query is empty", "specify a query");
  }
  RECALL_TRY(ranking_.Read());
  return sources_.Check(ranking_.scope().snapshot);
}

SearchRequest SearchFlags::MakeRequest(const CommandContext& context,
                                       const AskedView& asked) const {
  SearchRequest request = ranking_.MakeRequest(asked);
  request.check = sources_.CheckFor(context);
  request.text = text_;
  request.lexical_mode = LexicalModeFrom(lexical_mode_);
  request.expand_words = !no_expand_;
  request.ranking.embedding = embedding_;
  if (text_.empty()) request.mode = SearchMode::kSemantic;  // there is only the vector
  return request;
}

void PageFlags::Declare(FlagSet& flags, GlobalFlags& globals) {
  flags.Number("-k,--k", &k_, 1, INT32_MAX, "results (default: 8)");
  flags.AlsoSpelled("-n,--limit");
  flags.Number("--offset", &offset_, 0, INT32_MAX, "number of results to skip, for the next page");
  flags.Number("--snippet", &snippet_bytes_, 0, INT32_MAX,
               "size of excerpts in bytes; 0: none (default: 240, with --lean 140)");
  flags.Choice("--payload", &payload_, {"lean", "full"},
               "lean: which documents answer, about what; full: also the evidence");
  flags.Choice("--format", &format_, {"text", "json", "fzf"},
               "fzf: a line per result for fzf, a target of `get` first; json: as --json");
  results_.Declare(flags, globals, {.lean_fields = kLeanFields, .lean_by_environment = true});
  globals_ = &globals;
}

Status PageFlags::Check(const GlobalFlags& globals, bool explain) {
  if (!format_.empty() && globals.lean_from_environment) globals_->lean = false;
  if (format_ == "json") globals_->json = true;
  if (payload_ == kFullPayload && globals.lean_from_environment) globals_->lean = false;
  RECALL_TRY(results_.Check(globals, explain));
  const bool narrow = payload_ == kFullPayload && globals.lean;
  if (!payload_.empty() && (results_.named() || fzf() || narrow)) {
    const char* other = narrow ? "--lean" : fzf() ? "--format fzf" : "--fields";
    return Status::InvalidArgument("--payload " + payload_ + " and " + other +
                                   " cannot be combined");
  }
  const bool json = globals.mode() != OutputMode::kText;
  if (format_ == "json" || format_.empty() || (format_ == "text" && !json)) return {};
  if (json || results_.fields() || explain) {
    const char* other = explain ? "--explain" : json ? "JSON" : "--fields";
    return Status::InvalidArgument("--format " + format_ + " and " + other + " cannot be combined");
  }
  return {};
}

Status CheckLimit(const Config& config, int64_t k, std::string_view flag) {
  if (k <= config.max_limit) return {};
  return Status::InvalidArgument(std::string(flag) + " " + std::to_string(k) +
                                     " exceeds the limit of " + std::to_string(config.max_limit),
                                 "page with --offset, or raise max_limit in recall.toml");
}

Status PageFlags::Apply(const AskedView& asked, bool lean, SearchRequest* request,
                        int64_t default_k) const {
  const std::optional<int64_t> of_view = asked.view ? asked.view->k : std::nullopt;
  const int64_t k = k_ ? *k_ : of_view.value_or(default_k);
  RECALL_TRY(CheckLimit(asked.config, k));
  request->k = static_cast<size_t>(k);
  request->offset = static_cast<size_t>(offset_);
  const Payload payload = PayloadOf(asked.view);
  request->evidence = payload == Payload::kFull;
  const size_t default_snippet = payload == Payload::kLean ? kLeanSnippetCharacters
                                 : lean                    ? kLeanSnippetBytes
                                                           : kSnippetBytes;
  request->snippet_bytes = snippet_bytes_ ? static_cast<size_t>(*snippet_bytes_) : default_snippet;
  request->cite = payload == Payload::kLean ? results_.cites() : results_.cite();
  request->computed_fields = results_.computed();
  return {};
}

Payload PageFlags::PayloadOf(const View* view) const {
  std::string_view name = payload_;
  if (name.empty() && view && !results_.named() && !fzf()) {
    name = view->payload ? std::string_view(*view->payload) : kFullPayload;
  }
  if (name == kLeanPayload) return Payload::kLean;
  return name == kFullPayload ? Payload::kFull : Payload::kPlain;
}

void DeclareNoExpand(FlagSet& flags, bool* target) {
  flags.Switch("--no-expand", target, "search only for the words as they are typed");
}

void DeclareLexicalMode(FlagSet& flags, std::string* target) {
  flags.Choice("--lexical-mode", target, {"query", "fts5", "literal"},
               "query: \"phrases\", +must, -not, prefix*, OR; literal: plain text");
}

LexicalMode LexicalModeFrom(std::string_view name) {
  return name == "literal" ? LexicalMode::kLiteral : LexicalMode::kQuery;
}

void DeclareFusion(FlagSet& flags) {
  flags.Setting("--fusion", "fusion", "NAME",
                "default, legs, weighted, rrf, grouped, parts:words=.5:meaning=.3", FusionNames());
}

void DeclareStageList(FlagSet& flags) {
  flags.Setting("--stages", "stages", "NAME,...",
                "rerank the best hundred: mmr,recency:half-life=30d ('' for none)");
  const std::vector<std::string_view> stages = AllStageNames();
  flags.Suggest({stages.begin(), stages.end()});
}

void DeclareFieldWeights(FlagSet& flags) {
  flags.Setting("--field-weights", "field_weights", "NAME=X:...",
                "weights of words in notes: trigger=5:title=4:tags=3:body=1");
}

void DeclareCues(FlagSet& flags) {
  flags.Setting("--cues", "cues", "NAME=X:...",
                "weights of cues: definition=1:tests=0.5:imports=1, or none");
}

void DeclareMinScore(FlagSet& flags, std::optional<double>* target) {
  flags.Share("--min-score", target, "X", "omit results with a lower score, from 0 to 1");
}

double MinScoreOf(const std::optional<double>& flag, const View* view) {
  if (flag) return *flag;
  return view ? view->min_score.value_or(0) : 0;
}

void DeclareEmbedding(FlagSet& flags, std::optional<std::string>* target) {
  flags.Text("--embedding", target, "JSON",
             "the query vector as a JSON array, or @FILE (embedder given)");
}

Result<std::vector<float>> ReadEmbedding(const std::optional<std::string>& argument) {
  if (!argument) return std::vector<float>();
  RECALL_ASSIGN(const std::string json, ReadTextArgument(*argument, "--embedding"));
  return ParseQuestionEmbedding(json);
}

void DeclareSnippet(FlagSet& flags, int64_t* target, const char* help) {
  flags.Number("--snippet", target, 0, INT32_MAX, help);
}

uint32_t AskThreads(const Config& config) {
  const uint32_t cores = UsableCpus();
  if (!config.IsSet("threads")) return std::min(cores, 2u);
  return config.threads == 0 ? cores : static_cast<uint32_t>(config.threads);
}

}  // namespace recall
