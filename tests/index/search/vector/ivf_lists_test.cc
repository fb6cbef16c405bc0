// Spaces with IVF lists: the results of a sign-code search, and their independence of how the
// vectors got into segments.

#include <set>

#include "index/search/vector/segment_ivf_lists.h"
#include "tests/index/search/vector/vector_test_util.h"

namespace recall {
namespace {

constexpr uint32_t kDim = 100;  // padded to 128
constexpr uint32_t kChunks = 6000;

class IvfListsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    TrainLists(&space_, source_, 80);
    for (uint32_t chunk = 0; chunk < kChunks; ++chunk) {
      vectors_.push_back(MakeChunkVector(space_, chunk, source_.Next()));
    }
    for (int i = 0; i < 20; ++i) queries_.push_back(space_.PrepareQuery(source_.Next()));
  }

  std::unique_ptr<Store> NewStore() {
    StoreSettings settings;
    settings.dim = kDim;
    auto store = Store::Create(directory_ / ("store" + std::to_string(++stores_)), settings);
    EXPECT_TRUE(store.has_value());
    return *std::move(store);
  }

  // Appends the vectors in batches, each in a transaction of its own.
  std::unique_ptr<Store> Fill(uint32_t batch) {
    auto store = NewStore();
    for (uint32_t first = 0; first < kChunks; first += batch) {
      auto write = store->BeginWrite();
      EXPECT_TRUE(write.has_value());
      const auto some = std::span(vectors_).subspan(first, std::min(batch, kChunks - first));
      EXPECT_TRUE((*write)->AllocateChunkRows(static_cast<uint32_t>(some.size())).has_value());
      EXPECT_OK(AppendVectors(**write, space_, some));
      EXPECT_OK((*write)->Commit());
    }
    return store;
  }

  // The hits of all queries.
  std::vector<std::vector<std::pair<uint32_t, float>>> Ask(Store& store,
                                                           const ChunkFilter& filter = {}) {
    std::vector<std::vector<std::pair<uint32_t, float>>> answers;
    auto read = store.BeginRead();
    EXPECT_TRUE(read.has_value());
    auto columns = ChunkColumns::Open(**read, space_);
    EXPECT_TRUE(columns.has_value());
    for (const VectorQuery& query : queries_) {
      VectorSearchStats stats;
      const VectorSearchOptions options{.k = 50, .depth = 100, .store_vectors = kChunks};
      const auto hits = SearchVectors(**columns, query, filter, options, &stats);
      EXPECT_TRUE(hits.has_value());
      answers.push_back(Pairs(*hits));
      scanned_ += stats.scanned;
    }
    return answers;
  }

  // Runs maintenance steps, each in a transaction, until one changes nothing.
  template <typename Step>
  static void Repeat(Store& store, Step step) {
    for (bool more = true; more;) {
      ASSERT_OK_AND_ASSIGN(const auto write, store.BeginWrite());
      ASSERT_OK_AND_ASSIGN(more, step(*write));
      ASSERT_OK(write->Commit());
    }
  }
  static void FillSegments(Store& store, const VectorSpace& space) {
    Repeat(store, [&](WriteTransaction& write) { return FillSegmentsOnce(write, space); });
  }

  ClusteredVectors source_{TestSeed(1), kDim, 40};
  VectorSpace space_{kDim, 42};
  std::vector<ChunkVector> vectors_;
  std::vector<VectorQuery> queries_;
  uint64_t scanned_ = 0;
  TempDir directory_;
  int stores_ = 0;
};

TEST_F(IvfListsTest, HowVectorsGotIntoSegmentsMakesNoDifference) {
  const auto whole = Fill(kChunks);  // one segment
  const auto expected = Ask(*whole);
  EXPECT_LT(scanned_, queries_.size() * kChunks / 4) << "all cells were looked into";
  const auto pieces = Fill(4500);  // a segment and a delta
  EXPECT_EQ(Ask(*pieces), expected);
  const auto small = Fill(700);
  EXPECT_EQ(Ask(*small), expected);
  FillSegments(*small, space_);
  EXPECT_EQ(Ask(*small), expected);
}

TEST_F(IvfListsTest, PurgedVectorsLeaveTheOthersInTheirLists) {
  Bitmap removed;
  for (uint32_t chunk = 0; chunk < kChunks; chunk += 5) removed.Add(chunk);
  const auto store = Fill(4500);
  const auto expected = Ask(*store, {nullptr, &removed});
  Repeat(*store, [&](WriteTransaction& write) { return PurgeVectorsOnce(write, space_, removed); });
  EXPECT_EQ(Ask(*store, {nullptr, &removed}), expected);
  EXPECT_EQ(Ask(*store), expected);
}

TEST_F(IvfListsTest, MergesKeepListsWithoutKnowingTheSpaces) {
  const auto store = Fill(700);
  const auto expected = Ask(*store);
  FillSegments(*store, VectorSpace(kDim, 42));
  EXPECT_EQ(Ask(*store), expected);
}

// If most vectors near the query were removed, the search continues with more distant ones.
TEST_F(IvfListsTest, FindsAllThatIsLeftWhereTheNearestListsAreEmpty) {
  const auto store = Fill(kChunks);
  for (const VectorQuery& query : queries_) {
    Bitmap removed;
    const auto near = space_.coarse_quantizer()->NearestLists(query.lists, 1, 5);
    for (const ChunkVector& vector : vectors_) {
      if (std::ranges::count(near, vector.vector.list) > 0) removed.Add(vector.chunk);
    }
    ASSERT_OK_AND_ASSIGN(const auto read, store->BeginRead());
    ASSERT_OK_AND_ASSIGN(const auto columns, ChunkColumns::Open(*read, space_));
    const VectorSearchOptions options{
        .k = 50, .depth = 100, .store_vectors = kChunks - removed.Count()};
    ASSERT_OK_AND_ASSIGN(const auto hits,
                         SearchVectors(*columns, query, {nullptr, &removed}, options));
    EXPECT_EQ(hits.size(), 50u);
    for (const RetrieverHit& hit : hits) EXPECT_FALSE(removed.Contains(hit.chunk));
  }
}

// Clustered vectors share lists with the queries near them.
TEST_F(IvfListsTest, TheNearestOfClusteredVectorsAreFound) {
  const auto store = Fill(kChunks);
  const auto found = Ask(*store);
  ASSERT_OK_AND_ASSIGN(const auto read, store->BeginRead());
  ASSERT_OK_AND_ASSIGN(const auto columns, ChunkColumns::Open(*read, space_));
  size_t hits = 0;
  for (size_t i = 0; i < queries_.size(); ++i) {
    ASSERT_OK_AND_ASSIGN(const auto exact,
                         SearchVectors(*columns, queries_[i], {}, {.k = 10, .exact = true}));
    const std::set<std::pair<uint32_t, float>> fast(found[i].begin(), found[i].begin() + 10);
    for (const auto& pair : Pairs(exact)) hits += fast.contains(pair);
  }
  EXPECT_GE(hits, queries_.size() * 10 * 95 / 100);
}

// Lists of older stores have no mean cosines: the nearest lists with a tenth of the vectors are
// scanned.
TEST_F(IvfListsTest, ListsWithoutMeanCosinesAreScannedUpToATenth) {
  const auto store = Fill(kChunks);
  space_ = VectorSpace(
      space_, std::make_shared<const CoarseQuantizer>(WithoutCosines(*space_.coarse_quantizer())));
  ASSERT_OK_AND_ASSIGN(const auto read, store->BeginRead());
  ASSERT_OK_AND_ASSIGN(const auto columns, ChunkColumns::Open(*read, space_));
  for (int i = 0; i < 20; ++i) {
    const VectorQuery query = space_.PrepareQuery(source_.Next());
    EXPECT_TRUE(query.list_reaches.empty());
    const auto lists = space_.coarse_quantizer()->NearestLists(query.lists, 1, 10);
    uint64_t in_lists = 0;
    for (const ChunkVector& vector : vectors_) {
      in_lists += std::ranges::count(lists, vector.vector.list) > 0;
    }
    VectorSearchStats stats;
    const VectorSearchOptions options{.k = 50, .depth = 100, .store_vectors = kChunks};
    ASSERT_OK(SearchVectors(*columns, query, {}, options, &stats));
    EXPECT_EQ(stats.scanned, in_lists);
  }
}

// The list sections are untrusted.
TEST_F(IvfListsTest, WrongSectionsOfListsNameNothingBeyondTheSegment) {
  std::mt19937_64 random(TestSeed(9));
  VectorModel model;
  for (const ChunkVector& vector : vectors_) model[vector.chunk] = vector;
  for (int i = 0; i < 30; ++i) {
    SegmentContent content = MakeSegment(space_, model, 0, kChunks - 1);
    for (SegmentContent::Section& section : content.sections) {
      const bool of_lists =
          section.kind == SectionKind::kCellEnds || section.kind == SectionKind::kSlots;
      if (!of_lists) continue;
      const uint64_t most = i % 3 == 0 ? section.bytes.size() : 20;
      for (uint64_t n = 0; n < most; ++n) {
        section.bytes[random() % section.bytes.size()] = static_cast<uint8_t>(random());
      }
    }
    const auto store = NewStore();
    ASSERT_OK_AND_ASSIGN(const auto write, store->BeginWrite());
    ASSERT_OK(write->InsertSegment(content));
    ASSERT_OK(write->Commit());
    for (const auto& answer : Ask(*store)) {
      for (const auto& [chunk, score] : answer) EXPECT_TRUE(model.contains(chunk)) << chunk;
    }
    ASSERT_OK_AND_ASSIGN(const auto again, store->BeginWrite());
    ASSERT_OK_AND_ASSIGN(const auto readers, again->Segments());
    ASSERT_OK_AND_ASSIGN(const auto segment, ColumnSegment::Open(*readers.front()));
    ASSERT_OK_AND_ASSIGN(const SegmentIvfLists lists, OpenIvfLists(segment));
    EXPECT_EQ(ListsOfVectors(segment, lists).size(), kChunks);
  }
}

}  // namespace
}  // namespace recall
