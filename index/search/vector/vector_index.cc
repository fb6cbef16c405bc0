#include "index/search/vector/vector_index.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "index/search/vector/scan_plan.h"
#include "index/search/vector/vector_scan.h"
#include "storage/base/check.h"
#include "storage/base/fixed_tasks.h"

namespace recall {
namespace {

// Approximate nearest-neighbour search in two stages: a scan of sign codes proposes candidates, and
// full int8 vectors decide.
//
//   all selected vectors
//      |  IVF lists near the query (scan_plan.cc), or all of them
//      v
//   sign codes, dim / 8 bytes each  ->  Shortlist
//      |  the best `depth`
//      v
//   full scores, dim bytes each     ->  cosine of the 10th nearest so far
//      |  least sign-code score that a vector of this cosine may have (2.5 standard deviations)
//      v
//   full scores of all further vectors with that score, at most 16 * depth  ->  top k
//
// The last step adapts the depth to the query: few additional vectors if the query has few near
// neighbours, thousands if it is in a dense cluster. A segment without IVF lists stores its sign
// codes in the order of its vectors. If that holds for all segments, one scan keeps the score of
// each vector (SignCodeScores), and the further vectors are selected from these scores. Otherwise a
// Shortlist keeps the best 4 * depth; if it may lack some of the further vectors, the sign codes
// are scanned again for all with the least score. Both ways select the same vectors.
//
// The number of lists adapts to the query, too, if the reaches of the lists are known
// (CoarseQuantizer::Rank). The lists are scanned in two steps:
//
//   the nearest lists, a fiftieth of the vectors  ->  the best depth / 4, scored in full
//      |  cosine of the 100th nearest so far          cosine of the 10th: least sign-code score
//      v
//   the further lists that reach this cosine      ->  Shortlist of all with that score, and of the
//                                                     best `depth`
//
// The later steps see the best vectors of all these lists, with the cosines of the first step among
// the ones found so far. A cosine can only rise by that, so the least score of the first step loses
// nothing.
//
// If the probed lists give fewer than `depth` vectors, because many are removed or filtered out,
// all lists are scanned.
//
// Invariants: candidates do not depend on k up to the depth, so pages agree. Each thread has its
// own Shortlist or TopK; merging is independent of the split, and ties are broken by position, so
// every number of threads gives the same hits. All scores are integer products and one fixed order
// of float operations.
//
// Cost: one sequential read of the probed sign codes, and one random row for each full score. See
// LeastSignCodeScore for the error bound, after RaBitQ (Gao and Long, 2024).

constexpr uint32_t kSliceVectors = 8192;
// Factor of the depth: the number of entries that the first scan keeps, in case the cosines of the
// first candidates require more than `depth`. Keeping everything that may be required would slow
// every search down. The few searches that require more than this scan the sign codes again.
constexpr size_t kKept = 4;
constexpr size_t kNearest = 10;   // the cosine of this neighbour decides how many are scored
constexpr size_t kReached = 100;  // the cosine of this neighbour decides how many lists are scanned
constexpr size_t kFirstOfDepth = 4;  // the first step of a scan of lists scores depth / 4 vectors
// Scoring a vector in full, if its page has not been touched by this process, takes as long as
// scanning this many sign codes.
constexpr uint64_t kSignCodesPerRow = 250;

std::vector<ScanSlice> MakeSlices(const ScanPlan& plan, const Probe& probe) {
  std::vector<ScanSlice> slices;
  for (size_t i = 0; i < plan.segments.size(); ++i) {
    const ScanSegment& of = plan.segments[i];
    if (of.lists.slots == nullptr && !probe.unlisted) continue;
    const uint32_t* slots = probe.slots[i].empty() ? nullptr : probe.slots[i].data();
    for (uint32_t first = 0; first < of.segment->vectors; first += kSliceVectors) {
      const uint32_t last = std::min(of.segment->vectors, first + kSliceVectors);
      slices.push_back({&of, first, last, slots});
    }
  }
  return slices;
}

// Calls scan(begin, end, &best) for contiguous parts of the items 0 .. items - 1. Each thread has
// its own copy of `best`, which must be empty; the copies are merged into it in order, so every
// split gives the same set. `vectors`: the amount of work, in sign codes. Returns: the first error
// of a part.
template <typename Best, typename Scan>
Status ScanInParts(size_t items, uint64_t vectors, const VectorSearchOptions& options, Best* best,
                   Scan scan) {
  const uint64_t worth = vectors / std::max<uint64_t>(options.vectors_per_thread, 1);
  const size_t threads = std::clamp<uint64_t>(worth, 1, std::clamp<size_t>(options.threads, 1, 64));
  if (threads == 1) return scan(0, items, best);
  std::vector<Best> parts(threads, *best);
  std::vector<Status> ends(threads);
  RunFixedTasks(static_cast<uint32_t>(threads), threads, nullptr, [&](size_t part) {
    ends[part] = scan(items * part / threads, items * (part + 1) / threads, &parts[part]);
  });
  for (const Status& end : ends) RECALL_TRY(end);
  for (const Best& part : parts) best->Merge(part);
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

// Scores candidates in full. Requires: ascending positions.
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

struct Reranked {
  uint64_t scanned;
  uint64_t scored;
};

// One approximate search: what was scanned, proposed and scored so far.
class ShortlistSearch final {
 public:
  // Requires: `best` keeps kReached or more.
  ShortlistSearch(const ScanPlan& plan, const VectorSearchOptions& options,
                  const VectorQuery& query, TopK<float>* best)
      : plan_(plan),
        options_(options),
        query_(query),
        best_(*best),
        most_score_(MaxSignCodeScore(query)),
        shortlist_(1, 0) {}

  Result<Reranked> Run() {
    if (InOrder()) return RunInOrder();
    const size_t kept = std::min(plan_.depth * kKept, plan_.most);
    RECALL_TRY(plan_.further_lists.empty() ? ScanLists(kept) : ScanNearAndFurtherLists());
    // Most vectors of the probed lists were removed or do not pass the filter.
    if (shortlist_.size() < std::min<uint64_t>(plan_.depth, plan_.selected)) {
      probes_.clear();
      RECALL_TRY(AddProbe(ProbeAll(plan_)));
      RECALL_TRY(Rescan(Shortlist(kept, most_score_)));
    }
    RECALL_TRY(Score(shortlist_.ScoreOfRank(plan_.depth)));
    if (plan_.most > plan_.depth && scored_.size() >= kNearest) {
      const uint16_t least = LeastScore(scored_.size());
      if (shortlist_.size() == shortlist_.depth() && shortlist_.depth() < plan_.most &&
          least <= shortlist_.least()) {
        RECALL_TRY(Rescan(Shortlist(plan_.most, most_score_, least)));
      }
      RECALL_TRY(Score(least));
    }
    uint64_t scanned = 0;
    for (const Probe& probe : probes_) scanned += probe.vectors;
    return Reranked{std::min(scanned, plan_.selected), scored_.size()};
  }

 private:
  // Whether all sign codes are in the order of the vectors, and are scanned.
  bool InOrder() const {
    return plan_.lists.empty() && std::ranges::all_of(plan_.segments, [](const ScanSegment& of) {
             return of.lists.slots == nullptr;
           });
  }

  // Keeps the scores of all, so that the sign codes are scanned once. The candidates are those of a
  // shortlist.
  Result<Reranked> RunInOrder() {
    SignCodeScores scores(most_score_);
    RECALL_TRY(ScanSlices(plan_, ProbeAll(plan_), options_, &scores,
                          [&](const ScanSlice& slice, SignCodeScores* part) -> Status {
                            return ScoreSignCodes(slice, query_, part);
                          }));
    ScoreSignCodes(plan_.delta, query_, &scores);
    const size_t kept = std::min(plan_.depth * kKept, plan_.most);
    const std::vector<uint32_t> best = scores.TakeBest(plan_.depth, kept);
    RECALL_TRY(Rerank(plan_, options_, query_, best, &best_));
    uint64_t scored = best.size();
    if (plan_.most > plan_.depth && scored >= kNearest) {
      const std::vector<uint32_t> further =
          scores.TakeReaching(LeastScore(scored), plan_.most - scored);
      RECALL_TRY(Rerank(plan_, options_, query_, further, &best_));
      scored += further.size();
    }
    return Reranked{plan_.selected, scored};
  }

  Status ScanLists(size_t kept) {
    RECALL_TRY(AddProbe(ProbeLists(plan_, plan_.lists, true)));
    return Rescan(Shortlist(kept, most_score_));
  }

  Status ScanNearAndFurtherLists() {
    RECALL_TRY(ScanLists(plan_.depth));
    const size_t first = std::clamp<size_t>(plan_.depth / kFirstOfDepth, 1, shortlist_.depth());
    RECALL_TRY(Score(shortlist_.ScoreOfRank(first)));
    if (scored_.empty()) return Status::Ok();
    const float reached = best_.ScoreOfRank(std::min(kReached, scored_.size()));
    RECALL_TRY(AddProbe(ProbeLists(plan_, FurtherLists(plan_, reached), false)));
    const uint16_t least = LeastScore(scored_.size());
    const bool lacks_some = shortlist_.size() == plan_.depth && least <= shortlist_.least();
    Shortlist all(plan_.most, most_score_, std::min(least, shortlist_.least()));
    if (lacks_some) return Rescan(std::move(all));
    all.Merge(shortlist_);
    return Scan(probes_.back(), std::move(all));
  }

  Status AddProbe(Probe probe) {
    for (size_t i = 0; i < plan_.segments.size(); ++i) {
      RECALL_TRY(AskForSignCodes(plan_.segments[i], probe.slots[i]));
    }
    probes_.push_back(std::move(probe));
    return Status::Ok();
  }

  // Scans all probes into an empty shortlist.
  Status Rescan(Shortlist empty) {
    shortlist_ = std::move(empty);
    for (const Probe& probe : probes_) RECALL_TRY(Scan(probe, std::move(shortlist_)));
    return Status::Ok();
  }

  // Scans a probe and adds its best to those of `before`.
  Status Scan(const Probe& probe, Shortlist before) {
    Shortlist found = before.EmptyCopy();
    RECALL_TRY(ScanSlices(plan_, probe, options_, &found,
                          [&](const ScanSlice& slice, Shortlist* part) -> Status {
                            return ScanSignCodes(slice, query_, part);
                          }));
    ScanSignCodes(probe.delta, query_, &found);
    if (before.size() > 0) found.Merge(before);
    shortlist_ = std::move(found);
    return Status::Ok();
  }

  // Scores in full what the shortlist keeps with this sign-code score or more, except for what is
  // scored already.
  Status Score(uint16_t least) {
    std::vector<uint32_t> positions = shortlist_.Positions(least);
    std::vector<uint32_t> more;
    std::ranges::set_difference(positions, scored_, std::back_inserter(more));
    RECALL_TRY(Rerank(plan_, options_, query_, more, &best_));
    if (scored_.empty()) {
      scored_ = std::move(more);
    } else {
      std::vector<uint32_t> all;
      std::ranges::merge(scored_, more, std::back_inserter(all));
      scored_ = std::move(all);
    }
    return Status::Ok();
  }

  // The sign-code score that vectors reach which are as near as the tenth nearest found; 0 if there
  // are fewer.
  uint16_t LeastScore(size_t scored) const {
    if (scored < kNearest) return 0;
    return LeastSignCodeScore(query_, best_.ScoreOfRank(kNearest));
  }

  const ScanPlan& plan_;
  const VectorSearchOptions& options_;
  const VectorQuery& query_;
  TopK<float>& best_;
  const uint16_t most_score_;
  std::vector<Probe> probes_;
  Shortlist shortlist_;
  std::vector<uint32_t> scored_;  // positions, ascending
};

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
  // An exact search needs no neighbour beyond k.
  const size_t kept = plan_->exact ? options_.k : std::max(options_.k, kReached);
  TopK<float> best(std::min<uint64_t>(kept, plan_->selected));
  Reranked looked{plan_->selected, plan_->selected};
  if (plan_->exact) {
    RECALL_TRY(ScoreAll(*plan_, options_, *query_, &best));
  } else {
    RECALL_ASSIGN(looked, ShortlistSearch(*plan_, options_, *query_, &best).Run());
  }
  if (stats) *stats = {looked.scanned, looked.scored, looked.scored == plan_->selected};
  const bool all = options_.k >= kept;  // `best` keeps no more than k
  auto entries = options_.by_chunk && all ? best.TakeUnordered() : best.Take();
  entries.resize(std::min(entries.size(), options_.k));
  std::vector<RetrieverHit> hits;
  hits.reserve(entries.size());
  for (const auto& entry : entries) hits.push_back({entry.id, entry.score});
  // Hits of an exact scan are mostly in this order already.
  if (options_.by_chunk && !std::ranges::is_sorted(hits, {}, &RetrieverHit::chunk)) {
    std::ranges::sort(hits, {}, &RetrieverHit::chunk);
  }
  return hits;
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
