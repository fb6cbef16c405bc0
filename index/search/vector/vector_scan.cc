#include "index/search/vector/vector_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "index/embed/vector_space/delta_record.h"
#include "index/embed/vector_space/sign_codes.h"
#include "index/search/vector/vector_checksum.h"
#include "simd/kernels.h"

namespace recall {
namespace {

// Scans and scores the vectors of one segment. Memory access decides the time here: the kernels
// compute faster than memory delivers.
//
//   ScanExact      full vectors in order     AddRange: a run of rows, then select by mask
//                                            AddBlock: gather the selected rows, score by batch
//   ScoreOrdinals  full vectors at random    rows read or prefetched in batches of 1024
//   ScanSignCodes  blocks of 32 sign codes   ScanAll: all blocks, or scattered ones with prefetch
//                                            ScanProbedLists: the blocks of the probed IVF lists
//   ScoreSignCodes blocks of 32 sign codes   keeps the score of each vector; ScanSignCodes drops
//                                            those below a threshold that rises during the scan
//
// Sign codes: a block of 32 vectors is stored transposed, one byte of each vector side by side, so
// that one SIMD shuffle looks up four dimensions of all 32 vectors (fast scan; simd/kernels.h). The
// kernel returns only vectors above the shortlist's threshold, which rises during the scan.
//
// Selection: reading everything in order is faster than skipping if a large enough part is wanted.
// kStreamedPerWanted and kStreamedPerSelected are the measured break-even points; they affect the
// time only, never the result.
//
// Invariants: scores are integer sums (sign codes), or an integer dot product and one fixed order
// of float operations (Cosine), so every path gives the same bits. Scales, slots and chunk ids are
// bounded before use, because they may be damaged.
//
// Damage: each vector of a shortlist is compared with its checksum; of an exact scan only those
// that can enter the top k. Sign codes are not compared: they decide only which vectors are scored.
//
// Cost: dim / 8 bytes for each sign code, dim + 4 bytes for each full score. Errors of sign codes:
// see LeastSignCodeScore.

constexpr uint32_t kScoreBatch = 1024;  // vectors scored between two updates of the threshold
static_assert(kScoreBatch <= kMostVerified);
constexpr uint32_t kBlocks = 64;  // sign-code blocks passed to the kernel at once
// Reading a single block takes as long as reading three adjacent blocks (measured for 256
// dimensions: 165 ns and 56 ns). If at least a third of a range of blocks is wanted, all are read.
constexpr uint32_t kStreamedPerWanted = 3;
// Reading a scattered row takes as long as reading two adjacent rows if half of the rows are
// selected (30 and 14 ns). If fewer are selected, they are farther apart and each takes up to 70
// ns.
constexpr uint32_t kStreamedPerSelected = 2;
constexpr uint32_t kBlockVectors = static_cast<uint32_t>(kSignCodeBlock);

// Items from `index` to the end of its page, which are contiguous.
uint32_t ItemsToPageEnd(const SectionView& view, uint32_t index) {
  return view.items_per_page() - index % view.items_per_page();
}

// Copies of rows whose pages this process has not touched, obtained by reads instead of page
// faults. The first search of a process needs a thousand rows on almost as many pages.
class RowCopies final {
 public:
  // Returns: whether the rows were read. Reading is faster only if pages contain few of the rows.
  bool Read(const SectionView& view, std::span<const uint32_t> ordinals, const int8_t** rows) {
    if (!view.reads_faster() ||
        ordinals.size() > SectionView::kReadsPerPage * PagesOf(view, ordinals)) {
      return false;
    }
    bytes_.resize(ordinals.size() * view.item_bytes());
    missing_.clear();
    for (size_t i = 0; i < ordinals.size(); ++i) {
      rows[i] = reinterpret_cast<const int8_t*>(bytes_.data() + i * view.item_bytes());
      if (!view.ReadOrAsk(ordinals[i], RowAt(view, i))) missing_.push_back(i);
    }
    return std::ranges::all_of(missing_,
                               [&](size_t i) { return view.Read(ordinals[i], RowAt(view, i)); });
  }

 private:
  uint8_t* RowAt(const SectionView& view, size_t i) {
    return bytes_.data() + i * view.item_bytes();
  }

  // Requires: ordinals that mostly ascend; otherwise the result is too large.
  static size_t PagesOf(const SectionView& view, std::span<const uint32_t> ordinals) {
    size_t pages = 0;
    uint32_t last = ~uint32_t{0};
    for (const uint32_t ordinal : ordinals) {
      const uint32_t page = view.page_of(ordinal);
      pages += page != last;
      last = page;
    }
    return pages;
  }

  std::vector<uint8_t> bytes_;
  std::vector<size_t> missing_;  // rows whose read was started
};

// Rows that are close together are used in place. All of them are prefetched first, because the
// read that a page fault causes has a size of megabytes.
void AskForRows(const SectionView& view, std::span<const uint32_t> ordinals) {
  if (!view.may_ask()) return;
  constexpr uintptr_t kDiskPage = 4096;
  uintptr_t asked = 0;
  for (const uint32_t ordinal : ordinals) {
    const uintptr_t page = reinterpret_cast<uintptr_t>(view.item(ordinal)) / kDiskPage;
    if (page != asked) view.Ask(ordinal, ordinal + 1);
    asked = page;
  }
}

// Always inlined: GCC treats a function that only prefetches as one without effects and removes the
// calls.
[[gnu::always_inline]] inline void Prefetch(const SectionView& view, uint32_t index) {
  constexpr uint32_t kCacheLine = 64;
  const uint8_t* item = view.item(index);
  for (uint32_t i = 0; i < view.item_bytes(); i += kCacheLine) __builtin_prefetch(item + i);
}

// All ways to compute a score use this order of operations; otherwise equal vectors would not tie.
// `scale` may come directly from disk.
float Cosine(int32_t dot, float query_scale, float scale) {
  const float cosine =
      static_cast<float>(dot) * query_scale * (IsPlausibleScale(scale) ? scale : 0);
  return std::clamp(cosine, -1.0f, 1.0f);
}

// Scores consecutive vectors. Requires: count <= kScoreBatch; all are on one page.
void ScoreContiguous(const VectorSections& sections, const VectorQuery& query, uint32_t first,
                     uint32_t count, float* scores) {
  std::array<int32_t, kScoreBatch> dots;
  const size_t dim = query.values.size();
  const auto* rows = reinterpret_cast<const int8_t*>(sections.vectors->item(first));
  const uint8_t* scales = sections.scales->item(first);
  DotI16I8Rows(query.values.data(), rows, dim, dim, count, dots.data());
  for (uint32_t i = 0; i < count; ++i) {
    scores[i] = Cosine(dots[i], query.scale, LoadLittle<float>(scales + size_t{i} * sizeof(float)));
  }
}

// The rows of a batch, and their scales.
struct ScoredRows {
  std::array<const int8_t*, kScoreBatch> values;
  std::array<float, kScoreBatch> scales;
};

// Compares the vectors whose score is `least` or more with their checksums. Overwrites *rows.
Status VerifyReaching(const VectorSections& sections, std::span<const uint32_t> ordinals,
                      const float* scores, float least, ScoredRows* rows) {
  std::array<uint32_t, kScoreBatch> reaching;
  size_t count = 0;
  for (size_t i = 0; i < ordinals.size(); ++i) {
    if (scores[i] < least) continue;
    reaching[count] = ordinals[i];
    rows->values[count] = rows->values[i];
    rows->scales[count++] = rows->scales[i];
  }
  return VerifyVectors(sections, std::span(reaching).first(count),
                       std::span(rows->values).first(count), std::span(rows->scales).first(count));
}

// Scores the selected vectors of a segment and pushes those that can enter the top k.
class ExactScanner final {
 public:
  ExactScanner(const ScanSegment& of, const VectorQuery& query, TopK<float>* best)
      : of_(of), query_(query), best_(*best) {}

  // Scores all vectors first .. last - 1 in their order in memory and pushes the selected ones.
  Status AddRange(uint32_t first, uint32_t last) {
    const VectorSections& sections = of_.sections;
    RECALL_TRY(sections.vectors->NeedRange(first, last));
    sections.vectors->AskRange(first, last);
    while (first < last) {
      const uint32_t count =
          std::min({last - first, kScoreBatch, ItemsToPageEnd(*sections.vectors, first),
                    ItemsToPageEnd(*sections.scales, first)});
      ScoreContiguous(sections, query_, first, count, scores_.data());
      const float least = Least();
      for (uint32_t i = 0; i < count; ++i) {
        if (scores_[i] >= least && of_.selection.Has(first + i)) {
          RECALL_TRY(Verify(first + i));
          best_.Push(scores_[i], of_.segment->ChunkAt(first + i));
        }
      }
      first += count;
    }
    return Status::Ok();
  }

  // Scores only the vectors whose bit is set; bit v of `mask` stands for vector first + v.
  Status AddBlock(uint32_t first, uint32_t mask) {
    if (count_ > kScoreBatch - kBlockVectors) RECALL_TRY(Flush());
    // Most blocks of a small selection contain one or two vectors. Appending two without a branch
    // avoids mispredictions.
    for (int i = 0; i < 2; ++i, mask &= mask - 1) {
      ordinals_[count_] = first + static_cast<uint32_t>(std::countr_zero(mask));
      count_ += mask != 0;
    }
    for (; mask != 0; mask &= mask - 1) {
      ordinals_[count_++] = first + static_cast<uint32_t>(std::countr_zero(mask));
    }
    return Status::Ok();
  }

  Status Flush() {
    const float least = Least();
    RECALL_TRY(ScoreOrdinals(of_.sections, query_, std::span(ordinals_.data(), count_),
                             scores_.data(), least));
    for (size_t i = 0; i < count_; ++i) {
      if (scores_[i] >= least) best_.Push(scores_[i], of_.segment->ChunkAt(ordinals_[i]));
    }
    count_ = 0;
    return Status::Ok();
  }

 private:
  Status Verify(uint32_t ordinal) const {
    const VectorSections& sections = of_.sections;
    const auto* const values = reinterpret_cast<const int8_t*>(sections.vectors->item(ordinal));
    const auto scale = LoadLittle<float>(sections.scales->item(ordinal));
    return VerifyVectors(sections, {&ordinal, 1}, {&values, 1}, {&scale, 1});
  }

  // Below every score until the top k is full.
  float Least() const { return best_.full() ? best_.threshold() : kBelowCosines; }

  const ScanSegment& of_;
  const VectorQuery& query_;
  TopK<float>& best_;
  size_t count_ = 0;
  std::array<uint32_t, kScoreBatch + 2> ordinals_;  // two more: AddBlock writes before it checks
  std::array<float, kScoreBatch> scores_;
};

}  // namespace

float ScoreVector(const VectorQuery& query, const QuantizedVector& vector) {
  const int32_t dot = DotI16I8(query.values.data(), vector.values.data(), query.values.size());
  return Cosine(dot, query.scale, vector.scale);
}

Status ScoreOrdinals(const VectorSections& sections, const VectorQuery& query,
                     std::span<const uint32_t> ordinals, float* scores, float least) {
  RECALL_TRY(sections.vectors->Need(ordinals));
  RowCopies copies;
  ScoredRows rows;
  std::array<int32_t, kScoreBatch> dots;
  while (!ordinals.empty()) {
    const size_t count = std::min<size_t>(ordinals.size(), kScoreBatch);
    const bool copied = copies.Read(*sections.vectors, ordinals.first(count), rows.values.data());
    if (!copied) AskForRows(*sections.vectors, ordinals.first(count));
    for (size_t i = 0; i < count; ++i) {
      if (!copied) {
        rows.values[i] = reinterpret_cast<const int8_t*>(sections.vectors->item(ordinals[i]));
      }
      rows.scales[i] = LoadLittle<float>(sections.scales->item(ordinals[i]));
    }
    // Products first: their kernel prefetches the rows, so that the checksums find them in a cache.
    DotI16I8Gather(query.values.data(), rows.values.data(), query.values.size(), count,
                   dots.data());
    for (size_t i = 0; i < count; ++i) scores[i] = Cosine(dots[i], query.scale, rows.scales[i]);
    RECALL_TRY(VerifyReaching(sections, ordinals.first(count), scores, least, &rows));
    scores += count;
    ordinals = ordinals.subspan(count);
  }
  return Status::Ok();
}

Status ScanExact(const ScanSlice& slice, const VectorQuery& query, TopK<float>* best) {
  const VectorSelection& selection = slice.of->selection;
  ExactScanner scanner(*slice.of, query, best);
  if (selection.masks() == nullptr) return scanner.AddRange(slice.first, slice.last);
  for (uint32_t first = slice.first; first < slice.last; first += kScoreBatch) {
    const uint32_t last = std::min(slice.last, first + kScoreBatch);
    const uint32_t end = (last + kBlockVectors - 1) / kBlockVectors;
    const auto masks = std::span(selection.masks(), end).subspan(first / kBlockVectors);
    const uint64_t selected =
        CountBits(reinterpret_cast<const uint8_t*>(masks.data()), masks.size_bytes());
    if (selected * kStreamedPerSelected >= last - first) {
      RECALL_TRY(scanner.AddRange(first, last));
      continue;
    }
    for (size_t i = 0; i < masks.size(); ++i) {
      RECALL_TRY(scanner.AddBlock(first + static_cast<uint32_t>(i) * kBlockVectors, masks[i]));
    }
  }
  return scanner.Flush();
}

uint16_t MaxSignCodeScore(const VectorQuery& query) {
  constexpr size_t kByteToUpperBound = 62;
  return static_cast<uint16_t>(query.values.size() / 8 * kByteToUpperBound);
}

// Let two unit vectors with cosine c be rotated at random in n dimensions, and let b be the signs
// of the first. The dot product of b with the second, divided by sqrt(2n / pi), has the mean c. Its
// variance is
//
//   (pi/2 - 1) (1 - c^2) / n    from the part across: b does not determine its vector
//   (pi/2 - 3/2) c^2 / n        from the part along: the sum of the vector's magnitudes varies
//
// and each of the n / 4 look-ups, which are rounded to integers, adds 1/12 to the variance of the
// score.
uint16_t LeastSignCodeScore(const VectorQuery& query, float cosine) {
  constexpr float kDeviations = 2.5f;
  constexpr float kHalfPi = std::numbers::pi_v<float> / 2;
  const auto dim = static_cast<float>(query.values.size());
  const float mean = query.sign_code_at_zero + query.sign_code_per_cosine * cosine;
  const float of_signs =
      query.sign_code_per_cosine * query.sign_code_per_cosine * (kHalfPi - 1 - cosine * cosine / 2);
  const float least = mean - kDeviations * std::sqrt(of_signs / dim + dim / 48);
  return static_cast<uint16_t>(
      std::clamp(std::ceil(least), 0.0f, static_cast<float>(MaxSignCodeScore(query))));
}

namespace {

// The first run of adjacent blocks at or after `block`, on one page, each of which contains
// wanted vectors.
OrdinalRun FindStretch(const SectionView& sign_codes, const uint32_t* wanted, uint32_t block,
                       uint32_t end) {
  while (block < end && wanted[block] == 0) ++block;
  const uint32_t room = std::min({end - block, kBlocks, ItemsToPageEnd(sign_codes, block)});
  uint32_t count = 0;
  while (count < room && wanted[block + count] != 0) ++count;
  return {block, count};
}

// Scans the sign codes of one slice.
class SignCodeScanner final {
 public:
  SignCodeScanner(const ScanSlice& slice, const VectorQuery& query, Shortlist* best)
      : slice_(slice), of_(*slice.of), query_(query), best_(*best) {
    wanted_ = of_.lists.slots != nullptr ? slice.slots : of_.selection.masks();
  }

  Status Run() {
    return of_.lists.slots != nullptr && wanted_ != nullptr ? ScanProbedLists() : ScanAll();
  }

 private:
  Status ScanAll() {
    const SectionView& sign_codes = *of_.sections.sign_codes;
    const uint32_t end = EndBlock();
    for (uint32_t block = slice_.first / kBlockVectors; block < end;) {
      const uint32_t count = std::min({end - block, kBlocks, ItemsToPageEnd(sign_codes, block)});
      const uint32_t wanted = CountWanted(block, count);
      if (wanted > 0) RECALL_TRY(sign_codes.NeedRange(block, block + count));
      if (wanted * kStreamedPerWanted >= count) {
        ScanBlocks(block, count);
      } else if (wanted > 0) {
        ScanScattered(block, count);
      }
      block += count;
    }
    return Status::Ok();
  }

  // The blocks of the probed lists form runs, with long gaps between them.
  Status ScanProbedLists() {
    const SectionView& sign_codes = *of_.sections.sign_codes;
    constexpr uint32_t kAhead = 4;
    OrdinalRun stretch = FindStretch(sign_codes, wanted_, slice_.first / kBlockVectors, EndBlock());
    while (stretch.count > 0) {
      RECALL_TRY(sign_codes.NeedRange(stretch.first, stretch.first + stretch.count));
      const OrdinalRun next =
          FindStretch(sign_codes, wanted_, stretch.first + stretch.count, EndBlock());
      RECALL_TRY(sign_codes.NeedRange(next.first, next.first + next.count));
      // The CPU prefetches the rest itself once it sees a sequential access.
      for (uint32_t i = 0; i < std::min(next.count, kAhead); ++i) {
        Prefetch(sign_codes, next.first + i);
        Prefetch(*of_.lists.slots, (next.first + i) * kBlockVectors);
      }
      ScanBlocks(stretch.first, stretch.count);
      stretch = next;
    }
    return Status::Ok();
  }

  uint32_t EndBlock() const { return (slice_.last + kBlockVectors - 1) / kBlockVectors; }
  uint32_t CountWanted(uint32_t block, uint32_t count) const {
    if (wanted_ == nullptr) return count;
    return static_cast<uint32_t>(std::count_if(wanted_ + block, wanted_ + block + count,
                                               [](uint32_t mask) { return mask != 0; }));
  }

  // Scores `count` contiguous blocks and pushes the wanted vectors that reach the threshold.
  void ScanBlocks(uint32_t first_block, uint32_t count) {
    std::array<SignCodeHits, kBlocks> kept;
    std::array<uint16_t, kBlocks * kBlockVectors> scores;
    const size_t bytes = query_.values.size() / 8;
    const uint8_t* blocks = of_.sections.sign_codes->item(first_block);
    const uint32_t* wanted = wanted_ ? wanted_ + first_block : nullptr;
    size_t kept_count = count;
    if (best_.least() > 0) {
      const auto threshold = static_cast<uint16_t>(best_.least() - 1);
      kept_count = ScanSignCodeBlocks(blocks, count, bytes, query_.lookup.data(), threshold, wanted,
                                      kept.data(), scores.data());
    } else {
      ScoreSignCodeBlocks(blocks, count, bytes, query_.lookup.data(), scores.data());
      for (uint32_t i = 0; i < count; ++i) kept[i] = {i, wanted ? wanted[i] : ~uint32_t{0}};
    }
    for (size_t k = 0; k < kept_count; ++k) {
      Push(first_block + kept[k].block, kept[k].hits, scores.data() + k * kBlockVectors);
    }
  }

  void Push(uint32_t block, uint32_t hits, const uint16_t* scores) {
    const bool by_list = of_.lists.slots != nullptr;
    if (!by_list) hits &= of_.selection.Mask(block);
    for (; hits != 0; hits &= hits - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(hits));
      uint32_t ordinal = block * kBlockVectors + lane;
      if (by_list) {
        if (ordinal >= of_.segment->vectors) return;  // lanes without a vector
        ordinal = of_.lists.OrdinalAt(ordinal);
        if (ordinal >= of_.segment->vectors || !of_.selection.Has(ordinal)) continue;
      }
      best_.Push(scores[lane], of_.segment->first_position + ordinal);
    }
  }

  // Scores the wanted blocks among first .. first + count - 1. They are prefetched, because the CPU
  // cannot predict the next address.
  void ScanScattered(uint32_t first, uint32_t count) {
    constexpr size_t kAhead = 4;
    const SectionView& sign_codes = *of_.sections.sign_codes;
    std::array<uint32_t, kBlocks> wanted;
    size_t wanted_count = 0;
    for (uint32_t block = first; block < first + count; ++block) {
      if (wanted_[block] != 0) wanted[wanted_count++] = block;
    }
    for (size_t i = 0; i < std::min(kAhead, wanted_count); ++i) Prefetch(sign_codes, wanted[i]);
    for (size_t i = 0; i < wanted_count; ++i) {
      if (i + kAhead < wanted_count) Prefetch(sign_codes, wanted[i + kAhead]);
      ScanBlocks(wanted[i], 1);
    }
  }

  const ScanSlice& slice_;
  const ScanSegment& of_;
  const VectorQuery& query_;
  Shortlist& best_;
  const uint32_t* wanted_;  // one word for each block; null: all
};

Status AskForAll(const SectionView& section) {
  RECALL_TRY(section.NeedRange(0, section.items()));
  for (uint32_t first = 0; first < section.items();) {
    const uint32_t end = std::min(section.items(), first + section.items_per_page());
    section.Ask(first, end);
    first = end;
  }
  return Status::Ok();
}

}  // namespace

Status AskForSignCodes(const ScanSegment& of, std::span<const uint32_t> slots) {
  const SectionView& sign_codes = *of.sections.sign_codes;
  if (of.lists.slots == nullptr || !sign_codes.may_ask()) return Status::Ok();
  if (slots.empty()) return AskForAll(sign_codes);
  std::vector<uint32_t> blocks;
  for (uint32_t block = 0; block < slots.size(); ++block) {
    if (slots[block] != 0) blocks.push_back(block);
  }
  RECALL_TRY(sign_codes.Need(blocks));
  const auto end = static_cast<uint32_t>(slots.size());
  OrdinalRun stretch = {0, 0};
  do {
    stretch = FindStretch(sign_codes, slots.data(), stretch.first + stretch.count, end);
    if (stretch.count > 0) sign_codes.Ask(stretch.first, stretch.first + stretch.count);
  } while (stretch.count > 0);
  return Status::Ok();
}

Status ScanSignCodes(const ScanSlice& slice, const VectorQuery& query, Shortlist* best) {
  return SignCodeScanner(slice, query, best).Run();
}

Status ScoreSignCodes(const ScanSlice& slice, const VectorQuery& query, SignCodeScores* scores) {
  const ScanSegment& of = *slice.of;
  const SectionView& sign_codes = *of.sections.sign_codes;
  const size_t bytes = query.values.size() / 8;
  const auto score = [&](uint32_t block, uint32_t count, const uint32_t* wanted) {
    uint16_t* const ranks =
        scores->Append(of.segment->first_position + block * kBlockVectors, count);
    RankSignCodeBlocks(sign_codes.item(block), count, bytes, query.lookup.data(), wanted, ranks);
  };
  std::array<uint32_t, kBlocks> wanted;
  const uint32_t end = (slice.last + kBlockVectors - 1) / kBlockVectors;
  for (uint32_t block = slice.first / kBlockVectors; block < end;) {
    const uint32_t count = std::min({end - block, kBlocks, ItemsToPageEnd(sign_codes, block)});
    std::array<uint32_t, kBlocks> places;
    uint32_t some = 0;  // blocks with a wanted vector
    for (uint32_t i = 0; i < count; ++i) {
      wanted[i] = of.selection.Mask(block + i);
      places[some] = i;
      some += wanted[i] != 0;
    }
    if (some > 0) RECALL_TRY(sign_codes.NeedRange(block, block + count));
    if (some * kStreamedPerWanted >= count) {
      score(block, count, wanted.data());
    } else {
      // The CPU cannot predict the next address.
      for (uint32_t i = 0; i < some; ++i) Prefetch(sign_codes, block + places[i]);
      for (uint32_t i = 0; i < some; ++i) score(block + places[i], 1, &wanted[places[i]]);
    }
    block += count;
  }
  return Status::Ok();
}

namespace {

// Puts the sign codes of up to 32 vectors of the delta into a block.
void FillBlock(std::span<const DeltaVector> vectors, uint8_t* block) {
  for (size_t i = 0; i < vectors.size(); ++i) {
    PutSignCode(vectors[i].vector->vector.values, i, block);
  }
}

}  // namespace

void ScanSignCodes(std::span<const DeltaVector> vectors, const VectorQuery& query,
                   Shortlist* best) {
  const size_t bytes = query.values.size() / 8;
  std::vector<uint8_t> block(bytes * kSignCodeBlock);
  std::array<uint16_t, kSignCodeBlock> scores;
  for (; !vectors.empty(); vectors = vectors.subspan(std::min(vectors.size(), kSignCodeBlock))) {
    const auto some = vectors.first(std::min(vectors.size(), kSignCodeBlock));
    FillBlock(some, block.data());
    ScoreSignCodeBlocks(block.data(), 1, bytes, query.lookup.data(), scores.data());
    for (size_t i = 0; i < some.size(); ++i) best->Push(scores[i], some[i].position);
  }
}

void ScoreSignCodes(std::span<const DeltaVector> vectors, const VectorQuery& query,
                    SignCodeScores* scores) {
  const size_t bytes = query.values.size() / 8;
  std::vector<uint8_t> block(bytes * kSignCodeBlock);
  for (; !vectors.empty(); vectors = vectors.subspan(std::min(vectors.size(), kSignCodeBlock))) {
    const auto some = vectors.first(std::min(vectors.size(), kSignCodeBlock));
    FillBlock(some, block.data());
    const uint32_t wanted = ~uint32_t{0} >> (kSignCodeBlock - some.size());
    RankSignCodeBlocks(block.data(), 1, bytes, query.lookup.data(), &wanted,
                       scores->Append(some.front().position, 1));
  }
}

}  // namespace recall
