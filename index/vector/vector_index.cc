#include "index/vector/vector_index.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "index/vector/scan_plan.h"
#include "index/vector/vector_scan.h"
#include "storage/base/check.h"
#include "storage/base/fixed_tasks.h"

namespace recall {
namespace {

constexpr uint32_t kSliceVectors = 8192;
// Times the depth: what the first scan keeps in case that the first candidates' cosines ask for
// more. To keep all that may be asked for would slow every question down; so the few that ask for
// more than is kept scan the sign codes again.
constexpr size_t kKept = 4;
constexpr size_t kNearest = 10;  // whose cosines decide how deep
// Scoring a vector in full, in a process that looks at its page for the first time, takes as long
// as so many sign codes.
constexpr uint64_t kSignCodesPerRow = 250;

std::vector<ScanSlice> MakeSlices(const ScanPlan& plan, const Probe& probe) {
  std::vector<ScanSlice> slices;
  for (size_t i = 0; i < plan.segments.size(); ++i) {
    const ScanSegment& of = plan.segments[i];
    const uint32_t* slots = probe.slots[i].empty() ? nullptr : probe.slots[i].data();
    for (uint32_t first = 0; first < of.segment->vectors; first += kSliceVectors) {
      const uint32_t last = std::min(of.segment->vectors, first + kSliceVectors);
      slices.push_back({&of, first, last, slots});
    }
  }
  return slices;
}

// Calls scan(begin, end, &best) for contiguous parts of items 0 .. items - 1, each thread with a
// copy of `best`, which comes empty, and merges these in their order: the same set for any split.
// vectors: how much work it is, in sign codes. Returns: the first error of a part.
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

template <typename Best, typename Scan>
Status ScanSlices(const ScanPlan& plan, const Probe& probe, const VectorSearchOptions& options,
                  Best* best, Scan scan) {
  const std::vector<ScanSlice> slices = MakeSlices(plan, probe);
  return ScanInParts(slices.size(), probe.vectors, options, best,
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
    const ChunkVector& vector = *plan.delta[*position - plan.delta.front().position].vector;
    best->Push(ScoreVector(query, vector.vector), vector.chunk);
  }
  return Status::Ok();
}

Status ScoreAll(const ScanPlan& plan, const VectorSearchOptions& options, const VectorQuery& query,
                TopK<float>* best) {
  const auto scan = [&](const ScanSlice& slice, TopK<float>* part) {
    return ScanExact(slice, query, part);
  };
  RECALL_TRY(ScanSlices(plan, ProbeAll(plan), options, best, scan));
  for (const DeltaVector& of : plan.delta) {
    best->Push(ScoreVector(query, of.vector->vector), of.vector->chunk);
  }
  return Status::Ok();
}

Status Rerank(const ScanPlan& plan, const VectorSearchOptions& options, const VectorQuery& query,
              const std::vector<uint32_t>& positions, TopK<float>* best) {
  TopK<float> found(best->k());
  RECALL_TRY(ScanInParts(positions.size(), positions.size() * kSignCodesPerRow, options, &found,
                         [&](size_t begin, size_t end, TopK<float>* part) {
                           const auto some = std::span(positions).subspan(begin, end - begin);
                           return ScorePositions(plan, some, query, part);
                         }));
  best->Merge(found);
  return Status::Ok();
}

Result<Shortlist> ScanForShortlist(const ScanPlan& plan, const Probe& probe,
                                   const VectorSearchOptions& options, const VectorQuery& query,
                                   Shortlist shortlist) {
  RECALL_TRY(ScanSlices(plan, probe, options, &shortlist,
                        [&](const ScanSlice& slice, Shortlist* part) -> Status {
                          return ScanSignCodes(slice, query, part);
                        }));
  ScanSignCodes(probe.delta, query, &shortlist);
  return shortlist;
}

struct Reranked {
  uint64_t scanned;
  uint64_t scored;
};

// In full scores the `depth` that sign codes put first, then whatever a sign code does not rule out
// as one of the ten nearest: few for a question that little is near to, thousands for one in a
// crowd of like texts. Requires: best keeps kNearest or more.
Result<Reranked> ScoreShortlist(const ScanPlan& plan, const VectorSearchOptions& options,
                                const VectorQuery& query, TopK<float>* best) {
  const uint16_t most_score = MaxSignCodeScore(query);
  const size_t kept = std::min(plan.depth * kKept, plan.most);
  Probe probe = ProbeLists(plan);
  for (size_t i = 0; i < plan.segments.size(); ++i) {
    RECALL_TRY(AskForSignCodes(plan.segments[i], probe.slots[i]));
  }
  RECALL_ASSIGN(Shortlist shortlist,
                ScanForShortlist(plan, probe, options, query, Shortlist(kept, most_score)));
  // Where most of what lies in the lists was removed, or does not pass the filter.
  if (shortlist.size() < std::min<uint64_t>(plan.depth, plan.selected)) {
    probe = ProbeAll(plan);
    RECALL_ASSIGN(shortlist,
                  ScanForShortlist(plan, probe, options, query, Shortlist(kept, most_score)));
  }
  const uint16_t first = shortlist.ScoreOfRank(plan.depth);
  const std::vector<uint32_t> candidates = shortlist.Positions(first);
  RECALL_TRY(Rerank(plan, options, query, candidates, best));
  const uint64_t scanned = std::min(probe.vectors, plan.selected);
  if (plan.most == plan.depth || candidates.size() < kNearest) {
    return Reranked{scanned, candidates.size()};
  }
  const uint16_t least = LeastSignCodeScore(query, best->ScoreOfRank(kNearest));
  if (shortlist.size() == kept && least <= shortlist.least()) {
    RECALL_ASSIGN(shortlist, ScanForShortlist(plan, probe, options, query,
                                              Shortlist(plan.most, most_score, least)));
  }
  std::vector<uint32_t> more;
  std::ranges::set_difference(shortlist.Positions(least), candidates, std::back_inserter(more));
  RECALL_TRY(Rerank(plan, options, query, more, best));
  return Reranked{scanned, candidates.size() + more.size()};
}

}  // namespace

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
  RECALL_ASSIGN(ScanPlan plan, MakePlan(columns, query, filter, options));
  return VectorSearch(query, options, std::make_unique<const Plan>(Plan{std::move(plan)}));
}

Result<std::vector<RetrieverHit>> VectorSearch::Run(VectorSearchStats* stats) const {
  if (stats) *stats = {};
  if (!plan_) return std::vector<RetrieverHit>();
  TopK<float> best(std::min<uint64_t>(std::max(options_.k, kNearest), plan_->selected));
  Reranked looked{plan_->selected, plan_->selected};
  if (plan_->exact) {
    RECALL_TRY(ScoreAll(*plan_, options_, *query_, &best));
  } else {
    RECALL_ASSIGN(looked, ScoreShortlist(*plan_, options_, *query_, &best));
  }
  if (stats) *stats = {looked.scanned, looked.scored, looked.scored == plan_->selected};
  const bool all = options_.k >= kNearest;  // of what `best` keeps
  auto entries = options_.by_chunk && all ? best.TakeUnordered() : best.Take();
  entries.resize(std::min(entries.size(), options_.k));
  std::vector<RetrieverHit> hits;
  hits.reserve(entries.size());
  for (const auto& entry : entries) hits.push_back({entry.id, entry.score});
  // What is scored in the order of segments mostly comes so.
  if (options_.by_chunk && !std::ranges::is_sorted(hits, {}, &RetrieverHit::chunk)) {
    std::ranges::sort(hits, {}, &RetrieverHit::chunk);
  }
  return hits;
}

Result<std::vector<RetrieverHit>> SearchVectors(const ChunkColumns& columns,
                                                const VectorQuery& query, const ChunkFilter& filter,
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
  for (const ColumnSegment& segment : columns.segments()) {
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
  auto vector = columns.delta().begin();
  for (; next < chunks.size(); ++next) {
    while (vector != columns.delta().end() && vector->chunk < chunks[next]) ++vector;
    if (vector == columns.delta().end()) break;
    if (vector->chunk == chunks[next]) result[next] = ScoreVector(query, vector->vector);
  }
  return result;
}

}  // namespace recall
