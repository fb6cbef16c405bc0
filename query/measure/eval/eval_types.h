#pragma once

// What evaluation is asked and what it answers. query/measure/eval/evaluation.h is where to ask.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/types/search_types.h"
#include "query/types/store_types.h"

namespace recall {

// Says what is done now. Called from the calling thread.
using EvalProgressFn = std::function<void(std::string_view doing)>;

// All in [0, 1]; means over queries, or of one query.
struct RankQuality {
  double ndcg_at_10 = 0;
  double recall_at_100 = 0;
  double mrr_at_10 = 0;
};

// The retrievers of a search that are judged, in the order of all reports.
inline constexpr std::array<SearchMode, 3> kEvalRetrievers = {
    SearchMode::kLexical, SearchMode::kSemantic, SearchMode::kHybrid};
std::string_view EvalRetrieverName(SearchMode retriever);  // "lexical", "semantic", "hybrid"
// The last component of a directory's name.
std::string CollectionName(const std::string& directory);
using RetrieverQualities = std::array<RankQuality, kEvalRetrievers.size()>;

// A mean difference between two systems that answered the same questions.
struct PairedDifference {
  double difference = 0;
  // The 95 % interval of the paired bootstrap.
  double low = 0;
  double high = 0;
  double p = 1;  // two-sided: how likely so large a difference is where there is none
};

struct EvalRequest {
  std::vector<std::string> directories;
  CreateOptions settings;  // of the stores that are made
  // How every query is asked; text, k, offset and mode are the evaluation's.
  SearchRequest search;
  std::optional<std::string> per_query_path;  // a file to write each query's figures to
  // Of spans: the budgets of the contexts, each at least 1; what they are made of, and whether
  // their citations count.
  std::vector<int64_t> budgets = {200, 400, 800};
  ContextPieces pieces = ContextPieces::kPassages;
  bool citations = true;
};

// ---- Rankings ---------------------------------------------------------------------------------

// One collection, judged.
struct EvalCollection {
  std::string directory;  // as it was given
  std::string name;       // its last component
  int64_t documents = 0;
  int64_t chunks = 0;
  int64_t queries = 0;  // that have a relevant document
  RetrieverQualities retrievers;
  // Of nDCG@10, minus that of the lexical retriever.
  PairedDifference semantic;
  PairedDifference hybrid;

  // What was left out, and why.
  int64_t unjudged_queries = 0;          // no relevant document of the corpus
  int64_t judgements_without_query = 0;  // of a query that is not in queries.jsonl
  int64_t judgements_without_document = 0;
  int64_t documents_not_text = 0;  // that `add` skips

  struct Query {
    std::string id;
    RetrieverQualities retrievers;
  };
  std::vector<Query> per_query;
};

struct EvalReport {
  std::vector<EvalCollection> collections;
  // Over the collections, each counting the same.
  RetrieverQualities average;
  PairedDifference semantic;
  PairedDifference hybrid;
};

// ---- Spans ------------------------------------------------------------------------------------

// How well packed text covers the spans that answer a question, in tokens between white space. All
// in [0, 1]; means over questions, or of one.
struct SpanQuality {
  double token_recall = 0;  // share of the spans' tokens that are packed
  double precision = 0;     // share of the packed tokens that are the spans'
  double iou = 0;           // tokens of both, divided by tokens of either
};

// One set of questions, judged.
struct SpanSetResult {
  std::string directory;  // as it was given
  std::string name;       // its last component
  int64_t documents = 0;
  int64_t chunks = 0;
  int64_t windows = 0;  // of 256 tokens, that the documents are cut into for comparison
  int64_t questions = 0;
  int64_t questions_without_spans = 0;  // left out

  struct Budget {
    int64_t budget_tokens = 0;
    SpanQuality context;  // what `recall context` packs
    SpanQuality windows;  // the best windows, the last one cut to fit
    // Context minus windows.
    PairedDifference token_recall;
    PairedDifference precision;
  };
  std::vector<Budget> budgets;

  struct Question {
    std::string id;
    std::vector<SpanQuality> context;  // beside `budgets`
    std::vector<SpanQuality> windows;
  };
  std::vector<Question> per_question;
};

struct SpanReport {
  std::vector<SpanSetResult> sets;
};

}  // namespace recall
