#include "query/measure/bench/store_survey.h"

#include <utility>

#include "index/write/local/local_snapshot.h"
#include "index/write/training/space_fill.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/views.h"
#include "query/database/database.h"
#include "query/measure/bench/measuring_child.h"
#include "query/measure/bench/sampled_texts.h"
#include "query/measure/bench/wire.h"

namespace recall {
namespace {

// Changes the seed, so that the sampled chunks differ from those of the questions.
constexpr uint64_t kChunkSeed = 0x9E3779B97F4A7C15;

void PutTexts(const std::vector<std::string>& texts, WireWriter* out) {
  out->Put(static_cast<int64_t>(texts.size()));
  for (const std::string& text : texts) out->PutText(text);
}

std::vector<std::string> NextTexts(WireReader* in) {
  std::vector<std::string> texts;
  for (int64_t left = in->Next(); left > 0 && in->ok(); --left) texts.push_back(in->NextText());
  return texts;
}

Status NothingToAsk(const std::string& what) {
  return Status::NotFound(
      "there is nothing to query: " + what,
      "add documents with `recall add`, or specify queries with --queries FILE");
}

// Returns: the chunks from which texts are sampled.
Result<Bitmap> ChunksToSample(const ReadTransaction& transaction, const Store& store,
                              const Scope& scope) {
  if (transaction.counts().chunks <= 0) return Fail(NothingToAsk("the store is empty"));
  const StoreSummary summary = Summarize(transaction, store);
  RECALL_ASSIGN(
      const ResolvedScope resolved,
      ResolveScope(LocalFilterSets(transaction), scope, summary.snapshot, FilterDomain::kChunks));
  if (!resolved.set) return LiveChunks(transaction);
  if (resolved.set->Empty()) return Fail(NothingToAsk("no chunk satisfies the filter"));
  return *resolved.set;
}

Result<std::string> Read(const BenchRequest& request, bool with_questions) {
  OpenOptions options = request.open;
  options.read_only = true;
  // Errors that would affect every query are reported before texts are sampled.
  RECALL_ASSIGN(const auto database, Database::Open(request.store_path, options));
  RECALL_ASSIGN(const StatsReport stats, database->Stats());
  WireWriter out;
  for (const int64_t fact : {stats.store.docs, stats.store.chunks, stats.store.tokens,
                             stats.store.bytes, stats.store.db_size_bytes.value_or(0)}) {
    out.Put(fact);
  }
  out.PutText(stats.store.snapshot);
  out.PutText(stats.embedder);
  std::vector<std::string> questions;
  std::vector<std::string> chunks;
  if (with_questions || request.recall) {
    RECALL_ASSIGN(const auto store,
                  Store::Open(request.store_path,
                              {.read_only = true, .busy_timeout_ms = options.busy_timeout_ms}));
    RECALL_ASSIGN(const auto transaction, store->BeginRead());
    RECALL_ASSIGN(const Bitmap from, ChunksToSample(*transaction, *store, request.search.scope));
    if (with_questions && request.questions_file.empty()) {
      RECALL_ASSIGN(questions, SampleQuestions(*transaction, from, request.samples, request.seed));
      if (questions.empty()) return Fail(NothingToAsk("the store's texts have no words"));
    }
    if (request.recall) {
      const uint64_t seed = request.seed ^ kChunkSeed;
      RECALL_ASSIGN(chunks, SampleChunks(*transaction, from, request.samples, seed));
    }
  }
  PutTexts(questions, &out);
  PutTexts(chunks, &out);
  return out.Take();
}

}  // namespace

Result<StoreSurvey> SurveyStore(const BenchRequest& request, bool with_questions,
                                const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto outcome,
                MeasuringChild::Run([&] { return Read(request, with_questions); }, cancel));
  WireReader in(outcome.bytes);
  StoreSurvey survey;
  for (int64_t* fact : {&survey.store.docs, &survey.store.chunks, &survey.store.tokens,
                        &survey.store.bytes, &survey.store.db_size_bytes.emplace()}) {
    *fact = in.Next();
  }
  survey.store.snapshot = in.NextText();
  survey.embedder = in.NextText();
  survey.questions = NextTexts(&in);
  survey.chunks = NextTexts(&in);
  return survey;
}

}  // namespace recall
