#include "index/embed/factory/builtin_embedders.h"

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(MakeEmbedderTest, KnowsHash) {
  ASSERT_OK_AND_ASSIGN(const auto embedder, MakeEmbedder("hash", 300));
  EXPECT_EQ(embedder->identity().name, "hash");
  EXPECT_EQ(embedder->identity().dim, 300u);
  EXPECT_FALSE(embedder->identity().version.empty());
}

TEST(MakeEmbedderTest, RefusesUnknownNamesAndSizes) {
  const auto unknown = MakeEmbedder("bert", 256);
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(unknown.error().hint().find("hash"), std::string_view::npos);
  for (const uint32_t dim : {0u, 7u, 4097u}) {
    EXPECT_FALSE(MakeEmbedder("hash", dim).has_value()) << dim;
  }
}

}  // namespace
}  // namespace recall
