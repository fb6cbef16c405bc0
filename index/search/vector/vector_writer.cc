#include "index/search/vector/vector_writer.h"

#include <algorithm>
#include <vector>

#include "index/embed/vector_space/delta_record.h"
#include "index/search/columns/chunk_columns.h"
#include "index/search/columns/column_segment.h"
#include "index/search/vector/segment_builder.h"
#include "index/search/vector/segment_ivf_lists.h"
#include "index/search/vector/vector_sections.h"
#include "index/search/vector/vector_selection.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"

namespace recall {
namespace {

// The log-structured merge policy of vectors.
//
//   commit --> delta: one row per vector, fewer than 4,096
//                |  full: delta and new vectors together
//                v
//              level 0: 4,096 .. 32,767 --8 neighbours--> level 1: 32,768 .. --2--> level 2: 65,536
//
// Problem: a segment is immutable, because readers map its pages. Small commits must not write
// large segments, and a store must not have many small ones.
//
// Idea: as in an LSM tree, each vector is rewritten a bounded number of times: once from the delta
// to a segment, then once for each level. Only neighbours are merged, so segments stay ordered by
// chunk rowid and never overlap. A merge of more than 65,536 vectors gives a full segment and a
// rest.
//
// Invariants: the delta is above every segment (the oldest vectors leave it first). Each step is
// one transaction, which a crash undoes. Merges keep the vectors of removed chunks for snapshots;
// only PurgeVectorsOnce deletes them, after the horizon has passed. Content is copied bit by bit,
// with its IVF list, so a merge never changes an answer.
//
// Cost: amortised O(levels) rewrites for each vector; memory of the merged segments (at most two
// full ones), plus their page writes in the WAL.

constexpr uint32_t kFanOut = 8;

// The properties of a live segment that the merge policy uses.
struct SegmentState {
  int64_t id;
  uint32_t vectors;
  uint32_t removed;
  bool has_other_layout = false;
};

Status InsertDelta(WriteTransaction& transaction, std::span<const ChunkVector* const> vectors) {
  for (const ChunkVector* vector : vectors) {
    const std::string record = EncodeDeltaRecord(*vector);
    RECALL_TRY(transaction.InsertDelta(vector->chunk, AsBytes(record)));
  }
  return Status::Ok();
}

Status InsertSegment(WriteTransaction& transaction, const VectorGeometry& space,
                     std::span<const ChunkVector* const> vectors) {
  SegmentBuilder builder(space);
  for (const ChunkVector* vector : vectors) {
    builder.Add({vector->chunk, SaturateTokens(vector->lexical_tokens),
                 SaturateTokens(vector->tokens), vector->vector.scale, vector->vector.values.data(),
                 vector->vector.list});
  }
  return internal::ToStatus(transaction.InsertSegment(builder.Finish()));
}

Result<std::vector<SegmentState>> ReadStates(const WriteTransaction& transaction,
                                             const Bitmap& removed) {
  std::vector<SegmentState> states;
  RECALL_ASSIGN(const auto readers, transaction.Segments());
  for (const auto& reader : readers) {
    RECALL_ASSIGN(const auto segment, ColumnSegment::Open(*reader));
    const VectorSelection kept(segment, {.allowed = nullptr, .removed = &removed});
    states.push_back({reader->info().id, segment.vectors, segment.vectors - kept.count(),
                      reader->info().has_other_layout});
  }
  return states;
}

// Appends the vectors of one segment that are not removed; a full builder becomes a segment.
Status CopyKept(const SegmentReader& reader, const VectorGeometry& space, const Bitmap& removed,
                SegmentBuilder* builder, std::vector<SegmentContent>* full) {
  RECALL_ASSIGN(const auto segment, ColumnSegment::Open(reader));
  RECALL_ASSIGN(const VectorSections sections, OpenVectors(segment, space, false));
  RECALL_ASSIGN(const SectionView* const token_counts, OpenTokenCounts(segment));
  RECALL_ASSIGN(const SegmentIvfLists by_list, OpenIvfLists(segment));
  const std::vector<uint16_t> lists = ListsOfVectors(segment, by_list);
  if (sections.vectors) RECALL_TRY(sections.vectors->NeedRange(0, segment.vectors));
  const VectorSelection kept(segment, {.allowed = nullptr, .removed = &removed});
  uint32_t next = 0;
  for (;;) {
    const OrdinalRun run = kept.NextRun(next, segment.vectors);
    if (run.count == 0) return Status::Ok();
    next = run.first + run.count;
    for (uint32_t ordinal = run.first; ordinal < next; ++ordinal) {
      const uint8_t* counts = token_counts->item(ordinal);
      builder->Add(
          {segment.ChunkAt(ordinal), LoadLittle<uint16_t>(counts), LoadLittle<uint16_t>(counts + 2),
           sections.scales ? LoadLittle<float>(sections.scales->item(ordinal)) : 0,
           sections.vectors ? reinterpret_cast<const int8_t*>(sections.vectors->item(ordinal))
                            : nullptr,
           lists[ordinal]});
      if (builder->size() == kMaxSegmentVectors) full->push_back(builder->Finish());
    }
  }
}

// Replaces neighbouring segments by as few segments as their kept vectors need.
Status RewriteSegments(WriteTransaction& transaction, const VectorGeometry& space,
                       const Bitmap& removed, std::span<const SegmentState> states) {
  std::vector<SegmentContent> contents;
  SegmentBuilder builder(space);
  RECALL_ASSIGN(const auto readers, transaction.Segments());
  for (const SegmentState& state : states) {
    const auto reader = std::find_if(readers.begin(), readers.end(), [&](const auto& candidate) {
      return candidate->info().id == state.id;
    });
    RECALL_CHECK(reader != readers.end());
    RECALL_TRY(CopyKept(**reader, space, removed, &builder, &contents));
  }
  if (builder.size() > 0) contents.push_back(builder.Finish());
  for (const SegmentState& state : states) RECALL_TRY(transaction.DeleteSegment(state.id));
  for (const SegmentContent& content : contents) {
    RECALL_TRY(transaction.InsertSegment(content));
  }
  return Status::Ok();
}

// 0: fewer vectors than `second_level`, 1: not full, 2: full.
int LevelOf(const SegmentState& state, uint32_t second_level) {
  if (state.vectors >= kMaxSegmentVectors) return 2;
  return state.vectors >= second_level ? 1 : 0;
}

// The neighbours to merge, or none. Segments of a level are merged when there are eight of them, or
// enough vectors for the next level. Two segments of the next level always fill a segment; the rest
// becomes another one.
std::span<const SegmentState> ChooseMerge(std::span<const SegmentState> states,
                                          uint32_t second_level) {
  size_t begin = 0;
  uint32_t vectors = 0;
  for (size_t i = 0; i < states.size(); ++i) {
    const int level = LevelOf(states[i], second_level);
    if (i == begin || level != LevelOf(states[begin], second_level) || level == 2) {
      begin = i;
      vectors = 0;
    }
    vectors += states[i].vectors;
    const size_t count = i - begin + 1;
    if (level == 2 || count < 2) continue;
    if (count == kFanOut || vectors >= second_level) {
      return states.subspan(begin, count);
    }
  }
  return {};
}

// The first neighbours that fit into fewer segments, with all that follow until one segment is
// full, or none.
std::span<const SegmentState> ChooseFill(std::span<const SegmentState> states) {
  for (size_t i = 0; i + 1 < states.size(); ++i) {
    if (states[i].vectors >= kMaxSegmentVectors) continue;
    uint32_t vectors = states[i].vectors;
    size_t count = 1;
    while (i + count < states.size() && vectors < kMaxSegmentVectors) {
      vectors += states[i + count++].vectors;
    }
    return states.subspan(i, count);
  }
  return {};
}

// A segment that becomes readable in place when it is written again, or none.
std::span<const SegmentState> ChooseUnmappable(std::span<const SegmentState> states) {
  const auto found = std::ranges::find(states, true, &SegmentState::has_other_layout);
  return found == states.end() ? std::span<const SegmentState>() : std::span(found, 1);
}

}  // namespace

int SegmentLevel(uint32_t vectors) {
  return LevelOf({.id = 0, .vectors = vectors, .removed = 0, .has_other_layout = false},
                 kFanOut * kDeltaFlushVectors);
}

Status AppendVectors(WriteTransaction& transaction, const VectorGeometry& space,
                     std::span<const ChunkVector> vectors) {
  std::vector<const ChunkVector*> rows;
  RECALL_ASSIGN(const int64_t waiting, transaction.DeltaSize());
  std::vector<ChunkVector> delta;
  const uint32_t enough = transaction.flush_vectors();
  if (static_cast<uint64_t>(waiting) + vectors.size() >= enough) {
    RECALL_ASSIGN(delta, ReadDelta(transaction, space));
    for (const ChunkVector& vector : delta) rows.push_back(&vector);
  }
  for (const ChunkVector& vector : vectors) {
    RECALL_CHECK(vector.vector.values.size() == space.padded_dim());
    rows.push_back(&vector);
  }
  // The oldest vectors leave the delta first, so the rest of it stays above every segment.
  if (!delta.empty()) {
    RECALL_TRY(transaction.DeleteDelta(delta.front().chunk, delta.back().chunk));
  }
  std::span<const ChunkVector* const> left = rows;
  while (left.size() >= enough) {
    const size_t count = std::min<size_t>(left.size(), kMaxSegmentVectors);
    RECALL_TRY(InsertSegment(transaction, space, left.first(count)));
    left = left.subspan(count);
  }
  return InsertDelta(transaction, left);
}

Result<bool> MergeSegmentsOnce(WriteTransaction& transaction, const VectorGeometry& space) {
  RECALL_ASSIGN(const std::vector<SegmentState> states, ReadStates(transaction, {}));
  const std::span<const SegmentState> chosen =
      ChooseMerge(states, kFanOut * transaction.flush_vectors());
  if (chosen.empty()) return false;
  RECALL_TRY(RewriteSegments(transaction, space, {}, chosen));
  return true;
}

Result<bool> FillSegmentsOnce(WriteTransaction& transaction, const VectorGeometry& space) {
  RECALL_ASSIGN(const std::vector<SegmentState> states, ReadStates(transaction, {}));
  std::span<const SegmentState> chosen = ChooseFill(states);
  if (chosen.empty()) chosen = ChooseUnmappable(states);
  if (chosen.empty()) return false;
  RECALL_TRY(RewriteSegments(transaction, space, {}, chosen));
  return true;
}

Result<bool> PurgeVectorsOnce(WriteTransaction& transaction, const VectorGeometry& space,
                              const Bitmap& removed) {
  RECALL_ASSIGN(const std::vector<SegmentState> states, ReadStates(transaction, removed));
  for (const SegmentState& state : states) {
    if (state.removed == 0) continue;
    RECALL_TRY(RewriteSegments(transaction, space, removed, {&state, 1}));
    return true;
  }
  RECALL_ASSIGN(const auto delta, transaction.Delta());
  for (const auto& record : delta) {
    if (!removed.Contains(record.chunk)) continue;
    RECALL_TRY(transaction.DeleteDelta(record.chunk, record.chunk));
  }
  return false;
}

}  // namespace recall
