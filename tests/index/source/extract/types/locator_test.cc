#include <gtest/gtest.h>

#include "index/source/extract/types/locator_record.h"
#include "index/source/extract/types/locator_text.h"

namespace recall {
namespace {

const std::vector<LocatorSpan> kSheets = {
    {0, 10, {LocatorKind::kSheet, 1, "Costs", "A1:C4"}},
    {10, 25, {LocatorKind::kSheet, 1, "Costs", "A5:C9"}},
    {30, 31, {LocatorKind::kSheet, 2, "Sums & more", "A1:A1"}},
};
const std::vector<LocatorSpan> kPages = {
    {0, 100, {LocatorKind::kPage, 1, "", ""}},
    {100, 150, {LocatorKind::kPage, 2, "", ""}},
    {150, 400, {LocatorKind::kPage, 4, "", ""}},
};

TEST(LocatorRecordTest, KeepsSpans) {
  for (const auto& spans : {kSheets, kPages, std::vector<LocatorSpan>()}) {
    const auto read = DecodeLocatorSpans(EncodeLocatorSpans(spans), 400);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(*read, spans);
  }
}

TEST(LocatorRecordTest, NamesOfASheetAreStoredOnce) {
  std::vector<LocatorSpan> spans;
  const std::string name(150, 'n');
  for (uint64_t i = 0; i < 100; ++i) {
    spans.push_back({i, i + 1, {LocatorKind::kSheet, 1, name, std::to_string(i)}});
  }
  EXPECT_LT(EncodeLocatorSpans(spans).size(), 1200u);
  EXPECT_EQ(DecodeLocatorSpans(EncodeLocatorSpans(spans), 100), spans);
}

TEST(LocatorRecordTest, RefusesOtherBytes) {
  EXPECT_FALSE(DecodeLocatorSpans("", 400));
  EXPECT_FALSE(DecodeLocatorSpans(EncodeLocatorSpans(kPages), 399)) << "beyond the text";
  EXPECT_FALSE(DecodeLocatorSpans(EncodeLocatorSpans(kPages) + "x", 400));
  const std::string record = EncodeLocatorSpans(kSheets);
  for (size_t size = 0; size < record.size(); ++size) {
    EXPECT_FALSE(DecodeLocatorSpans(std::string_view(record).substr(0, size), 400)) << size;
  }
  // Whatever the bytes, what is read is sound.
  for (size_t at = 0; at < record.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = record;
      changed[at] = static_cast<char>(value);
      const auto read = DecodeLocatorSpans(changed, 400);
      if (!read) continue;
      uint64_t end = 0;
      for (const LocatorSpan& span : *read) {
        ASSERT_GE(span.start, end);
        ASSERT_LT(span.start, span.end);
        ASSERT_LE(span.end, 400u);
        end = span.end;
      }
    }
  }
}

TEST(LocatorTextTest, TellsPlacesToPeople) {
  const auto text = [](const std::vector<LocatorSpan>& spans, uint64_t start, uint64_t end) {
    const auto found = LocatorsOf(spans, start, end);
    return found ? LocatorText(found->first, found->second) : "none";
  };
  EXPECT_EQ(text(kPages, 0, 100), "p. 1");
  EXPECT_EQ(text(kPages, 99, 101), "pp. 1-2");
  EXPECT_EQ(text(kPages, 120, 160), "pp. 2-4");
  EXPECT_EQ(text(kSheets, 5, 25), "Costs!A1:C9");
  EXPECT_EQ(text(kSheets, 0, 31), "Costs!A1:C4 to Sums & more!A1:A1");
  EXPECT_EQ(text(kSheets, 25, 30), "none");
  EXPECT_EQ(
      LocatorText({LocatorKind::kSlide, 7, "", "notes"}, {LocatorKind::kSlide, 7, "", "notes"}),
      "slide 7, notes");
  EXPECT_EQ(LocatorText({LocatorKind::kCell, 5, "a3", "source"},
                        {LocatorKind::kCell, 5, "a3", "output 1"}),
            "cell 5");
  EXPECT_EQ(LocatorText({LocatorKind::kElement, 0, "a", ""}, {LocatorKind::kElement, 0, "b", ""}),
            "#a to #b");
  EXPECT_EQ(LocatorText({LocatorKind::kMessage, 0, "<x>", "1.1"},
                        {LocatorKind::kMessage, 0, "<x>", "1.2"}),
            "parts 1.1-1.2");
}

TEST(LocatorTextTest, NamesFindTheirPlaces) {
  using Range = std::pair<uint64_t, uint64_t>;
  for (const auto& spans : {kSheets, kPages}) {
    for (const LocatorSpan& span : spans) {
      const auto found = FindLocator(spans, LocatorName(span.locator));
      ASSERT_TRUE(found.has_value()) << LocatorName(span.locator);
      EXPECT_EQ(*found, Range(span.start, span.end)) << LocatorName(span.locator);
    }
  }
  EXPECT_EQ(FindLocator(kSheets, "Costs"), Range(0, 25));
  EXPECT_EQ(FindLocator(kSheets, "Costs!B4:B5"), Range(0, 25));
  EXPECT_EQ(FindLocator(kSheets, "Costs!b6"), Range(10, 25));
  for (const std::string none : {"p3", "p", "p1x", "slide1", "", "#a", "Costs!D1"}) {
    EXPECT_FALSE(FindLocator(kPages, none)) << none;
  }
  EXPECT_FALSE(FindLocator(kSheets, "Costs!D1"));
  EXPECT_FALSE(FindLocator(kSheets, "Sums"));
}

TEST(LocatorTextTest, LongNamesAreCutAtACharacter) {
  std::string name;
  for (int i = 0; i < 150; ++i) name += "ä";
  EXPECT_EQ(CleanLocatorText(name).size(), 200u);
  EXPECT_EQ(CleanLocatorText("a\nb\tc"), "abc");
}

}  // namespace
}  // namespace recall
