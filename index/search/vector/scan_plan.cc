#include "index/search/vector/scan_plan.h"

#include <algorithm>
#include <utility>

#include "index/search/vector/vector_search_types.h"
#include "simd/kernels.h"

namespace recall {
namespace {

// Chooses the cheapest way to answer a vector search.
//
//   cheap to score all selected in full, or exact answer required?  --yes-->  no sign codes
//       | no
//   lists exist, and >= 3/4 of the store pass?  --no-->  scan the sign codes of all vectors
//       | yes
//   reaches of the lists known?  --no-->  scan the nearest lists: as many selected vectors as a
//       | yes                             tenth of the store
//   scan the nearest lists, as many selected vectors as a fiftieth of the store; then the lists
//   that reach the vectors found, at most a quarter
//
// Idea: a full score reads one row of `dim` bytes at a random address; a sign code is `dim` / 8
// bytes in a sequential scan. ScoringIsCheaper compares the two with measured constants. A
// selective filter therefore makes a search exact and faster at the same time.
//
// Invariant: every input of the decision is a property of the whole store and of the query: the
// number of vectors, the number that pass the filter, the dimension, the centroids. Segment
// boundaries and the division between segments and delta have no effect, so a merge never changes
// an answer.
//
// Cost: one pass over the filter's bits for each segment (VectorSelection); sections are opened but
// not read. See docs/decisions/0023 and 0034 for the choice of nprobe.

constexpr uint64_t kLeastDepth = 1000;
constexpr uint64_t kMostDepth = 2000;
constexpr uint64_t kVectorsPerDepth = 10'000;
// Factor of the depth: the upper limit of vectors scored in full.
constexpr size_t kDeepest = 16;
// A search probes the nearest lists until, by the counts of the training sample, they contain as
// many selected vectors as one in kShareOfLists of the store (measured: docs/decisions/0023).
constexpr uint64_t kShareOfLists = 10;
// The same if the reaches of the lists are known: the lists scanned in any case, and all lists that
// may be scanned (measured: docs/decisions/0034).
constexpr uint64_t kShareOfFirstLists = 50;
constexpr uint64_t kShareOfAllLists = 4;
// A list is scanned if its reach is at most this much below the cosine of the vectors found.
constexpr float kReachMargin = 0.12f;
// The vectors that pass a filter may all be in lists far from the query. If less than 3 in 4
// vectors pass, all lists are scanned.
constexpr uint64_t kMostPass = 3;
constexpr uint64_t kOfAll = 4;

// Whether scoring every selected vector in full takes no longer than scanning the sign codes of the
// whole store and reranking a shortlist. The unit is the time to read one byte of a long array. A
// row at a random address costs 1000 units, and 1.75 units for each of its bytes. Measured on
// 1,000,000 vectors with cold caches: 60 ns for a row of 64 dimensions, 60 to 70 for 256, 150 for
// 1024; 0.5, 1.5 and 6 ns for a sign code. Full scores and sign codes took the same time when the
// selected part of the store was 0.8 % for 64 dimensions, 2.0 % for 128, 2.5 % for 256, 4.5 % for
// 512 and 1024; the formula gives 0.7, 1.3, 2.2, 3.4 and 4.6 %. Adjacent rows cost less than
// scattered rows, so filters by document and by range of this size take half the time or less with
// full scores.
bool ScoringIsCheaper(uint64_t selected, uint64_t vectors, size_t depth, uint64_t dim) {
  const uint64_t row = 1000 + dim * 7 / 4;
  return selected <= depth || (selected - depth) * row <= vectors * dim / 8;
}

std::vector<DeltaVector> SelectFromDelta(std::span<const ChunkVector> delta, uint32_t position,
                                         const ChunkFilter& filter) {
  std::vector<DeltaVector> selected;
  for (auto vector = delta.begin(); vector != delta.end();) {
    const uint32_t first = vector->chunk;
    const uint32_t last = std::min(delta.back().chunk, first | (ChunkWindow::kChunks - 1));
    const ChunkWindow passing(filter, 0, first, last);
    for (; vector != delta.end() && vector->chunk <= last; ++vector) {
      if (passing.Has(vector->chunk)) selected.push_back({&*vector, position++});
    }
  }
  return selected;
}

uint64_t CountSlots(const std::vector<uint32_t>& slots) {
  return CountBits(reinterpret_cast<const uint8_t*>(slots.data()), slots.size() * sizeof(uint32_t));
}

}  // namespace

size_t ShortlistDepth(uint64_t vectors) {
  return std::clamp(vectors / kVectorsPerDepth, kLeastDepth, kMostDepth);
}

Result<ScanPlan> MakePlan(const ChunkColumns& columns, const VectorQuery& query,
                          const ChunkFilter& filter, const VectorSearchOptions& options) {
  ScanPlan plan;
  uint64_t vectors = 0;
  for (const ColumnSegment& segment : columns.segments()) {
    VectorSelection selection(segment, filter);
    vectors += segment.vectors;
    plan.selected += selection.count();
    if (selection.count() > 0) plan.segments.push_back({&segment, {}, std::move(selection)});
  }
  plan.delta = SelectFromDelta(columns.delta(), static_cast<uint32_t>(vectors), filter);
  plan.selected += plan.delta.size();
  vectors += columns.delta().size();
  if (options.store_vectors != 0) vectors = options.store_vectors;
  plan.depth = options.depth != 0 ? options.depth : ShortlistDepth(vectors);
  plan.most = std::max(plan.depth, options.most != 0 ? options.most : plan.depth * kDeepest);
  plan.exact = options.exact || options.k > plan.depth ||
               ScoringIsCheaper(plan.selected, vectors, plan.depth, columns.space().padded_dim());
  if (!plan.exact && query.coarse_quantizer && plan.selected * kOfAll >= vectors * kMostPass) {
    const auto nearest = [&](uint64_t share) {
      return query.coarse_quantizer->NearestLists(query.lists, vectors, plan.selected * share);
    };
    if (query.list_reaches.empty()) {
      plan.lists = nearest(kShareOfLists);
    } else {
      plan.lists = nearest(kShareOfFirstLists);
      plan.further_lists = nearest(kShareOfAllLists).subspan(plan.lists.size());
      plan.further_reaches =
          std::span(query.list_reaches).subspan(plan.lists.size(), plan.further_lists.size());
    }
  }
  for (ScanSegment& of : plan.segments) {
    RECALL_ASSIGN(of.sections, OpenVectors(*of.segment, columns.space(), !plan.exact));
    if (plan.exact) continue;
    RECALL_ASSIGN(of.lists, OpenIvfLists(*of.segment));
  }
  return plan;
}

Probe ProbeAll(const ScanPlan& plan) {
  return {.slots = std::vector<std::vector<uint32_t>>(plan.segments.size()),
          .delta = plan.delta,
          .vectors = plan.selected};
}

Probe ProbeLists(const ScanPlan& plan, std::span<const uint16_t> lists, bool unlisted) {
  if (plan.lists.empty()) return ProbeAll(plan);
  Probe probe;
  probe.unlisted = unlisted;
  for (const ScanSegment& of : plan.segments) {
    const bool by_list = of.lists.slots != nullptr;
    probe.slots.push_back(by_list ? SlotsOfLists(of.lists, lists) : std::vector<uint32_t>());
    if (by_list) probe.vectors += CountSlots(probe.slots.back());
    if (!by_list && unlisted) probe.vectors += of.selection.count();
  }
  std::vector<bool> wanted(kNoList + size_t{1});
  for (const uint16_t list : lists) wanted[list] = true;
  wanted[kNoList] = unlisted;
  std::ranges::copy_if(plan.delta, std::back_inserter(probe.delta),
                       [&](const DeltaVector& of) { return wanted[of.vector->vector.list]; });
  probe.vectors += probe.delta.size();
  return probe;
}

std::span<const uint16_t> FurtherLists(const ScanPlan& plan, float cosine) {
  const auto end = std::ranges::find_if(plan.further_reaches,
                                        [&](float reach) { return reach < cosine - kReachMargin; });
  return plan.further_lists.first(static_cast<size_t>(end - plan.further_reaches.begin()));
}

}  // namespace recall
