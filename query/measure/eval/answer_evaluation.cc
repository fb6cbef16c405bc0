// Evaluates contexts by the strings that answer a question.
//
// A context answers a question if the answer is in it, wherever it stands. Three texts of the same
// budget are compared for each question:
//
//   context   what `recall context` prints, citations included
//   chunks    the same with whole chunks by rank (--pieces chunks)
//   windows   consecutive windows of 256 tokens of the same texts, ranked by the same search, by
//             rank, without citations, the last one cut
//
// The full texts of the best five and ten chunks show what a packer could reach, and the chunk of
// the first hit of a search what its snippet could show. Differences are tested by the paired
// bootstrap, and all shares have intervals, because a kind has few questions.
//
// Cost: two ingests of each corpus, and for each question one context and one context of chunks for
// each budget, two for the full chunks, and two searches.

#include <cstdio>
#include <map>
#include <utility>

#include "index/subword/token_estimate.h"
#include "query/measure/eval/answer_set.h"
#include "query/measure/eval/evaluation.h"
#include "query/measure/eval/paired_bootstrap.h"
#include "query/measure/eval/scratch_store.h"
#include "query/measure/eval/window_packing.h"
#include "storage/file_io/output_file.h"

namespace recall {
namespace {

using AskedQuestion = AnswerReport::Question;

constexpr int64_t kAllTokens = int64_t{1} << 30;
constexpr std::array<std::string_view, kAnswerPackings> kPackingNames = {"context", "chunks",
                                                                         "windows"};

// The windows of a corpus, and their texts.
class WindowTexts final {
 public:
  // Reads the texts of all documents of `database`, which an extractor may have made.
  static Result<WindowTexts> Index(Database& database, const CreateOptions& settings,
                                   const EvalProgressFn& progress,
                                   const std::atomic<bool>& cancel) {
    WindowTexts windows;
    windows.set_ = std::make_unique<SpanSet>();
    RECALL_ASSIGN(const QueryResponse list, database.List({}));
    for (const QueryRow& row : list.rows) {
      const DocView& doc = row.doc;
      GetRequest request;
      request.target = doc.path;
      RECALL_ASSIGN(GetResponse got, database.Get(request));
      DocumentTokens tokens(got.chunk.text);
      windows.set_->documents.push_back({doc.path, std::move(got.chunk.text), std::move(tokens)});
    }
    RECALL_ASSIGN(WindowPacking packing,
                  WindowPacking::Index(*windows.set_, settings, progress, cancel));
    windows.packing_ = std::make_unique<WindowPacking>(std::move(packing));
    return windows;
  }

  // Returns: for each budget the texts of the best windows, as many as fit, the last one cut after
  // a word.
  Result<std::vector<std::string>> Pack(const SearchRequest& search,
                                        const std::vector<int64_t>& budgets) {
    RECALL_ASSIGN(const auto ranked, packing_->Ranked(search));
    std::vector<std::string> packed;
    for (const int64_t budget : budgets) {
      std::string text;
      for (const WindowPacking::Window& window : ranked) {
        if (!AddWindow(window, budget, &text)) break;
      }
      packed.push_back(std::move(text));
    }
    return packed;
  }

  int64_t count() const { return packing_->windows(); }

 private:
  // Returns: false if not all of the window fits.
  bool AddWindow(const WindowPacking::Window& window, int64_t budget, std::string* text) const {
    const SpanSet::Document& document = set_->documents[window.document];
    const auto with = [&](uint64_t count) {
      const auto bytes = document.tokens.Bytes({window.tokens.begin, window.tokens.begin + count});
      return *text + (text->empty() ? "" : "\n\n") +
             document.text.substr(bytes.begin, bytes.end - bytes.begin);
    };
    const uint64_t all = window.tokens.end - window.tokens.begin;
    uint64_t fits = EstimateTokens(with(all)) <= budget ? all : 0;
    for (uint64_t past = all; past - fits > 1;) {
      const uint64_t middle = fits + (past - fits) / 2;
      (EstimateTokens(with(middle)) <= budget ? fits : past) = middle;
    }
    if (fits > 0) *text = with(fits);
    return fits == all;
  }

  std::unique_ptr<SpanSet> set_;  // the packing points to it
  std::unique_ptr<WindowPacking> packing_;
};

class AnswerEvaluation final {
 public:
  AnswerEvaluation(const EvalRequest& request, const EvalProgressFn& progress,
                   const std::atomic<bool>& cancel)
      : request_(request), progress_(progress), cancel_(cancel) {}

  Result<AnswerReport> Run() {
    RECALL_ASSIGN(set_, ReadAnswerSet(request_.answers_path, cancel_));
    RECALL_TRY(AssignCorpora());
    report_.questions.resize(set_.questions.size());
    for (const std::string& directory : request_.directories) RECALL_TRY(AskCorpus(directory));
    Summarise();
    return std::move(report_);
  }

 private:
  void Say(const std::string& name, std::string_view doing) const {
    if (progress_) progress_(name + ": " + std::string(doing));
  }

  // Every question needs the directory of its corpus.
  Status AssignCorpora() {
    std::map<std::string, int64_t> questions;
    for (const std::string& directory : request_.directories) {
      if (!questions.emplace(CollectionName(directory), 0).second) {
        return Status::InvalidArgument("two corpora have the name " + CollectionName(directory));
      }
    }
    for (AnswerSet::Question& question : set_.questions) {
      if (question.corpus.empty() && questions.size() == 1) {
        question.corpus = questions.begin()->first;
      }
      const auto found = questions.find(question.corpus);
      if (found == questions.end()) {
        return Status::InvalidArgument(
            "question " + question.id + ": no directory has the name '" + question.corpus + "'",
            "name the directory of each corpus: recall eval --answers FILE CORPUS...");
      }
      ++found->second;
    }
    return Status::Ok();
  }

  Status AskCorpus(const std::string& directory) {
    AnswerReport::Corpus corpus;
    corpus.directory = directory;
    corpus.name = CollectionName(directory);
    const EvalProgressFn say = [&](std::string_view doing) { Say(corpus.name, doing); };
    RECALL_ASSIGN(const auto store, ScratchStore::Create(request_.settings));
    RECALL_ASSIGN(const AddReport added,
                  store->IndexDirectory(directory, request_.extract, say, cancel_));
    (void)added;
    RECALL_ASSIGN(auto windows,
                  WindowTexts::Index(store->database(), request_.settings, say, cancel_));
    RECALL_ASSIGN(const StatsReport stats, store->database().Stats());
    corpus.documents = stats.store.docs;
    corpus.chunks = stats.store.chunks;
    corpus.windows = windows.count();
    for (size_t i = 0; i < set_.questions.size(); ++i) {
      if (set_.questions[i].corpus != corpus.name) continue;
      if (cancel_.load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
      Say(corpus.name, "asked " + std::to_string(corpus.questions++) + " questions");
      auto asked = Ask(set_.questions[i], store->database(), windows);
      if (!asked) return asked.error().WithContext("question " + set_.questions[i].id);
      report_.questions[i] = std::move(*asked);
    }
    report_.corpora.push_back(std::move(corpus));
    return Status::Ok();
  }

  Result<AskedQuestion> Ask(const AnswerSet::Question& question, Database& database,
                            WindowTexts& windows) const {
    AskedQuestion asked{question.id, question.kind, question.corpus, {}};
    ContextRequest request;
    request.search = request_.search;
    request.search.text = question.text;
    request.citations = request_.citations;
    const auto contains = [&](const std::string& text) {
      return ContainsAnswers(WithSingleSpaces(text), question);
    };
    RECALL_ASSIGN(const auto window_texts, windows.Pack(request.search, request_.budgets));
    for (size_t i = 0; i < request_.budgets.size(); ++i) {
      request.budget_tokens = request_.budgets[i];
      request.pieces = request_.pieces;
      RECALL_ASSIGN(const ContextResponse context, database.Context(request));
      request.pieces = ContextPieces::kChunks;
      RECALL_ASSIGN(const ContextResponse chunks, database.Context(request));
      asked.contained.push_back(
          {contains(context.text), contains(chunks.text), contains(window_texts[i])});
    }
    SearchRequest search = request.search;
    search.k = 1;
    search.snippet_bytes = kAnswerSnippetBytes;
    RECALL_ASSIGN(const SearchResponse first, database.Search(search));
    for (const SearchHit& hit : first.hits) {
      asked.in_first_chunk = contains(hit.chunk.text);
      asked.in_first_snippet = contains(hit.snippet->text);
    }
    request.budget_tokens = kAllTokens;
    request.most_chunks = 5;
    RECALL_ASSIGN(const ContextResponse five, database.Context(request));
    asked.in_five_chunks = contains(five.text);
    request.most_chunks = 10;
    RECALL_ASSIGN(const ContextResponse ten, database.Context(request));
    asked.in_ten_chunks = contains(ten.text);
    return asked;
  }

  // The shares of the questions of a kind, or of all.
  AnswerShares SharesOf(size_t budget, const std::string* kind) const {
    AnswerShares shares;
    for (size_t packing = 0; packing < kAnswerPackings; ++packing) {
      std::vector<std::vector<double>> values(1);
      for (const AskedQuestion& question : report_.questions) {
        if (kind && question.kind != *kind) continue;
        values[0].push_back(question.contained[budget][packing] ? 1 : 0);
      }
      shares.questions = static_cast<int64_t>(values[0].size());
      const PairedDifference mean = PairedBootstrap(values);  // the difference from 0
      shares.contained[packing] = mean.difference;
      shares.intervals[packing] = {mean.low, mean.high};
    }
    return shares;
  }

  PairedDifference Against(size_t budget, AnswerPacking other) const {
    std::vector<std::vector<double>> differences(1);
    for (const AskedQuestion& question : report_.questions) {
      const auto& contained = question.contained[budget];
      const double context = contained[static_cast<size_t>(AnswerPacking::kContext)] ? 1 : 0;
      differences[0].push_back(context - (contained[static_cast<size_t>(other)] ? 1 : 0));
    }
    return PairedBootstrap(differences);
  }

  void Summarise() {
    const auto share = 1 / static_cast<double>(report_.questions.size());
    std::map<std::string, int64_t> kinds;
    for (const AskedQuestion& question : report_.questions) {
      ++kinds[question.kind];
      report_.in_five_chunks += question.in_five_chunks ? share : 0;
      report_.in_ten_chunks += question.in_ten_chunks ? share : 0;
      report_.in_first_chunk += question.in_first_chunk ? share : 0;
      report_.in_first_snippet += question.in_first_snippet ? share : 0;
    }
    for (size_t i = 0; i < request_.budgets.size(); ++i) {
      AnswerReport::Budget budget;
      budget.budget_tokens = request_.budgets[i];
      budget.all = SharesOf(i, nullptr);
      for (const auto& [kind, count] : kinds) budget.kinds.emplace_back(kind, SharesOf(i, &kind));
      budget.chunks = Against(i, AnswerPacking::kChunks);
      budget.windows = Against(i, AnswerPacking::kWindows);
      report_.budgets.push_back(std::move(budget));
    }
  }

  const EvalRequest& request_;
  const EvalProgressFn& progress_;
  const std::atomic<bool>& cancel_;
  AnswerSet set_;
  AnswerReport report_;
};

// Writes a tab-separated line for each question, budget and packing.
Status WriteAnswers(const AnswerReport& report, const std::string& path,
                    const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto file, OutputFile::Create(path, &cancel));
  RECALL_TRY(file->Write("corpus\tquestion\tkind\tbudget\tpacking\tcontained\n"));
  for (const AskedQuestion& question : report.questions) {
    const std::string about = question.corpus + "\t" + question.id + "\t" + question.kind + "\t";
    for (size_t i = 0; i < report.budgets.size(); ++i) {
      for (size_t packing = 0; packing < kAnswerPackings; ++packing) {
        RECALL_TRY(file->Write(about + std::to_string(report.budgets[i].budget_tokens) + "\t" +
                               std::string(kPackingNames[packing]) +
                               (question.contained[i][packing] ? "\t1\n" : "\t0\n")));
      }
    }
    RECALL_TRY(file->Write(about + "0\tfive\t" + (question.in_five_chunks ? "1\n" : "0\n")));
    RECALL_TRY(file->Write(about + "0\tten\t" + (question.in_ten_chunks ? "1\n" : "0\n")));
    RECALL_TRY(file->Write(about + "0\tfirst\t" + (question.in_first_chunk ? "1\n" : "0\n")));
    RECALL_TRY(file->Write(about + "0\tsnippet\t" + (question.in_first_snippet ? "1\n" : "0\n")));
  }
  return file->Finish();
}

}  // namespace

Result<AnswerReport> EvaluateAnswers(const EvalRequest& request, const EvalProgressFn& progress,
                                     const std::atomic<bool>& cancel) {
  if (request.directories.empty() || request.budgets.empty()) {
    return Fail(Status::InvalidArgument("no corpus or no budget to evaluate"));
  }
  RECALL_ASSIGN(AnswerReport report, AnswerEvaluation(request, progress, cancel).Run());
  if (request.per_query_path) RECALL_TRY(WriteAnswers(report, *request.per_query_path, cancel));
  return report;
}

}  // namespace recall
