// The rows of a query, read one at a time.

#include <malloc.h>

#include "query/types/query_types.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

size_t HeapBytes() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

class QueryRowsTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64, .chunk_tokens = 512, .overlap_tokens = 0});
    std::mt19937_64 random(11);
    for (int i = 0; i < 40; ++i) {
      WriteFile("n/" + std::to_string(i) + ".txt", RandomText(random, 30'000));
    }
    Add();
  }
};

constexpr const char* kOrders[] = {"", "ORDER BY doc.path DESC", "ORDER BY doc.size ASC",
                                   "ORDER BY chunk.offset DESC"};

TEST_F(QueryRowsTest, AreThoseOfTheAnswerInMemory) {
  for (const std::string order : kOrders) {
    for (const std::string from : {"FROM chunk ", "FROM doc ", "FROM chunk USING lexical('mu') "}) {
      if (from != "FROM chunk " && order.find("chunk.") != order.npos) continue;
      QueryRequest request;
      request.rql = from + order + " LIMIT 700 OFFSET 3 SELECT doc.path, doc.size";
      ASSERT_OK_AND_ASSIGN(const QueryResponse whole, database_->Query(request));
      size_t at = 0;
      ASSERT_OK(database_->Query(request, [&](const QueryResponse& found, QueryRows& rows) {
        EXPECT_TRUE(found.rows.empty());
        EXPECT_EQ(found.total_hits, whole.total_hits);
        EXPECT_EQ(found.next_offset, whole.next_offset);
        EXPECT_EQ(found.store.snapshot, whole.store.snapshot);
        EXPECT_EQ(rows.count(), whole.rows.size());
        return rows.Read([&](const QueryRow& row) {
          EXPECT_EQ(row.doc.path, whole.rows[at].doc.path);
          EXPECT_EQ(row.score, whole.rows[at].score);
          if (row.chunk) {
            EXPECT_EQ(row.chunk->id, whole.rows[at].chunk->id);
          }
          ++at;
          return Status::Ok();
        });
      }));
      EXPECT_EQ(at, whole.rows.size()) << request.rql;
      EXPECT_GT(at, 30u);
    }
  }
}

TEST_F(QueryRowsTest, OfTextsOneIsInMemory) {
  for (const std::string order : kOrders) {
    QueryRequest request;
    request.rql = "FROM chunk " + order + " LIMIT 100000 SELECT chunk.text";
    size_t texts = 0;
    size_t most = 0;
    ASSERT_OK(database_->Query(request, [&](const QueryResponse&, QueryRows& rows) {
      const size_t before = HeapBytes();
      return rows.Read([&](const QueryRow& row) {
        texts += row.chunk->text.size();
        most = std::max(most, HeapBytes() - std::min(before, HeapBytes()));
        return Status::Ok();
      });
    }));
    EXPECT_GT(texts, size_t{5} << 20);
    EXPECT_LT(most, texts / 4) << order;
    const size_t before = HeapBytes();
    ASSERT_OK_AND_ASSIGN(const QueryResponse whole, database_->Query(request));
    EXPECT_GT(HeapBytes() - before, texts);  // the measure sees texts that are kept
  }
}

TEST_F(QueryRowsTest, AnErrorOfTheReaderEndsIt) {
  QueryRequest request;
  request.rql = "FROM chunk SELECT chunk.text";
  int seen = 0;
  const Status status = database_->Query(request, [&](const QueryResponse&, QueryRows& rows) {
    return rows.Read(
        [&](const QueryRow&) { return ++seen == 3 ? Status::IoError("enough") : Status::Ok(); });
  });
  EXPECT_EQ(status.message(), "enough");
  EXPECT_EQ(seen, 3);
  EXPECT_TRUE(database_->Query(request).has_value());
}

}  // namespace
}  // namespace recall
