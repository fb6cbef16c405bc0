#include "index/search/vector/vector_writer.h"

#include "index/search/vector/stored_vectors.h"
#include "tests/index/search/vector/vector_test_util.h"

namespace recall {
namespace {

constexpr uint32_t kWriterDim = 8;  // the minimum, so that tens of thousands of vectors are cheap

// A store with a random history, and an equal map in memory.
class VectorHistory {
 public:
  explicit VectorHistory(uint64_t seed) : random_(seed) {
    StoreSettings settings;
    settings.dim = kWriterDim;
    auto store = Store::Create(path_, settings);
    EXPECT_TRUE(store.has_value());
    store_ = std::move(*store);
  }

  std::mt19937_64& random() { return random_; }
  Bitmap& removed() { return removed_; }
  const VectorModel& model() const { return model_; }

  void Append(uint32_t count) {
    ASSERT_OK_AND_ASSIGN(auto write, store_->BeginWrite());
    ASSERT_OK_AND_ASSIGN(const uint32_t first, write->AllocateChunkRows(count));
    std::vector<ChunkVector> vectors;
    for (uint32_t chunk = first; chunk < first + count; ++chunk) {
      std::vector<float> vector(kWriterDim);
      for (float& x : vector) x = static_cast<float>(random_() % 2001) - 1000.0f;
      vectors.push_back(MakeChunkVector(space_, chunk, vector));
      model_[chunk] = vectors.back();
    }
    ASSERT_OK(AppendVectors(*write, space_, vectors));
    ASSERT_OK(write->Commit());
  }

  // Adds tombstones; the vectors stay until a merge or purge drops them.
  void Remove(uint32_t first, uint32_t count) {
    removed_.AddRange(first, first + count - 1);
    model_.erase(model_.lower_bound(first), model_.lower_bound(first + count));
  }

  void MergeAll() {
    for (int step = 0;; ++step) {
      ASSERT_LT(step, 100) << "the merge policy does not come to rest";
      ASSERT_OK_AND_ASSIGN(auto write, store_->BeginWrite());
      ASSERT_OK_AND_ASSIGN(const bool changed, MergeSegmentsOnce(*write, space_));
      if (!changed) return;
      ASSERT_OK(write->Commit());
    }
  }

  void Purge() {
    for (bool more = true; more;) {
      ASSERT_OK_AND_ASSIGN(auto write, store_->BeginWrite());
      ASSERT_OK_AND_ASSIGN(more, PurgeVectorsOnce(*write, space_, removed_));
      ASSERT_OK(write->Commit());
    }
  }

  void Fill() {
    for (int step = 0;; ++step) {
      ASSERT_LT(step, 100) << "filling does not come to rest";
      ASSERT_OK_AND_ASSIGN(auto write, store_->BeginWrite());
      ASSERT_OK_AND_ASSIGN(const bool changed, FillSegmentsOnce(*write, space_));
      if (!changed) return;
      ASSERT_OK(write->Commit());
    }
  }

  void Reopen() {
    store_.reset();
    ASSERT_OK_AND_ASSIGN(store_, Store::Open(path_));
  }

  // Checks that the store has the same vectors as the model, and that order and ranges are sound.
  void Check() {
    ASSERT_OK_AND_ASSIGN(auto read, store_->BeginRead());
    ASSERT_OK_AND_ASSIGN(auto columns, ChunkColumns::Open(*read, space_));
    EXPECT_LT(columns->delta().size(), kDeltaFlushVectors);
    const VectorQuery query = space_.PrepareQuery(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 9});
    const ChunkFilter filter{nullptr, &removed_};
    ASSERT_OK_AND_ASSIGN(const auto hits,
                         SearchVectors(*columns, query, filter, {.k = 1 << 20, .exact = true}));
    EXPECT_EQ(Pairs(hits), Pairs(SlowSearch(model_, query, {}, 1 << 20)));
    EXPECT_OK(columns->OpenLengths());
    ChunkColumns::LengthCursor cursor(*columns);
    for (const auto& [chunk, vector] : model_) {
      ASSERT_EQ(cursor.LexicalTokens(chunk), vector.lexical_tokens) << chunk;
    }
    recall::StoredVectors stored(*columns);
    for (const auto& [chunk, vector] : model_) {
      ASSERT_OK_AND_ASSIGN(const auto view, stored.Find(chunk));
      ASSERT_EQ(view.scale, vector.vector.scale) << chunk;
      ASSERT_TRUE(std::ranges::equal(view.values, vector.vector.values)) << chunk;
      ASSERT_EQ(UnitScale(view.values), view.scale) << chunk;
    }
    EXPECT_EQ(stored.Find(0xFFFFFFFF).error().code(), StatusCode::kCorruption);
  }

  // The numbers of vectors in the segments, in order.
  std::vector<uint32_t> SegmentSizes() {
    std::vector<uint32_t> sizes;
    auto read = store_->BeginRead();
    EXPECT_TRUE(read.has_value());
    const auto segments = (*read)->Segments();
    EXPECT_TRUE(segments.has_value());
    for (const auto& segment : *segments) sizes.push_back(segment->info().vectors);
    return sizes;
  }

  size_t StoredVectors() {
    auto write = store_->BeginWrite();
    EXPECT_TRUE(write.has_value());
    auto stored = static_cast<size_t>((*write)->DeltaSize().value());
    write->reset();
    for (const uint32_t size : SegmentSizes()) stored += size;
    return stored;
  }

 private:
  TempDir directory_;
  std::string path_ = directory_ / "recall.db";
  VectorSpace space_{kWriterDim, 42};
  std::mt19937_64 random_;
  std::unique_ptr<Store> store_;
  VectorModel model_;
  Bitmap removed_;
};

using Sizes = std::vector<uint32_t>;

TEST(VectorWriterTest, SmallAddsWaitInTheDeltaUntilTheyAreASegment) {
  VectorHistory history(TestSeed(1));
  history.Append(4000);
  EXPECT_EQ(history.SegmentSizes(), Sizes());
  history.Append(95);
  EXPECT_EQ(history.SegmentSizes(), Sizes());
  history.Check();
  history.Append(1);
  EXPECT_EQ(history.SegmentSizes(), Sizes{4096});
  EXPECT_EQ(history.StoredVectors(), 4096u);
  history.Append(10);
  history.Reopen();
  history.Check();
}

TEST(VectorWriterTest, LargeAddsBecomeFullSegmentsWithTheDeltaFirst) {
  VectorHistory history(TestSeed(2));
  history.Append(100);
  history.Append(70'000);
  EXPECT_EQ(history.SegmentSizes(), (Sizes{65'536, 4564}));
  history.Append(65'536 + 10);
  EXPECT_EQ(history.SegmentSizes(), (Sizes{65'536, 4564, 65'536}));  // ten stay in the delta
  history.Check();
}

TEST(VectorWriterTest, EightNeighboursOfASizeBecomeOne) {
  VectorHistory history(TestSeed(3));
  for (int i = 0; i < 7; ++i) history.Append(kDeltaFlushVectors);
  history.MergeAll();
  EXPECT_EQ(history.SegmentSizes(), Sizes(7, kDeltaFlushVectors));
  history.Append(kDeltaFlushVectors);
  history.MergeAll();
  EXPECT_EQ(history.SegmentSizes(), Sizes{32'768});
  for (int i = 0; i < 8; ++i) history.Append(kDeltaFlushVectors);
  history.MergeAll();
  EXPECT_EQ(history.SegmentSizes(), Sizes{65'536});
  history.Append(40'000);
  history.Append(50'000);
  history.MergeAll();
  EXPECT_EQ(history.SegmentSizes(), (Sizes{65'536, 65'536, 24'464}));
  history.Check();
}

// A snapshot may still need removed vectors.
TEST(VectorWriterTest, MergesKeepWhatIsRemoved) {
  VectorHistory history(TestSeed(4));
  for (int i = 0; i < 8; ++i) history.Append(kDeltaFlushVectors);
  history.Remove(0, 30'000);
  history.MergeAll();
  EXPECT_EQ(history.SegmentSizes(), Sizes{32'768});
  history.Check();
  history.Purge();
  EXPECT_EQ(history.SegmentSizes(), Sizes{2768});
  history.Check();
}

TEST(VectorWriterTest, FillingLeavesOnlyFullSegmentsAndALastOne) {
  VectorHistory history(TestSeed(8));
  history.Append(100);
  history.Append(70'000);
  history.Append(65'536 + 10);
  for (int i = 0; i < 3; ++i) history.Append(kDeltaFlushVectors);
  EXPECT_EQ(history.SegmentSizes(), (Sizes{65'536, 4564, 65'536, 4106, 4096, 4096}));
  history.Fill();
  EXPECT_EQ(history.SegmentSizes(), (Sizes{65'536, 65'536, 16'862}));
  history.Check();
  history.Reopen();
  history.Check();
}

TEST(VectorWriterTest, PurgeLeavesNothingOfWhatWasRemoved) {
  VectorHistory history(TestSeed(5));
  history.Append(5000);
  history.Append(5000);
  history.Append(300);
  history.Remove(17, 1);
  history.Remove(4990, 20);
  history.Remove(10'100, 50);
  history.Purge();
  EXPECT_EQ(history.StoredVectors(), history.model().size());
  history.removed() = Bitmap();  // no vector is hidden by a tombstone any more
  history.Check();
  history.Reopen();
  history.Check();
}

TEST(VectorWriterTest, RandomHistoriesKeepEveryVector) {
  for (uint64_t seed = TestSeed(6), last = seed + 3; seed < last; ++seed) {
    VectorHistory history(seed);
    uint32_t rows = 0;
    for (int step = 0; step < 25; ++step) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " step " + std::to_string(step));
      switch (history.random()() % 8) {
        case 0: {
          if (rows == 0) break;
          const auto first = static_cast<uint32_t>(history.random()() % rows);
          const auto count = static_cast<uint32_t>(history.random()() % 4000) + 1;
          history.Remove(first, std::min(count, rows - first));
          break;
        }
        case 1:
          history.MergeAll();
          break;
        case 2:
          history.Purge();
          break;
        case 3:
          history.Reopen();
          break;
        default: {
          const uint32_t sizes[] = {1, 40, 900, 4500, 9000};
          const auto count =
              static_cast<uint32_t>(history.random()() % sizes[history.random()() % 5]) + 1;
          history.Append(count);
          rows += count;
        }
      }
      if (step % 5 == 4) history.Check();
    }
    history.MergeAll();
    history.Check();
    history.Purge();
    EXPECT_EQ(history.StoredVectors(), history.model().size());
  }
}

}  // namespace
}  // namespace recall
