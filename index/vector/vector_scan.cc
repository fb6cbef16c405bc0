#include "index/vector/vector_scan.h"

#include <algorithm>
#include <array>

#include "index/vector/tail_record.h"
#include "simd/kernels.h"

namespace recall {
namespace {

constexpr uint32_t kBatch = 1024;  // vectors or runs handled between two looks at the top k
constexpr uint32_t kBlocks = 64;   // signature blocks given to the kernel at once
constexpr uint32_t kBridgedBlocks = 8;
constexpr uint32_t kBlockVectors = static_cast<uint32_t>(kSignatureBlock);
constexpr uint32_t kCacheLine = 64;
constexpr uint32_t kPrefetchedBytes = 512;  // of a row; the hardware follows a longer one

// Items from `index` to the end of its page, which are contiguous.
uint32_t ItemsToPageEnd(const SectionView& view, uint32_t index) {
  return view.items_per_page() - index % view.items_per_page();
}

// One order of operations for every way to a score, or equal vectors would not tie. `scale` may
// come straight from disk.
float Cosine(int32_t dot, float query_scale, float scale) {
  const float cosine =
      static_cast<float>(dot) * query_scale * (IsPlausibleScale(scale) ? scale : 0);
  return std::clamp(cosine, -1.0f, 1.0f);
}

// Vectors of a run, all on one page.
void ScoreContiguous(const VectorSections& sections, const VectorQuery& query, OrdinalRun run,
                     float* scores) {
  std::array<int32_t, kBatch> dots;
  const size_t dim = query.values.size();
  const auto* rows = reinterpret_cast<const int8_t*>(sections.vectors->item(run.first));
  const uint8_t* scales = sections.scales->item(run.first);
  DotI16I8Rows(query.values.data(), rows, dim, dim, run.count, dots.data());
  for (uint32_t i = 0; i < run.count; ++i) {
    scores[i] = Cosine(dots[i], query.scale, LoadLittle<float>(scales + size_t{i} * sizeof(float)));
  }
}

void Prefetch(const VectorSections& sections, uint32_t ordinal) {
  const uint8_t* row = sections.vectors->item(ordinal);
  const uint32_t bytes = std::min(sections.vectors->item_bytes(), kPrefetchedBytes);
  for (uint32_t i = 0; i < bytes; i += kCacheLine) __builtin_prefetch(row + i);
}

}  // namespace

float ScoreVector(const VectorQuery& query, const QuantizedVector& vector) {
  const int32_t dot = DotI16I8(query.values.data(), vector.values.data(), query.values.size());
  return Cosine(dot, query.scale, vector.scale);
}

void ScoreRuns(const VectorSections& sections, const VectorQuery& query,
               std::span<const OrdinalRun> runs, float* scores) {
  constexpr size_t kAhead = 8;
  for (size_t i = 0; i < std::min(kAhead, runs.size()); ++i) Prefetch(sections, runs[i].first);
  for (size_t i = 0; i < runs.size(); ++i) {
    if (i + kAhead < runs.size()) Prefetch(sections, runs[i + kAhead].first);
    OrdinalRun left = runs[i];
    while (left.count > 0) {
      const uint32_t count =
          std::min({left.count, kBatch, ItemsToPageEnd(*sections.vectors, left.first),
                    ItemsToPageEnd(*sections.scales, left.first)});
      ScoreContiguous(sections, query, {left.first, count}, scores);
      scores += count;
      left.first += count;
      left.count -= count;
    }
  }
}

void ScanExact(const ScanSlice& slice, const VectorQuery& query, TopK<float>* best) {
  const ScanSegment& of = *slice.of;
  std::array<OrdinalRun, kBatch> runs;
  std::array<float, kBatch> scores;
  uint32_t next = slice.first;
  while (next < slice.last) {
    size_t run_count = 0;
    uint32_t room = kBatch;
    while (room > 0) {
      OrdinalRun run = of.selection.NextRun(next, slice.last);
      run.count = std::min(run.count, room);
      next = run.first + run.count;
      if (run.count == 0) break;
      runs[run_count++] = run;
      room -= run.count;
    }
    ScoreRuns(of.sections, query, std::span(runs.data(), run_count), scores.data());
    // Below every score until the top k is full.
    const float least = best->full() ? best->threshold() : -2.0f;
    const float* score = scores.data();
    for (size_t r = 0; r < run_count; ++r) {
      for (uint32_t i = 0; i < runs[r].count; ++i, ++score) {
        if (*score >= least) best->Push(*score, of.segment->ChunkAt(runs[r].first + i));
      }
    }
  }
}

namespace {

// Scores `count` contiguous blocks and pushes what is selected and good enough.
void ScanBlocks(const ScanSegment& of, uint32_t first_block, uint32_t count,
                const VectorQuery& query, TopK<uint16_t>* best) {
  std::array<uint32_t, kBlocks> kept;
  std::array<uint16_t, kBlocks * kBlockVectors> scores;
  const size_t bytes = query.values.size() / 8;
  const uint8_t* blocks = of.sections.signatures->item(first_block);
  size_t kept_count = count;
  const bool full = best->full();
  if (full) {
    // Positions ascend, so a tie with the worst of a full top k never enters it.
    kept_count = ScanSignatureBlocks(blocks, count, bytes, query.lookup.data(), best->threshold(),
                                     kept.data(), scores.data());
  } else {
    ScoreSignatureBlocks(blocks, count, bytes, query.lookup.data(), scores.data());
    for (uint32_t i = 0; i < count; ++i) kept[i] = i;
  }
  for (size_t k = 0; k < kept_count; ++k) {
    const uint32_t block = first_block + kept[k];
    for (uint32_t mask = of.selection.Mask(block); mask != 0; mask &= mask - 1) {
      const auto vector = static_cast<uint32_t>(std::countr_zero(mask));
      const uint16_t score = scores[k * kBlockVectors + vector];
      if (full && score <= best->threshold()) continue;
      best->Push(score, of.segment->first_position + block * kBlockVectors + vector);
    }
  }
}

}  // namespace

void ScanSignatures(const ScanSlice& slice, const VectorQuery& query, TopK<uint16_t>* best) {
  const ScanSegment& of = *slice.of;
  const uint32_t end = (slice.last + kBlockVectors - 1) / kBlockVectors;
  uint32_t block = slice.first / kBlockVectors;
  while (block < end) {
    if (of.selection.Mask(block) == 0) {
      ++block;
      continue;
    }
    const uint32_t most =
        std::min({end - block, kBlocks, ItemsToPageEnd(*of.sections.signatures, block)});
    uint32_t count = 1;  // up to the last block wanted; scanning small gaps keeps memory streaming
    for (uint32_t i = 1; i < most && i - count < kBridgedBlocks; ++i) {
      if (of.selection.Mask(block + i) != 0) count = i + 1;
    }
    ScanBlocks(of, block, count, query, best);
    block += count;
  }
}

}  // namespace recall
