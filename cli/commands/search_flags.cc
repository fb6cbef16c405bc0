#include "cli/commands/search_flags.h"

#include <algorithm>
#include <iostream>
#include <thread>

namespace recall {
namespace {

constexpr size_t kMaxQueryBytes = 1 << 20;

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

Result<std::string> ReadStdin() {
  std::string text(kMaxQueryBytes + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(std::cin.gcount()));
  if (text.size() > kMaxQueryBytes) {
    return Fail(Status::InvalidArgument("the query on standard input is longer than 1 MiB"));
  }
  return text;
}

const char* ModeName(SearchMode mode) {
  if (mode == SearchMode::kLexical) return "lexical";
  return mode == SearchMode::kSemantic ? "semantic" : "hybrid";
}

const char* LexicalModeName(LexicalMode mode) {
  return mode == LexicalMode::kLiteral ? "literal" : "query";
}

Json TermsJson(const std::vector<SearchExplain::Term>& terms) {
  Json json = Json::array();
  for (const SearchExplain::Term& term : terms) {
    json.push_back(
        {{"text", term.text}, {"occur", term.occur}, {"matches", term.matches}, {"idf", term.idf}});
  }
  return json;
}

}  // namespace

void SearchFlags::Declare(FlagSet& flags) {
  flags.Words("QUERY", &words_, 1, SIZE_MAX, "what to look for; '-' reads it from stdin");
  flags.Switch("--bm25", &bm25_, "rank by words only");
  flags.Switch("--vector", &vector_, "rank by meaning only (both or neither: hybrid)");
  flags.Choice("--lexical-mode", &lexical_mode_, {"query", "fts5", "literal"},
               "query: \"phrases\", +must, -not, prefix*, OR; literal: plain text");
  flags.Switch("--exact", &exact_, "score every vector instead of a shortlist");
  flags.Switch("--explain", &explain_, "say how each score came about, and how long it took");
  flags.Setting("--threads", "threads", "N", "threads; the answer is the same for any number");
}

Status SearchFlags::ReadQuery() {
  for (const std::string& word : words_) text_ += (text_.empty() ? "" : " ") + word;
  if (text_ == "-") {
    RECALL_ASSIGN(text_, ReadStdin());
  }
  text_ = std::string(Trim(text_));
  if (!text_.empty()) return {};
  return Status::InvalidArgument("the query is empty", "say what to look for");
}

SearchRequest SearchFlags::MakeRequest(const Config& config) const {
  SearchRequest request;
  request.text = text_;
  if (bm25_ != vector_) request.mode = bm25_ ? SearchMode::kLexical : SearchMode::kSemantic;
  if (lexical_mode_ == "literal") request.lexical_mode = LexicalMode::kLiteral;
  request.weights = {config.bm25_weight, config.vector_weight};
  request.exact = exact_;
  request.explain = explain_;
  if (config.IsSet("threads")) {
    const uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
    request.threads = config.threads == 0 ? cores : static_cast<uint32_t>(config.threads);
  }
  return request;
}

Json QueryJson(const SearchRequest& request, const Json& limit, const std::string& snapshot) {
  return {{"text", request.text},     {"rql", nullptr},
          {"filters", nullptr},       {"limit", limit},
          {"offset", request.offset}, {"lexical_mode", LexicalModeName(request.lexical_mode)},
          {"snapshot", snapshot},     {"mode", ModeName(request.mode)}};
}

Json ExplainJson(const SearchRequest& request, const SearchResponse& response,
                 const StatsReport& store, const Config& config) {
  const SearchExplain explain = response.explain.value_or(SearchExplain());
  return {{"mode", ModeName(request.mode)},
          {"candidates",
           {{"lexical", explain.lexical_candidates},
            {"semantic", explain.semantic_candidates},
            {"combined", explain.combined_candidates}}},
          {"cache", {{"embedding", "none"}, {"fts", "none"}, {"vec", "none"}}},
          {"resolved_config",
           {{"embedding", store.embedder},
            {"embedding_dim", store.dim},
            {"vector_index", request.exact ? "exact" : "signature"},
            {"bm25_weight", request.weights.lexical},
            {"vector_weight", request.weights.semantic},
            {"max_limit", config.max_limit},
            {"chunk_tokens", store.chunk_tokens},
            {"overlap_tokens", store.overlap_tokens},
            {"lexical_mode", LexicalModeName(request.lexical_mode)}}},
          {"lexical",
           {{"mode", LexicalModeName(request.lexical_mode)},
            {"original", request.text},
            {"sanitized_applied", false},
            {"terms", TermsJson(explain.terms)}}},
          {"semantic",
           {{"vectors_scanned", explain.vectors_scanned},
            {"vectors_reranked", explain.vectors_reranked}}},
          {"calibration", explain.calibration}};
}

}  // namespace recall
