#include "index/base/text/code_name.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(CodeNameTest, ANameIsNoPartOfALongerOne) {
  EXPECT_EQ(FindCodeName("add", "add"), 0u);
  EXPECT_EQ(FindCodeName("padded add_to add2 (add)", "add"), 20u);
  EXPECT_EQ(FindCodeName("add-add", "add", 1), 4u);
  EXPECT_EQ(FindCodeName("a.add->add", "add"), 2u);
  const size_t nowhere = std::string_view::npos;
  EXPECT_EQ(FindCodeName("Add adds readd", "add"), nowhere);
  // A letter of another script goes on with a name.
  EXPECT_EQ(FindCodeName("add\u00e9 \u00e9add", "add"), nowhere);
  EXPECT_EQ(FindCodeName("add", ""), nowhere);
  EXPECT_EQ(FindCodeName("", "add"), nowhere);
  EXPECT_EQ(FindCodeName("add", "add", 1), nowhere);
}

TEST(CodeNameTest, AnEndThatNoNameHasMayStandBesideAnything) {
  EXPECT_EQ(FindCodeName("bool operator==(int)", "operator=="), 5u);
  EXPECT_EQ(FindCodeName("a~Store()", "~Store"), 1u);
  EXPECT_EQ(FindCodeName("a~Stores()", "~Store"), std::string_view::npos);
}

}  // namespace
}  // namespace recall
