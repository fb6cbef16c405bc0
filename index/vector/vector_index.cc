#include "index/vector/vector_index.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "index/vector/vector_scan.h"
#include "storage/base/check.h"
#include "storage/base/fixed_tasks.h"

namespace recall {
namespace {

constexpr uint32_t kSliceVectors = 8192;
constexpr uint64_t kLeastDepth = 1000;
constexpr uint64_t kMostDepth = 2000;
constexpr uint64_t kVectorsPerDepth = 10'000;
// Times the depth: what the first candidates' cosines may ask for, and what the first scan keeps
// in case they do. To keep all that may be asked for would slow every question down; so the few
// that ask for more than is kept scan the signatures again.
constexpr size_t kDeepest = 16;
constexpr size_t kKept = 4;
constexpr size_t kNearest = 10;  // whose cosines decide how deep
// Scoring a vector in full, in a process that looks at its page for the first time, takes as long
// as so many signatures.
constexpr uint64_t kSignaturesPerRow = 250;

// What one search looks at.
struct ScanPlan {
  std::vector<ScanSegment> segments;     // those with something selected
  std::vector<const ChunkVector*> tail;  // what passes the filter, and is in no segment yet
  uint32_t tail_position = 0;            // of its first vector
  uint64_t selected = 0;                 // vectors that pass the filter
  size_t depth = 0;                      // of the shortlist: scored in full in any case
  size_t most = 0;                       // and at most
  bool exact = false;                    // no shortlist, everything is scored in full
};

// Whether scoring every selected vector takes no longer than the signatures of the whole store and
// the rerank of a shortlist, in units of the time that a byte of a long array takes to read. A
// scattered row takes as long as 1000 bytes and 1.75 for each of its own. Measured on 1,000,000
// vectors with cold caches: 60 ns a row of 64 dimensions, 60 to 70 of 256, 150 of 1024, against
// 0.5, 1.5 and 6 ns a vector for the signatures. Scattered rows and signatures took the same time
// at 0.8 % of a store of 64 dimensions, 2.0 % of 128, 2.5 % of 256, 4.5 % of 512 and 1024; the
// formula says 0.7, 1.3, 2.2, 3.4 and 4.6 %. Rows side by side cost less than scattered ones, so
// filters by document and ranges of this size are exact in half the time and less.
bool ScoringIsCheaper(uint64_t selected, uint64_t vectors, size_t depth, uint64_t dim) {
  const uint64_t row = 1000 + dim * 7 / 4;
  return selected <= depth || (selected - depth) * row <= vectors * dim / 8;
}

std::vector<const ChunkVector*> SelectFromTail(std::span<const ChunkVector> tail,
                                               const ChunkFilter& filter) {
  std::vector<const ChunkVector*> selected;
  for (auto vector = tail.begin(); vector != tail.end();) {
    const uint32_t first = vector->chunk;
    const uint32_t last = std::min(tail.back().chunk, first | (ChunkWindow::kChunks - 1));
    const ChunkWindow passing(filter, 0, first, last);
    for (; vector != tail.end() && vector->chunk <= last; ++vector) {
      if (passing.Has(vector->chunk)) selected.push_back(&*vector);
    }
  }
  return selected;
}

// What is scored in full, and what is left out, depends on the question, the vectors that pass and
// the size of the store: not on which segments hold them, or answers would change with a merge.
Result<ScanPlan> MakePlan(const ChunkColumns& columns, const ChunkFilter& filter,
                          const VectorSearchOptions& options) {
  ScanPlan plan;
  uint64_t vectors = columns.tail().size();
  for (const ChunkColumns::Segment& segment : columns.segments()) {
    VectorSelection selection(segment, filter);
    vectors += segment.vectors;
    plan.selected += selection.count();
    if (selection.count() > 0) plan.segments.push_back({&segment, {}, std::move(selection)});
  }
  plan.tail_position = static_cast<uint32_t>(vectors - columns.tail().size());
  plan.tail = SelectFromTail(columns.tail(), filter);
  plan.selected += plan.tail.size();
  if (options.store_vectors != 0) vectors = options.store_vectors;
  plan.depth = options.depth != 0 ? options.depth : ShortlistDepth(vectors);
  plan.most = std::max(plan.depth, options.most != 0 ? options.most : plan.depth * kDeepest);
  plan.exact = options.exact || options.k > plan.depth ||
               ScoringIsCheaper(plan.selected, vectors, plan.depth, columns.space().padded_dim());
  for (ScanSegment& of : plan.segments) {
    RECALL_ASSIGN(of.sections, OpenVectors(*of.segment, columns.space(), !plan.exact));
  }
  return plan;
}

std::vector<ScanSlice> MakeSlices(const ScanPlan& plan) {
  std::vector<ScanSlice> slices;
  for (const ScanSegment& of : plan.segments) {
    for (uint32_t first = 0; first < of.segment->vectors; first += kSliceVectors) {
      slices.push_back({&of, first, std::min(of.segment->vectors, first + kSliceVectors)});
    }
  }
  return slices;
}

// Calls scan(begin, end, &best) for contiguous parts of items 0 .. items - 1, each thread with a
// copy of `best`, which comes empty, and merges these in their order: the same set for any split.
// vectors: how much work it is, in signatures. Returns: the first error of a part.
template <typename Best, typename Scan>
Status ScanInParts(size_t items, uint64_t vectors, const VectorSearchOptions& options, Best* best,
                   Scan scan) {
  const uint64_t worth = vectors / std::max<uint64_t>(options.vectors_per_thread, 1);
  const size_t threads = std::clamp<uint64_t>(worth, 1, std::clamp<size_t>(options.threads, 1, 64));
  std::vector<Best> parts(threads, *best);
  std::vector<Status> ends(threads);
  RunFixedTasks(static_cast<uint32_t>(threads), threads, nullptr, [&](size_t part) {
    ends[part] = scan(items * part / threads, items * (part + 1) / threads, &parts[part]);
  });
  for (const Status& end : ends) RECALL_TRY(end);
  *best = std::move(parts[0]);
  for (size_t part = 1; part < threads; ++part) best->Merge(parts[part]);
  return Status::Ok();
}

// Scans all slices, each thread by ascending position.
template <typename Best, typename Scan>
Status ScanSlices(const ScanPlan& plan, const VectorSearchOptions& options, Best* best, Scan scan) {
  const std::vector<ScanSlice> slices = MakeSlices(plan);
  return ScanInParts(slices.size(), plan.selected, options, best,
                     [&](size_t begin, size_t end, Best* part) -> Status {
                       for (size_t i = begin; i < end; ++i) RECALL_TRY(scan(slices[i], part));
                       return Status::Ok();
                     });
}

// Scores candidates in full. Requires: positions ascending.
Status ScorePositions(const ScanPlan& plan, std::span<const uint32_t> positions,
                      const VectorQuery& query, TopK<float>* best) {
  std::vector<uint32_t> ordinals;
  std::vector<float> scores;
  auto position = positions.begin();
  for (const ScanSegment& of : plan.segments) {
    const uint32_t first = of.segment->first_position;
    ordinals.clear();
    while (position != positions.end() && *position - first < of.segment->vectors) {
      ordinals.push_back(*position++ - first);
    }
    scores.resize(ordinals.size());
    RECALL_TRY(ScoreOrdinals(of.sections, query, ordinals, scores.data()));
    for (size_t i = 0; i < ordinals.size(); ++i) {
      best->Push(scores[i], of.segment->ChunkAt(ordinals[i]));
    }
  }
  for (; position != positions.end(); ++position) {
    const ChunkVector& vector = *plan.tail[*position - plan.tail_position];
    best->Push(ScoreVector(query, vector.vector), vector.chunk);
  }
  return Status::Ok();
}

Status ScoreAll(const ScanPlan& plan, const VectorSearchOptions& options, const VectorQuery& query,
                TopK<float>* best) {
  RECALL_TRY(ScanSlices(plan, options, best, [&](const ScanSlice& slice, TopK<float>* part) {
    return ScanExact(slice, query, part);
  }));
  for (const ChunkVector* vector : plan.tail) {
    best->Push(ScoreVector(query, vector->vector), vector->chunk);
  }
  return Status::Ok();
}

Status Rerank(const ScanPlan& plan, const VectorSearchOptions& options, const VectorQuery& query,
              const std::vector<uint32_t>& positions, TopK<float>* best) {
  TopK<float> found(best->k());
  RECALL_TRY(ScanInParts(positions.size(), positions.size() * kSignaturesPerRow, options, &found,
                         [&](size_t begin, size_t end, TopK<float>* part) {
                           const auto some = std::span(positions).subspan(begin, end - begin);
                           return ScorePositions(plan, some, query, part);
                         }));
  best->Merge(found);
  return Status::Ok();
}

Result<Shortlist> ScanForShortlist(const ScanPlan& plan, const VectorSearchOptions& options,
                                   const VectorQuery& query, Shortlist shortlist) {
  RECALL_TRY(
      ScanSlices(plan, options, &shortlist, [&](const ScanSlice& slice, Shortlist* part) -> Status {
        ScanSignatures(slice, query, part);
        return Status::Ok();
      }));
  ScanSignatures(plan.tail, plan.tail_position, query, &shortlist);
  return shortlist;
}

// In full scores the `depth` that signatures put first, then whatever a signature does not rule out
// as one of the ten nearest: few for a question that little is near to, thousands for one in a
// crowd of like texts. Requires: best keeps kNearest or more.
// Returns: how many were scored.
Result<uint64_t> ScoreShortlist(const ScanPlan& plan, const VectorSearchOptions& options,
                                const VectorQuery& query, TopK<float>* best) {
  const uint16_t most_score = MaxSignatureScore(query);
  const size_t kept = std::min(plan.depth * kKept, plan.most);
  RECALL_ASSIGN(Shortlist shortlist,
                ScanForShortlist(plan, options, query, Shortlist(kept, most_score)));
  const uint16_t first = shortlist.ScoreOfRank(plan.depth);
  const std::vector<uint32_t> candidates = shortlist.Positions(first);
  RECALL_TRY(Rerank(plan, options, query, candidates, best));
  if (plan.most == plan.depth || candidates.size() < kNearest) return candidates.size();
  const uint16_t least = LeastSignatureScore(query, best->ScoreOfRank(kNearest));
  if (shortlist.full() && least <= shortlist.threshold()) {
    RECALL_ASSIGN(shortlist,
                  ScanForShortlist(plan, options, query, Shortlist(plan.most, most_score, least)));
  }
  std::vector<uint32_t> more;
  std::ranges::set_difference(shortlist.Positions(least), candidates, std::back_inserter(more));
  RECALL_TRY(Rerank(plan, options, query, more, best));
  return candidates.size() + more.size();
}

}  // namespace

size_t ShortlistDepth(uint64_t vectors) {
  return std::clamp(vectors / kVectorsPerDepth, kLeastDepth, kMostDepth);
}

struct VectorSearch::Plan : ScanPlan {};

VectorSearch::VectorSearch(const VectorQuery& query, const VectorSearchOptions& options,
                           std::unique_ptr<const Plan> plan)
    : query_(&query), options_(options), plan_(std::move(plan)) {}
VectorSearch::VectorSearch(VectorSearch&& other) noexcept = default;
VectorSearch::~VectorSearch() = default;

Result<VectorSearch> VectorSearch::Prepare(const ChunkColumns& columns, const VectorQuery& query,
                                           const ChunkFilter& filter,
                                           const VectorSearchOptions& options) {
  if (query.zero) return VectorSearch(query, options, nullptr);
  RECALL_CHECK(query.values.size() == columns.space().padded_dim());
  RECALL_ASSIGN(ScanPlan plan, MakePlan(columns, filter, options));
  return VectorSearch(query, options, std::make_unique<const Plan>(Plan{std::move(plan)}));
}

Result<std::vector<VectorHit>> VectorSearch::Run(VectorSearchStats* stats) const {
  if (stats) *stats = {};
  if (!plan_) return std::vector<VectorHit>();
  TopK<float> best(std::min<uint64_t>(std::max(options_.k, kNearest), plan_->selected));
  uint64_t reranked = plan_->selected;
  if (plan_->exact) {
    RECALL_TRY(ScoreAll(*plan_, options_, *query_, &best));
  } else {
    RECALL_ASSIGN(reranked, ScoreShortlist(*plan_, options_, *query_, &best));
  }
  if (stats) *stats = {plan_->selected, reranked, reranked == plan_->selected};
  std::vector<VectorHit> hits;
  for (const auto& entry : best.Take()) {
    if (hits.size() < options_.k) hits.push_back({entry.id, entry.score});
  }
  return hits;
}

Result<std::vector<VectorHit>> SearchVectors(const ChunkColumns& columns, const VectorQuery& query,
                                             const ChunkFilter& filter,
                                             const VectorSearchOptions& options,
                                             VectorSearchStats* stats) {
  RECALL_ASSIGN(const VectorSearch search, VectorSearch::Prepare(columns, query, filter, options));
  return search.Run(stats);
}

Result<std::vector<float>> ScoreVectors(const ChunkColumns& columns, const VectorQuery& query,
                                        std::span<const uint32_t> chunks) {
  std::vector<float> result(chunks.size(), 0.0f);
  if (query.zero) return result;
  RECALL_CHECK(query.values.size() == columns.space().padded_dim());
  size_t next = 0;
  std::vector<uint32_t> ordinals;
  std::vector<size_t> places;
  std::vector<float> scores;
  for (const ChunkColumns::Segment& segment : columns.segments()) {
    ordinals.clear();
    places.clear();
    uint32_t ordinal = 0;
    for (; next < chunks.size() && chunks[next] <= segment.max_chunk; ++next) {
      ordinal = segment.LowerBound(ordinal, chunks[next]);
      if (segment.Find(chunks[next], ordinal)) {
        ordinals.push_back(ordinal);
        places.push_back(next);
      }
    }
    if (ordinals.empty()) continue;
    RECALL_ASSIGN(const VectorSections sections, OpenVectors(segment, columns.space(), false));
    scores.resize(ordinals.size());
    RECALL_TRY(ScoreOrdinals(sections, query, ordinals, scores.data()));
    for (size_t i = 0; i < ordinals.size(); ++i) result[places[i]] = scores[i];
  }
  auto vector = columns.tail().begin();
  for (; next < chunks.size(); ++next) {
    while (vector != columns.tail().end() && vector->chunk < chunks[next]) ++vector;
    if (vector == columns.tail().end()) break;
    if (vector->chunk == chunks[next]) result[next] = ScoreVector(query, vector->vector);
  }
  return result;
}

}  // namespace recall
