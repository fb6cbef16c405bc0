#include "index/vector/vector_index.h"

#include <algorithm>
#include <system_error>
#include <thread>

#include "index/vector/vector_scan.h"
#include "storage/base/check.h"

namespace recall {
namespace {

constexpr uint32_t kSliceVectors = 8192;
// A selection this small is scored in full: reading its rows costs less than all signatures.
constexpr uint64_t kSmallSelection = 2000;
constexpr uint64_t kSmallPercent = 3;
constexpr size_t kLeastDepth = 200;
constexpr size_t kMostDepth = 2000;
constexpr uint64_t kVectorsPerDepth = 10'000;

// What one search looks at.
struct ScanPlan {
  std::vector<ScanSegment> segments;  // those with something selected
  uint64_t selected = 0;              // vectors in them that pass the filter
  uint64_t vectors = 0;               // in all segments
  bool exact = false;
};

Result<ScanPlan> MakePlan(const ChunkColumns& columns, const ChunkFilter& filter, bool exact) {
  ScanPlan plan;
  for (const ChunkColumns::Segment& segment : columns.segments()) {
    VectorSelection selection(segment, filter);
    plan.vectors += segment.vectors;
    plan.selected += selection.count();
    if (selection.count() > 0) plan.segments.push_back({&segment, {}, std::move(selection)});
  }
  plan.exact = exact || plan.selected <= kSmallSelection ||
               plan.selected * 100 <= plan.vectors * kSmallPercent;
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

// Runs work(0) .. work(threads - 1), each on a thread of its own if the system has one to give.
template <typename Work>
void RunOnThreads(size_t threads, const Work& work) {
  std::vector<std::thread> running;
  size_t started = 1;
  try {
    for (; started < threads; ++started) running.emplace_back(work, started);
  } catch (const std::system_error&) {
    for (size_t i = started; i < threads; ++i) work(i);
  }
  work(0);
  for (std::thread& thread : running) thread.join();
}

// The k best of all slices under `scan`. Each thread takes a contiguous part, so that positions
// ascend within it; the parts' best are merged, which gives the same set for any split.
template <typename Score, typename Scan>
TopK<Score> ScanSlices(const ScanPlan& plan, size_t k, const VectorSearchOptions& options,
                       Scan scan) {
  const std::vector<ScanSlice> slices = MakeSlices(plan);
  const uint64_t worth = plan.selected / std::max<uint64_t>(options.vectors_per_thread, 1);
  const size_t threads = std::clamp<uint64_t>(worth, 1, std::clamp<size_t>(options.threads, 1, 64));
  std::vector<TopK<Score>> parts(threads, TopK<Score>(k));
  RunOnThreads(threads, [&](size_t part) {
    const size_t end = slices.size() * (part + 1) / threads;
    for (size_t i = slices.size() * part / threads; i < end; ++i) scan(slices[i], &parts[part]);
  });
  for (size_t part = 1; part < threads; ++part) parts[0].Merge(parts[part]);
  return std::move(parts[0]);
}

// Scores the candidates (positions) in full, in the order they lie in the store.
void Rerank(const ScanPlan& plan, std::vector<uint32_t> positions, const VectorQuery& query,
            TopK<float>* best) {
  std::sort(positions.begin(), positions.end());
  std::vector<OrdinalRun> runs;
  std::vector<float> scores;
  auto position = positions.begin();
  for (const ScanSegment& of : plan.segments) {
    const uint32_t first = of.segment->first_position;
    runs.clear();
    while (position != positions.end() && *position - first < of.segment->vectors) {
      runs.push_back({*position++ - first, 1});
    }
    scores.resize(runs.size());
    ScoreRuns(of.sections, query, runs, scores.data());
    for (size_t i = 0; i < runs.size(); ++i) {
      best->Push(scores[i], of.segment->ChunkAt(runs[i].first));
    }
  }
}

size_t ChooseDepth(const VectorSearchOptions& options, uint64_t vectors, size_t k) {
  if (options.depth != 0) return std::max(options.depth, k);
  const auto wanted = static_cast<size_t>(vectors / kVectorsPerDepth);
  return std::max(std::clamp(wanted, kLeastDepth, kMostDepth), k);
}

}  // namespace

Result<std::vector<VectorHit>> SearchVectors(const ChunkColumns& columns, const VectorQuery& query,
                                             const ChunkFilter& filter,
                                             const VectorSearchOptions& options,
                                             VectorSearchStats* stats) {
  if (query.zero) return std::vector<VectorHit>();
  RECALL_CHECK(query.values.size() == columns.space().padded_dim());
  RECALL_ASSIGN(const ScanPlan plan, MakePlan(columns, filter, options.exact));
  const size_t k = std::min<uint64_t>(options.k, plan.selected + columns.tail().size());
  const size_t depth = ChooseDepth(options, plan.vectors, k);
  VectorSearchStats counted{plan.selected, plan.selected};
  TopK<float> best(k);
  if (plan.exact || depth >= plan.selected) {
    best = ScanSlices<float>(plan, k, options, [&](const ScanSlice& slice, TopK<float>* part) {
      ScanExact(slice, query, part);
    });
  } else {
    std::vector<uint32_t> candidates;
    auto shortlist = ScanSlices<uint16_t>(
        plan, depth, options,
        [&](const ScanSlice& slice, TopK<uint16_t>* part) { ScanSignatures(slice, query, part); });
    for (const auto& entry : shortlist.Take()) candidates.push_back(entry.id);
    counted.reranked = candidates.size();
    Rerank(plan, std::move(candidates), query, &best);
  }
  for (const ChunkVector& vector : columns.tail()) {
    if (!filter.Passes(vector.chunk)) continue;
    best.Push(ScoreVector(query, vector.vector), vector.chunk);
    ++counted.scanned;
    ++counted.reranked;
  }
  if (stats) *stats = counted;
  std::vector<VectorHit> hits;
  for (const auto& entry : best.Take()) hits.push_back({entry.id, entry.score});
  return hits;
}

Result<std::vector<float>> ScoreVectors(const ChunkColumns& columns, const VectorQuery& query,
                                        std::span<const uint32_t> chunks) {
  std::vector<float> result(chunks.size(), 0.0f);
  if (query.zero) return result;
  RECALL_CHECK(query.values.size() == columns.space().padded_dim());
  size_t next = 0;
  std::vector<OrdinalRun> runs;
  std::vector<size_t> places;
  std::vector<float> scores;
  for (const ChunkColumns::Segment& segment : columns.segments()) {
    runs.clear();
    places.clear();
    uint32_t ordinal = 0;
    for (; next < chunks.size() && chunks[next] <= segment.max_chunk; ++next) {
      ordinal = segment.LowerBound(ordinal, chunks[next]);
      if (segment.Find(chunks[next], ordinal)) {
        runs.push_back({ordinal, 1});
        places.push_back(next);
      }
    }
    if (runs.empty()) continue;
    RECALL_ASSIGN(const VectorSections sections, OpenVectors(segment, columns.space(), false));
    scores.resize(runs.size());
    ScoreRuns(sections, query, runs, scores.data());
    for (size_t i = 0; i < runs.size(); ++i) result[places[i]] = scores[i];
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
