// The texts of lean answers: shortened summaries, bands, and cards without what is left out.

#include "cli/show/output/payload.h"

#include <gtest/gtest.h>

#include <random>

#include "cli/compat/shapes/compat_shape.h"
#include "cli/show/output/card_text.h"
#include "cli/show/output/number_text.h"
#include "cli/show/output/text_output.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::vector<std::string> CharactersOf(std::string_view text) {
  std::vector<std::string> characters;
  for (const char c : text) {
    if ((static_cast<uint8_t>(c) & 0xC0) != 0x80) characters.emplace_back();
    characters.back() += c;
  }
  return characters;
}

// The published rule, written down step by step.
std::string ShortenedSlowly(std::string_view text, size_t most) {
  const std::vector<std::string> characters = CharactersOf(text);
  if (characters.size() <= most) return std::string(text);
  const size_t budget = most - 1;
  std::vector<std::string> head(characters.begin(),
                                characters.begin() + static_cast<ptrdiff_t>(budget));
  for (size_t i = budget; i-- > 0;) {
    if (head[i] != " ") continue;
    if (static_cast<double>(i) > static_cast<double>(budget) * 0.6) head.resize(i);
    break;
  }
  while (!head.empty() && head.back() == " ") head.pop_back();
  std::string shortened;
  for (const std::string& character : head) shortened += character;
  return shortened + "…";
}

TEST(ShortenTextTest, FollowsThePublishedRule) {
  std::mt19937_64 random(TestSeed(51));
  const char* const kParts[] = {"a", "bc", "😀", "é", " ", "  ", "word", "中", "ten-letters"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (uint64_t part = random() % 120; part > 0; --part) {
      text += kParts[random() % std::size(kParts)];
    }
    const size_t most = 1 + random() % 200;
    const std::string shortened = ShortenText(text, most);
    EXPECT_EQ(shortened, ShortenedSlowly(text, most)) << most << " of '" << text << "'";
    EXPECT_LE(CharactersOf(shortened).size(), most);
    EXPECT_EQ(ShortenText(shortened, most), shortened);
  }
}

TEST(ShortenTextTest, NoCharacterIsCut) {
  // 159 characters have room beside the ellipsis; the emoji would be the last of them.
  const std::string text = std::string(158, 'x') + "😀" + std::string(341, 'y');
  EXPECT_EQ(ShortenText(text, 160), std::string(158, 'x') + "😀…");
  EXPECT_EQ(ShortenText(std::string(159, 'x') + "😀 more", 160), std::string(159, 'x') + "…");
  EXPECT_EQ(ShortenText(std::string(159, 'x') + "😀", 160), std::string(159, 'x') + "😀");
}

TEST(BandTest, TheCutsBelongToTheBandAbove) {
  View view;
  EXPECT_EQ(BandOf(0.4, BandsOf(nullptr)), "strong");
  EXPECT_EQ(BandOf(0.25, BandsOf(&view)), "read");
  EXPECT_EQ(BandOf(0.24, BandsOf(&view)), "noise");
  view.min_score = 0.5;  // above the default of the other
  EXPECT_EQ(BandOf(0.5, BandsOf(&view)), "strong");
  EXPECT_EQ(BandOf(0.49, BandsOf(&view)), "noise");
  view.strong = 0.7;
  EXPECT_EQ(BandOf(0.5, BandsOf(&view)), "read");
  EXPECT_EQ(BandOf(0.7, BandsOf(&view)), "strong");
  view.min_score.reset();
  view.strong = 0.1;
  EXPECT_EQ(BandOf(0.15, BandsOf(&view)), "strong");
  EXPECT_EQ(BandOf(0.05, BandsOf(&view)), "noise");
}

TEST(LeanScoreTest, HasTwoDigits) {
  for (const auto& [score, lean] : {std::pair(0.0, 0.0),
                                    {0.8676264657362858, 0.87},
                                    {0.543, 0.54},
                                    {0.1004, 0.1},
                                    {0.0996, 0.1},
                                    {0.0434, 0.043},
                                    {0.00432, 0.0043},
                                    {0.999, 1.0},
                                    {1.0, 1.0}}) {
    EXPECT_EQ(LeanScore(score), lean) << score;
  }
  // The order stays, and what was rounded once stays as it is.
  double last = 0;
  for (int i = 1; i <= 10'000; ++i) {
    const double lean = LeanScore(i / 10'000.0);
    EXPECT_GE(lean, last) << i;
    EXPECT_EQ(LeanScore(lean), lean) << i;
    last = lean;
  }
}

// What a line of --lean leaves out is in the result of a JSON document.
TEST(LeanHitTest, ALineHasLessThanAResult) {
  SearchHit hit;
  hit.score = 0.456789;
  hit.doc.id = std::string(64, 'a');
  hit.doc.path = "notes/quays.md";
  hit.doc.parser = "note";
  const std::string summary(30, 'm');
  hit.doc.meta_json = R"({"type":"lesson","title":")" + std::string(60, 't') + R"(","summary":")" +
                      summary + " " + summary + R"("})";
  const auto written = [&](LeanForm form) {
    std::string text;
    JsonWriter json(&text);
    json.BeginObject();
    WriteLeanHit(hit, Bands(), form, json);
    json.EndObject();
    return text;
  };
  const std::string title = R"("type":"lesson","title":")" + std::string(60, 't') + "\"";
  EXPECT_EQ(written(LeanForm::kResult), R"({"score":0.456789,"band":"strong","doc":{"id":")" +
                                            hit.doc.id + R"(","path":"notes/quays.md",)" +
                                            R"("kind":"note",)" + title + R"(,"summary":")" +
                                            summary + " " + summary + R"("}})");
  EXPECT_EQ(written(LeanForm::kLine),
            R"({"score":0.46,"band":"strong","doc":{"path":"notes/quays.md",)" + title +
                R"(,"summary":")" + summary + "…\"}}");
  // A kind that the line does not say otherwise stays.
  hit.doc.parser = "markdown";
  EXPECT_NE(written(LeanForm::kLine).find(R"("kind":"file",)"), std::string::npos);
}

// A question of a session, its answer, its copies, and the uses of tools that were asked for.
TEST(LeanHitTest, AQuestionHasItsAnswer) {
  SearchHit hit;
  hit.score = 0.5;
  hit.doc.path = "sessions/jsonl/s1";
  hit.doc.parser = "session";
  hit.chunk.heading = "0 human -";
  hit.chunk.text = "Why is it slow?";
  const std::string words = "The key has\nthe time. " + std::string(200, 'w');
  hit.reply = TurnReply{3, words, 9, 10};
  hit.identical = 2;
  hit.identical_sessions = true;
  hit.continued_by = "sessions/jsonl/s2";
  hit.ran = {{4, "Bash", "make test"}};
  hit.outputs = {{5, 77, "undefined reference"}};
  const auto written = [&](LeanForm form) {
    std::string text;
    JsonWriter json(&text);
    json.BeginObject();
    WriteLeanHit(hit, Bands(), form, json);
    json.EndObject();
    return text;
  };
  const std::string begins = ShortenText("The key has the time. " + std::string(200, 'w'), 160);
  const std::string after = R"(,"identical":2,"continued_by":"sessions/jsonl/s2",)"
                            R"("ran":[{"turn":4,"tool":"Bash","command":"make test"}],)"
                            R"("outputs":[{"turn":5,"line":77,"text":"undefined reference"}]})";
  const std::string result = written(LeanForm::kResult);
  EXPECT_TRUE(result.ends_with(R"(,"answer":{"turn":3,"role":"assistant","text":")" + begins +
                               R"(","start_line":9,"end_line":10})" + after))
      << result;
  const std::string line = written(LeanForm::kLine);
  const std::string shorter = ShortenText("The key has the time. " + std::string(200, 'w'), 60);
  EXPECT_TRUE(line.ends_with(R"(,"answer":{"turn":3,"text":")" + shorter + "\"}" + after)) << line;
  EXPECT_EQ(FormatReply(hit, {}), "    answered: " + begins + "\n");
  EXPECT_EQ(FormatToolUses(hit, {}),
            "    ran in turn 4: make test\n    output in turn 5: undefined reference\n");
  EXPECT_EQ(FoldedText(hit, {}),
            "    and 2 more with the same turns\n    goes on in sessions/jsonl/s2\n");
  EXPECT_NE(FormatLeanHit(hit, Bands(), {}, 1).find(FoldedText(hit, {})), std::string::npos);
  hit.reply.reset();
  EXPECT_EQ(FormatReply(hit, {}), "");
}

TEST(CardTextTest, TheCardEndsWithItsLine) {
  EXPECT_EQ(CardLength(""), 0u);
  EXPECT_EQ(CardLength("---\n"), 0u);
  EXPECT_EQ(CardLength("---\na: 1\n"), 0u);
  EXPECT_EQ(CardLength("text\n---\na: 1\n---\n"), 0u);
  EXPECT_EQ(CardLength("---\na: 1\n---"), 12u);
  EXPECT_EQ(CardLength("---\na: 1\n---\ntext"), 13u);
  EXPECT_EQ(CardLength("---\r\na: 1\r\n...\r\ntext"), 16u);
  EXPECT_EQ(CardLength("\xEF\xBB\xBF---\na: 1\n---\n"), 16u);
}

TEST(CardTextTest, ALeanCardLosesWholeKeys) {
  EXPECT_EQ(LeanCard("---\n"
                     "title: T\n"
                     "related_via:\n"
                     "  - id: b\n"
                     "    score: 0.7\n"
                     "\n"
                     "- id: c\n"
                     "tags: [a]\n"
                     "source: me\n"
                     "source_of: kept\n"
                     "confidence: 1\n"
                     "---\n"),
            "---\ntitle: T\ntags: [a]\nsource_of: kept\n---\n");
  const std::string plain = "---\na:\n- source\nb: |\n  source: x\n---\n";
  EXPECT_EQ(LeanCard(plain), plain);
}

TEST(CompatShapeTest, ANoteIsNamedAsGetFindsIt) {
  DocView doc;
  for (const auto& [path, id] : {std::pair("notes/a-b.md", "a-b"),
                                 {"notes/x/y.md", "notes/x/y.md"},
                                 {"notes/.md", "notes/.md"},
                                 {"docs/a.md", "docs/a.md"},
                                 {"notes/a.txt", "notes/a.txt"}}) {
    doc.path = path;
    EXPECT_EQ(CompatId(doc.path), id);
  }
}

TEST(CompatShapeTest, PointsAreThoseOfTheOtherProgram) {
  const auto points = [](double sum) { return sum * 61 / 2 * kPointsOfScore; };
  EXPECT_NEAR(points(2.0 / 61), 163.934426, 1e-6);
  EXPECT_NEAR(points(1.0 / 61), 81.967213, 1e-6);
  EXPECT_NEAR(points(1.0 / 110), 45.454545, 1e-6);
  EXPECT_NEAR(30 / kPointsOfScore, 0.183, 1e-9);
  EXPECT_NEAR(100 / kPointsOfScore, 0.61, 1e-9);
}

}  // namespace
}  // namespace recall
