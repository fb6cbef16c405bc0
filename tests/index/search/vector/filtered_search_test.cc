// Random stores and random filters, compared with brute force.

#include <array>

#include "index/embed/vector_space/delta_record.h"
#include "index/search/vector/vector_selection.h"
#include "tests/index/search/vector/vector_test_util.h"

namespace recall {
namespace {

// A store with segments of any shape, a delta and tombstones, and an equal map in memory.
class RandomVectorStore {
 public:
  explicit RandomVectorStore(uint64_t seed)
      : random_(seed), space_(std::array{8u, 64u, 100u}[random_() % 3], 42) {
    StoreSettings settings;
    settings.dim = space_.dim();
    auto store = Store::Create(directory_ / "recall.db", settings);
    EXPECT_TRUE(store.has_value());
    store_ = std::move(*store);
  }

  void Fill() {
    ClusteredVectors source(random_(), space_.dim(), 20);
    ASSERT_OK_AND_ASSIGN(auto write, store_->BeginWrite());
    const int segments = static_cast<int>(random_() % 5);
    for (int i = 0; i < segments; ++i) {
      const uint32_t first = rows_;
      AddVectors(source, 1 + Below(3000));
      ASSERT_OK(write->InsertSegment(MakeSegment(space_, model_, first, rows_ - 1)));
    }
    delta_ = rows_;
    AddVectors(source, Below(segments == 0 ? 2000 : 300));
    for (auto it = model_.lower_bound(delta_); it != model_.end(); ++it) {
      ASSERT_OK(write->InsertDelta(it->first, AsBytes(EncodeDeltaRecord(it->second))));
    }
    ASSERT_OK(write->Commit());
    write.reset();
    for (int i = 0; i < 3; ++i) queries_.push_back(space_.PrepareQuery(source.Next()));
    for (uint32_t row = 0; row < rows_; row += 1 + Below(20)) {
      if (Below(4) == 0) removed_.AddRange(row, row + Below(10));
    }
    ASSERT_OK_AND_ASSIGN(read_, store_->BeginRead());
    ASSERT_OK_AND_ASSIGN(columns_, ChunkColumns::Open(*read_, space_));
  }

  // Filters of every kind: nothing, one chunk, all, more than all, ranges, documents, scattered
  // rows, removed chunks only, and runs that begin and end with a container or a word.
  std::vector<Bitmap> Sets() {
    std::vector<Bitmap> sets(5);
    sets[1].Add(Below(rows_ + 1));
    sets[2].AddRange(0, rows_);
    sets[3].AddRange(0, 0xffffffff);
    sets[4] = removed_;
    for (int i = 0; i < 3; ++i) {
      const uint32_t first = Below(rows_ + 1);
      sets.emplace_back().AddRange(first, first + Below(rows_ + 1));
      sets.emplace_back().AddRange(first / 65'536 * 65'536, first | 0xffff);
      sets.emplace_back().AddRange(first / 32 * 32, first | 31);
    }
    for (const uint32_t one_in : {2u, 5u, 50u}) {
      Bitmap& rows = sets.emplace_back();
      Bitmap& documents = sets.emplace_back();
      for (const auto& [chunk, vector] : model_) {
        if (Below(one_in) == 0) rows.Add(chunk);
      }
      for (uint32_t row = 0; row < rows_; row += 1 + Below(30)) {
        if (Below(one_in) == 0) documents.AddRange(row, row + Below(12));
      }
    }
    return sets;
  }

  uint32_t Below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  const VectorModel& model() const { return model_; }
  const std::vector<VectorQuery>& queries() const { return queries_; }
  const Bitmap& removed() const { return removed_; }
  const ChunkColumns& columns() const { return *columns_; }

 private:
  // With no gaps in the rowids, some gaps, a third missing, most missing, or one large gap that
  // spans containers.
  void AddVectors(ClusteredVectors& source, uint32_t count) {
    const uint32_t kind = Below(5);
    for (uint32_t i = 0; i < count; ++i) {
      if (kind == 1 && Below(40) == 0) rows_ += 1 + Below(12);
      if (kind == 2 && Below(3) == 0) ++rows_;
      if (kind == 3) rows_ += Below(300);
      if (kind == 4 && i == count / 2) rows_ += Below(1'000'000);
      const bool tie = i % 4 == 1 && model_.contains(rows_ - 1);
      ChunkVector vector =
          tie ? model_.at(rows_ - 1) : MakeChunkVector(space_, rows_, source.Next());
      vector.chunk = rows_;
      model_[rows_++] = std::move(vector);
    }
  }

  std::mt19937_64 random_;
  TempDir directory_;
  VectorSpace space_;
  std::unique_ptr<Store> store_;
  VectorModel model_;
  uint32_t rows_ = 0;   // allocated chunk rowids
  uint32_t delta_ = 0;  // the first rowid in the delta
  std::vector<VectorQuery> queries_;
  Bitmap removed_;
  std::unique_ptr<ReadTransaction> read_;
  std::unique_ptr<ChunkColumns> columns_;
};

std::vector<ChunkFilter> FiltersOf(const std::vector<Bitmap>& sets, const Bitmap& removed) {
  std::vector<ChunkFilter> filters = {{nullptr, nullptr}, {nullptr, &removed}};
  for (const Bitmap& allowed : sets) {
    filters.push_back({&allowed, nullptr});
    filters.push_back({&allowed, &removed});
  }
  return filters;
}

constexpr int kStores = 12;

TEST(FilteredSearchTest, SelectionsAreTheVectorsThatPass) {
  for (int round = 0; round < kStores; ++round) {
    RandomVectorStore store(TestSeed(100) + static_cast<uint64_t>(round));
    ASSERT_NO_FATAL_FAILURE(store.Fill());
    const std::vector<Bitmap> sets = store.Sets();
    for (const ChunkFilter& filter : FiltersOf(sets, store.removed())) {
      for (const ColumnSegment& segment : store.columns().segments()) {
        const VectorSelection selection(segment, filter);
        uint32_t count = 0;
        for (uint32_t ordinal = 0; ordinal < segment.vectors; ++ordinal) {
          count += filter.Passes(segment.ChunkAt(ordinal));
        }
        ASSERT_EQ(selection.count(), count);
        if (count == 0) continue;
        ASSERT_EQ(selection.masks() == nullptr, count == segment.vectors);
        for (uint32_t ordinal = 0; ordinal < segment.vectors; ++ordinal) {
          ASSERT_EQ(selection.Mask(ordinal / 32) >> ordinal % 32 & 1,
                    uint32_t{filter.Passes(segment.ChunkAt(ordinal))})
              << "vector " << ordinal << " of " << segment.vectors;
        }
        const uint32_t past = segment.vectors % 32;
        if (past != 0) {
          ASSERT_EQ(selection.Mask(segment.vectors / 32) >> past, 0u);
        }
      }
    }
  }
}

TEST(FilteredSearchTest, HitsAreThoseOfBruteForce) {
  for (int round = 0; round < kStores; ++round) {
    RandomVectorStore store(TestSeed(200) + static_cast<uint64_t>(round));
    ASSERT_NO_FATAL_FAILURE(store.Fill());
    const std::vector<Bitmap> sets = store.Sets();
    for (const ChunkFilter& filter : FiltersOf(sets, store.removed())) {
      const VectorQuery& query = store.queries()[store.Below(3)];
      const auto all = SlowSearch(store.model(), query, filter, store.model().size());
      for (const bool exact : {true, false}) {
        const size_t depth = std::array{0, 40, 1}[store.Below(3)];
        const size_t reach = depth == 0 ? 1000 : depth;
        const size_t most = std::array{reach, reach * 3, reach * 16}[store.Below(3)];
        const auto two_steps =
            SlowTwoStepRanking(store.model(), query, filter, reach, most, 4 * reach);
        for (const size_t k : {size_t{1}, size_t{10}, size_t{200}, size_t{1000}, all.size(),
                               all.size() + 1, ~size_t{0}}) {
          const VectorSearchOptions options{.k = k,
                                            .depth = depth,
                                            .most = most,
                                            .exact = exact,
                                            .threads = 1 + store.Below(4),
                                            .vectors_per_thread = 400};
          VectorSearchStats stats;
          ASSERT_OK_AND_ASSIGN(const auto hits,
                               SearchVectors(store.columns(), query, filter, options, &stats));
          ASSERT_EQ(Pairs(hits), Pairs(BestOf(stats.exact ? all : two_steps, k)))
              << "k " << k << " depth " << depth << " exact " << exact;
          ASSERT_EQ(stats.scanned, all.size());
          ASSERT_EQ(stats.exact, stats.reranked == stats.scanned);
          if (exact || k > reach || all.size() <= reach) {
            ASSERT_TRUE(stats.exact);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace recall
