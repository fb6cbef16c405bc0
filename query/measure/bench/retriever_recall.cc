// Measures how many of the nearest vectors the shortlist finds.
//
// Each text is searched twice by the vector retriever alone: as usual and with `exact`. The recall
// is the share of the best k of the exact result that the usual result contains. Vectors may tie,
// so a result counts if its cosine is at least that of the k-th exact result; identities of chunks
// are not compared.
//
// Cost: two vector searches for each text, in a child process.

#include "query/measure/bench/retriever_recall.h"

#include <algorithm>
#include <bit>

#include "query/database/database.h"
#include "query/measure/bench/measuring_child.h"
#include "query/measure/bench/wire.h"

namespace recall {
namespace {

constexpr size_t kFixedDepth = 10;

// Sums over the texts, computed in the child.
struct Sums {
  int64_t asked = 0;
  int64_t exact_already = 0;
  double at_10 = 0;
  double at_k = 0;
};

Status Compare(Database& database, SearchRequest search, size_t k, Sums* sums) {
  search.mode = SearchMode::kSemantic;
  search.k = std::max(k, kFixedDepth);
  search.explain = true;
  RECALL_ASSIGN(const SearchResponse found, database.Search(search));
  search.exact = true;
  RECALL_ASSIGN(const SearchResponse exact, database.Search(search));
  if (exact.hits.empty()) return Status::Ok();
  ++sums->asked;
  if (found.explain && found.explain->semantic_method == "exact") ++sums->exact_already;
  sums->at_10 += ShareFound(exact.hits, found.hits, kFixedDepth);
  sums->at_k += ShareFound(exact.hits, found.hits, k);
  return Status::Ok();
}

Result<std::string> CompareAll(const BenchRequest& request, const std::vector<std::string>& texts) {
  OpenOptions options = request.open;
  options.read_only = true;
  RECALL_ASSIGN(const auto database, Database::Open(request.store_path, options));
  Sums sums;
  for (const std::string& text : texts) {
    SearchRequest search = request.search;
    search.text = text;
    RECALL_TRY(Compare(*database, std::move(search), request.search.k, &sums));
  }
  WireWriter out;
  out.Put(sums.asked);
  out.Put(sums.exact_already);
  out.Put(std::bit_cast<int64_t>(sums.at_10));
  out.Put(std::bit_cast<int64_t>(sums.at_k));
  return out.Take();
}

// Returns: the cosine of the vectors. Scores of different searches are not compared, because they
// are relative to the results of each search.
double CosineOf(const SearchHit& hit) {
  return hit.explain ? hit.explain->semantic.value_or(0) : 0;
}

}  // namespace

double ShareFound(const std::vector<SearchHit>& exact, const std::vector<SearchHit>& found,
                  size_t k) {
  const size_t count = std::min(k, exact.size());
  if (count == 0) return 1;
  const double least = CosineOf(exact[count - 1]);
  const auto counts = std::ranges::count_if(
      found.begin(), found.begin() + static_cast<ptrdiff_t>(std::min(k, found.size())),
      [&](const SearchHit& hit) { return CosineOf(hit) >= least; });
  return static_cast<double>(counts) / static_cast<double>(count);
}

Result<BenchRecall> MeasureRetrieverRecall(const BenchRequest& request,
                                           const std::vector<std::string>& texts,
                                           const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto outcome,
                MeasuringChild::Run([&] { return CompareAll(request, texts); }, cancel));
  WireReader in(outcome.bytes);
  BenchRecall recall;
  recall.asked = in.Next();
  recall.exact_already = in.Next();
  const double at_10 = std::bit_cast<double>(in.Next());
  const double at_k = std::bit_cast<double>(in.Next());
  const auto asked = static_cast<double>(std::max<int64_t>(recall.asked, 1));
  recall.at_10 = at_10 / asked;
  recall.at_k = at_k / asked;
  recall.k = request.search.k;
  return recall;
}

}  // namespace recall
