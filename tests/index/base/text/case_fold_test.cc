#include "index/base/text/case_fold.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

std::string Folded(std::string_view text) {
  std::string out;
  FoldCaseAppend(text, &out);
  return out;
}

TEST(CaseFold, FoldsOneCharacterToOne) {
  EXPECT_EQ(Folded("ABC xyz 09_%"), "abc xyz 09_%");
  EXPECT_EQ(Folded("ÀÉ"), "àé");
  EXPECT_EQ(Folded("ΣΑΣ"), Folded("σας")) << "final sigma";
  EXPECT_EQ(Folded("STRASSE"), "strasse");
  EXPECT_EQ(Folded("straße"), "straße") << "not ss";
  EXPECT_EQ(Folded("ẞ"), "ß");
  EXPECT_EQ(Folded("ǅ"), "ǆ") << "title case";
  EXPECT_EQ(Folded("ᾈ"), "ᾀ");
  EXPECT_EQ(Folded("K"), "k") << "Kelvin sign";
  EXPECT_EQ(Folded("Ꭰ"), "Ꭰ") << "Cherokee folds to capitals";
  EXPECT_EQ(Folded("ꭰ"), "Ꭰ");
  EXPECT_EQ(Folded("𐐀"), "𐐨");
  EXPECT_EQ(Folded("日本"), "日本");
}

TEST(CaseFold, TurkishLettersKeepTheirDots) {
  EXPECT_EQ(Folded("I"), "i");
  EXPECT_EQ(Folded("İ"), "İ");
  EXPECT_EQ(Folded("ı"), "ı");
}

TEST(CaseFold, OtherBytesStay) {
  EXPECT_EQ(Folded("A\xff\xc3Z\xc3"), "a\xff\xc3z\xc3");
  EXPECT_EQ(Folded(""), "");
}

}  // namespace
}  // namespace recall
