#pragma once

// Requests and reports of evaluation. query/measure/eval/evaluation.h contains the functions.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/types/context_types.h"
#include "query/types/extract_settings.h"
#include "query/types/open_types.h"
#include "query/types/search_types.h"

namespace recall {

// Receives a description of the current step. Called on the calling thread.
using EvalProgressFn = std::function<void(std::string_view doing)>;

// The quality of one ranking, or means over queries. All values are in [0, 1].
struct RankQuality {
  double ndcg_at_10 = 0;
  double recall_at_100 = 0;
  double mrr_at_10 = 0;
};

// The evaluated search modes, in the order of all reports.
inline constexpr std::array<SearchMode, 3> kEvalRetrievers = {
    SearchMode::kLexical, SearchMode::kSemantic, SearchMode::kHybrid};
std::string_view EvalRetrieverName(SearchMode retriever);  // "lexical", "semantic", "hybrid"
// The last component of the path `directory`.
std::string CollectionName(const std::string& directory);
using RetrieverQualities = std::array<RankQuality, kEvalRetrievers.size()>;

// The mean difference between two systems that answered the same queries.
struct PairedDifference {
  double difference = 0;
  // The 95 % confidence interval of the paired bootstrap.
  double low = 0;
  double high = 0;
  double p = 1;  // two-sided p-value of the hypothesis that there is no difference
};

// The 95 % confidence interval of a mean over queries, by the bootstrap.
struct MeanInterval {
  double low = 0;
  double high = 0;
};
using RetrieverIntervals = std::array<MeanInterval, kEvalRetrievers.size()>;

struct EvalRequest {
  std::vector<std::string> directories;
  CreateOptions settings;  // settings of the temporary stores
  // The options of every query; the evaluation sets text, k, offset and mode.
  SearchRequest search;
  std::optional<std::string> per_query_path;  // a file for the results of each query
  // For spans: the budgets of the contexts, each at least 1; the kind of pieces; whether citations
  // count.
  std::vector<int64_t> budgets = {200, 400, 800};
  ContextPieces pieces = ContextPieces::kPassages;
  bool citations = true;
  std::string answers_path;  // for answers: the file of questions
  ExtractSettings extract;   // for answers: how the files of a corpus are extracted
};

// ---- Rankings ---------------------------------------------------------------------------------

// The results for one collection.
struct EvalCollection {
  std::string directory;  // as in the request
  std::string name;       // its last component
  int64_t documents = 0;
  int64_t chunks = 0;
  int64_t queries = 0;  // queries with a relevant document
  RetrieverQualities retrievers;
  RetrieverIntervals ndcg_intervals;  // of nDCG@10
  // Differences in nDCG@10 from the lexical retriever.
  PairedDifference semantic;
  PairedDifference hybrid;

  // Ignored parts of the collection.
  int64_t unjudged_queries = 0;          // queries without a relevant document in the corpus
  int64_t judgements_without_query = 0;  // judgements of a query that is not in queries.jsonl
  int64_t judgements_without_document = 0;
  int64_t documents_not_text = 0;  // documents that `add` skips

  struct Query {
    std::string id;
    RetrieverQualities retrievers;
  };
  std::vector<Query> per_query;
};

struct EvalReport {
  std::vector<EvalCollection> collections;
  // Means over the collections, each with the same weight.
  RetrieverQualities average;
  RetrieverIntervals ndcg_intervals;
  PairedDifference semantic;
  PairedDifference hybrid;
};

// ---- Spans ------------------------------------------------------------------------------------

// How well packed text covers the spans that answer a question, in tokens separated by white space.
// Values for one question, or means over questions. All are in [0, 1].
struct SpanQuality {
  double token_recall = 0;  // share of the tokens of the spans that are packed
  double precision = 0;     // share of the packed tokens that belong to the spans
  double iou = 0;           // intersection over union of both sets of tokens
};

// The results for one set of questions.
struct SpanSetResult {
  std::string directory;  // as in the request
  std::string name;       // its last component
  int64_t documents = 0;
  int64_t chunks = 0;
  int64_t windows = 0;  // number of windows of 256 tokens of the baseline
  int64_t questions = 0;
  int64_t questions_without_spans = 0;  // ignored questions

  struct Budget {
    int64_t budget_tokens = 0;
    SpanQuality context;  // the text that `recall context` packs
    SpanQuality windows;  // the best windows, the last one cut to fit
    // Differences, context minus windows.
    PairedDifference token_recall;
    PairedDifference precision;
    struct Intervals {
      MeanInterval token_recall;
      MeanInterval precision;
    };
    Intervals context_intervals;
    Intervals windows_intervals;
  };
  std::vector<Budget> budgets;

  struct Question {
    std::string id;
    std::vector<SpanQuality> context;  // parallel to `budgets`
    std::vector<SpanQuality> windows;
  };
  std::vector<Question> per_question;
};

struct SpanReport {
  std::vector<SpanSetResult> sets;
};

// ---- Answers ----------------------------------------------------------------------------------

// The texts that are searched for the answers of a question.
enum class AnswerPacking : uint8_t {
  kContext,  // what `recall context` prints
  kChunks,   // whole chunks by rank, as many as fit
  kWindows,  // windows of 256 tokens by rank, as many as fit
};
inline constexpr size_t kAnswerPackings = 3;
// The size of the snippets of `recall search`.
inline constexpr size_t kAnswerSnippetBytes = 240;

// How many of a group of questions have all their answers in the packed text, at one budget.
struct AnswerShares {
  int64_t questions = 0;
  std::array<double, kAnswerPackings> contained = {};  // shares, by AnswerPacking
  std::array<MeanInterval, kAnswerPackings> intervals;
};

struct AnswerReport {
  struct Corpus {
    std::string name;
    std::string directory;  // as in the request
    int64_t documents = 0;
    int64_t chunks = 0;
    int64_t windows = 0;
    int64_t questions = 0;
  };
  std::vector<Corpus> corpora;

  struct Budget {
    int64_t budget_tokens = 0;
    AnswerShares all;
    std::vector<std::pair<std::string, AnswerShares>> kinds;  // by name
    PairedDifference chunks;                                  // context minus chunks
    PairedDifference windows;                                 // context minus windows
  };
  std::vector<Budget> budgets;
  // Shares of the questions whose answers are in the full texts of the best chunks.
  double in_five_chunks = 0;
  double in_ten_chunks = 0;
  // The same of the chunk of the first hit of a search, and of its snippet of kAnswerSnippetBytes.
  double in_first_chunk = 0;
  double in_first_snippet = 0;

  struct Question {
    std::string id;
    std::string kind;
    std::string corpus;
    std::vector<std::array<bool, kAnswerPackings>> contained;  // parallel to `budgets`
    bool in_five_chunks = false;
    bool in_ten_chunks = false;
    bool in_first_chunk = false;
    bool in_first_snippet = false;
  };
  std::vector<Question> questions;  // in the order of the file
};

}  // namespace recall
