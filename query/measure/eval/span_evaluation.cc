// Evaluates contexts by the spans that answer a question.
//
// The documents are indexed twice: as `add` would, and in fixed windows (window_packing.h). For
// each question and budget, the tokens that `context` packs and those of the best windows are
// compared with the tokens of the answer spans (span_judging.h). The differences are tested by the
// paired bootstrap.
//
// Cost: two ingests of the documents, and one context for each question and budget.

#include <cstdio>
#include <unordered_map>
#include <utility>

#include "query/measure/eval/evaluation.h"
#include "query/measure/eval/paired_bootstrap.h"
#include "query/measure/eval/span_judging.h"
#include "query/measure/eval/span_set.h"
#include "query/measure/eval/window_packing.h"
#include "storage/file_io/output_file.h"

namespace recall {
namespace {

using Question = SpanSetResult::Question;

// The intervals of the means over the questions, at one budget.
SpanSetResult::Budget::Intervals IntervalsOf(
    const std::vector<SpanSetResult::Question>& questions,
    std::vector<SpanQuality> SpanSetResult::Question::*packing, size_t budget) {
  const auto interval = [&](double SpanQuality::*value) {
    std::vector<std::vector<double>> values(1);
    for (const SpanSetResult::Question& question : questions) {
      values[0].push_back((question.*packing)[budget].*value);
    }
    const PairedDifference mean = PairedBootstrap(values);  // the difference from 0
    return MeanInterval{mean.low, mean.high};
  };
  return {interval(&SpanQuality::token_recall), interval(&SpanQuality::precision)};
}

void AddShare(const SpanQuality& from, double share, SpanQuality* to) {
  to->token_recall += from.token_recall * share;
  to->precision += from.precision * share;
  to->iou += from.iou * share;
}

// Indexes the documents like `add`, and packs contexts like `context`.
class ContextPacking final {
 public:
  static Result<ContextPacking> Index(const SpanSet& set, const CreateOptions& settings,
                                      const EvalProgressFn& progress,
                                      const std::atomic<bool>& cancel) {
    ContextPacking packing(set);
    RECALL_ASSIGN(packing.store_, ScratchStore::Create(settings));
    for (uint32_t i = 0; i < set.documents.size(); ++i) {
      RECALL_TRY(packing.store_->Write(set.documents[i].name, set.documents[i].text));
      packing.numbers_.emplace(ScratchStore::StoredPath(set.documents[i].name), i);
    }
    RECALL_ASSIGN(const AddReport report, packing.store_->Index(progress, cancel));
    if (report.failed > 0 || report.skipped > 0) {
      return Fail(Status::InvalidArgument(
          "a document is not text: " +
          (report.skips.empty() ? report.warnings.front() : report.skips.front().text)));
    }
    return packing;
  }

  Result<TokenSet> Pack(const ContextRequest& request) {
    RECALL_ASSIGN(const ContextResponse context, store_->database().Context(request));
    TokenSet packed;
    for (const ContextPiece& piece : context.pieces) {
      const uint32_t number = numbers_.at(piece.doc.path);
      packed.Add(number, set_.documents[number].tokens.Touched(
                             {piece.chunk.start_byte, piece.chunk.end_byte}));
    }
    return packed;
  }

  Result<StatsReport> Stats() { return store_->database().Stats(); }

 private:
  explicit ContextPacking(const SpanSet& set) : set_(set) {}

  const SpanSet& set_;
  std::unique_ptr<ScratchStore> store_;
  std::unordered_map<std::string, uint32_t> numbers_;  // document numbers by path
};

class SpanEvaluation final {
 public:
  SpanEvaluation(const EvalRequest& request, const EvalProgressFn& progress,
                 const std::atomic<bool>& cancel)
      : request_(request), progress_(progress), cancel_(cancel) {}

  Result<SpanSetResult> Evaluate(const std::string& directory) {
    SpanSetResult result;
    result.directory = directory;
    result.name = CollectionName(directory);
    RECALL_ASSIGN(const SpanSet set, ReadSpanSet(directory, cancel_));
    const EvalProgressFn say = [&](std::string_view doing) { Say(result.name, doing); };
    RECALL_ASSIGN(auto context, ContextPacking::Index(set, request_.settings, say, cancel_));
    RECALL_ASSIGN(auto windows, WindowPacking::Index(set, request_.settings, say, cancel_));
    RECALL_ASSIGN(const StatsReport stats, context.Stats());
    result.documents = stats.store.docs;
    result.chunks = stats.store.chunks;
    result.windows = windows.windows();
    result.questions = static_cast<int64_t>(set.questions.size());
    result.questions_without_spans = set.questions_without_spans;
    for (const SpanSet::Question& question : set.questions) {
      if (cancel_.load(std::memory_order_relaxed)) return Fail(Status::Cancelled("interrupted"));
      Say(result.name, "searched " + std::to_string(result.per_question.size()) + " of " +
                           std::to_string(set.questions.size()) + " questions");
      auto asked = Ask(question, context, windows);
      if (!asked) return Fail(asked.error().WithContext("question " + question.id));
      result.per_question.push_back(std::move(*asked));
    }
    Summarise(&result);
    return result;
  }

 private:
  void Say(const std::string& name, std::string_view doing) const {
    if (progress_) progress_(name + ": " + std::string(doing));
  }

  Result<Question> Ask(const SpanSet::Question& question, ContextPacking& context,
                       WindowPacking& windows) const {
    TokenSet spans;
    for (const auto& span : question.spans) spans.Add(question.document, span);
    Question asked{question.id, {}, {}};
    ContextRequest request;
    request.search = request_.search;
    request.search.text = question.text;
    request.pieces = request_.pieces;
    request.citations = request_.citations;
    request.token_counter = kWordsCounter;  // as in the windows and spans
    for (const int64_t budget : request_.budgets) {
      request.budget_tokens = budget;
      RECALL_ASSIGN(const TokenSet packed, context.Pack(request));
      asked.context.push_back(JudgePacked(packed, spans));
    }
    RECALL_ASSIGN(const auto packed, windows.Pack(request.search, request_.budgets));
    for (const TokenSet& tokens : packed) asked.windows.push_back(JudgePacked(tokens, spans));
    return asked;
  }

  void Summarise(SpanSetResult* result) const {
    const double share = 1 / static_cast<double>(result->per_question.size());
    for (size_t i = 0; i < request_.budgets.size(); ++i) {
      SpanSetResult::Budget budget;
      budget.budget_tokens = request_.budgets[i];
      std::vector<std::vector<double>> recalls(1), precisions(1);
      for (const Question& question : result->per_question) {
        AddShare(question.context[i], share, &budget.context);
        AddShare(question.windows[i], share, &budget.windows);
        recalls[0].push_back(question.context[i].token_recall - question.windows[i].token_recall);
        precisions[0].push_back(question.context[i].precision - question.windows[i].precision);
      }
      budget.token_recall = PairedBootstrap(recalls);
      budget.precision = PairedBootstrap(precisions);
      budget.context_intervals = IntervalsOf(result->per_question, &Question::context, i);
      budget.windows_intervals = IntervalsOf(result->per_question, &Question::windows, i);
      result->budgets.push_back(budget);
    }
  }

  const EvalRequest& request_;
  const EvalProgressFn& progress_;
  const std::atomic<bool>& cancel_;
};

std::string QuestionLine(const SpanSetResult& set, const Question& question, int64_t budget,
                         const char* packing, const SpanQuality& quality) {
  char figures[64];
  std::snprintf(figures, sizeof(figures), "\t%.6f\t%.6f\t%.6f\n", quality.token_recall,
                quality.precision, quality.iou);
  return set.name + "\t" + question.id + "\t" + std::to_string(budget) + "\t" + packing + figures;
}

Status WritePerQuestion(const SpanReport& report, const std::string& path,
                        const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto file, OutputFile::Create(path, &cancel));
  RECALL_TRY(file->Write("collection\tquestion\tbudget\tpacking\ttoken_recall\tprecision\tiou\n"));
  for (const SpanSetResult& set : report.sets) {
    for (const Question& question : set.per_question) {
      for (size_t i = 0; i < set.budgets.size(); ++i) {
        const int64_t budget = set.budgets[i].budget_tokens;
        RECALL_TRY(
            file->Write(QuestionLine(set, question, budget, "context", question.context[i]) +
                        QuestionLine(set, question, budget, "windows", question.windows[i])));
      }
    }
  }
  return file->Finish();
}

}  // namespace

Result<SpanReport> EvaluateSpans(const EvalRequest& request, const EvalProgressFn& progress,
                                 const std::atomic<bool>& cancel) {
  if (request.directories.empty() || request.budgets.empty()) {
    return Fail(Status::InvalidArgument("no collection or no budget to evaluate"));
  }
  SpanReport report;
  SpanEvaluation evaluation(request, progress, cancel);
  for (const std::string& directory : request.directories) {
    RECALL_ASSIGN(SpanSetResult result, evaluation.Evaluate(directory));
    report.sets.push_back(std::move(result));
  }
  if (request.per_query_path) RECALL_TRY(WritePerQuestion(report, *request.per_query_path, cancel));
  return report;
}

}  // namespace recall
