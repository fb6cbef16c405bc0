#include "index/subword/piece_splitter.h"

#include "index/subword/splitter_factory.h"
#include "index/subword/text_pattern.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Pieces = std::vector<std::string>;

Pieces SplitWith(const std::string& json, const std::string& text) {
  const auto splitter = MakePieceSplitter(Json::parse(json));
  if (!splitter) return {splitter.error().ToString()};
  PieceList list;
  list.text = text;
  list.pieces = {{0, text.size(), true}};
  (*splitter)->Split(&list);
  Pieces pieces;
  for (const PieceList::Piece& piece : list.pieces) pieces.emplace_back(list.view(piece));
  return pieces;
}

TEST(PieceSplitterTest, Words) {
  const std::string bert = R"({"type":"BertPreTokenizer"})";
  EXPECT_EQ(SplitWith(bert, " Hi, it's\u3000\u4e2d\u6587!!"),
            (Pieces{"Hi", ",", "it", "'", "s", "\u4e2d\u6587", "!", "!"}));
  EXPECT_EQ(SplitWith(bert, "a\u3002b$c_d"), (Pieces{"a", "\u3002", "b", "$", "c", "_", "d"}));
  EXPECT_EQ(SplitWith(R"({"type":"Whitespace"})", "it's a_b!? \u00bd"),
            (Pieces{"it", "'", "s", "a_b", "!?", "\u00bd"}));
  EXPECT_EQ(SplitWith(R"({"type":"WhitespaceSplit"})", " it's\u00a0a "), (Pieces{"it's", "a"}));
  EXPECT_EQ(SplitWith(R"({"type":"CharDelimiterSplit","delimiter":"-"})", "a-b--c"),
            (Pieces{"a", "b", "c"}));
  EXPECT_EQ(SplitWith(bert, " "), Pieces());
}

TEST(PieceSplitterTest, Behaviours) {
  const auto punctuation = [](const std::string& behavior) {
    return SplitWith(R"({"type":"Punctuation","behavior":")" + behavior + "\"}", "a.b!!c");
  };
  EXPECT_EQ(punctuation("Removed"), (Pieces{"a", "b", "c"}));
  EXPECT_EQ(punctuation("Isolated"), (Pieces{"a", ".", "b", "!", "!", "c"}));
  EXPECT_EQ(punctuation("Contiguous"), (Pieces{"a", ".", "b", "!!", "c"}));
  EXPECT_EQ(punctuation("MergedWithPrevious"), (Pieces{"a.", "b!", "!", "c"}));
  EXPECT_EQ(punctuation("MergedWithNext"), (Pieces{"a", ".b", "!", "!c"}));
  EXPECT_EQ(SplitWith(R"({"type":"Digits"})", "a12b"), (Pieces{"a", "12", "b"}));
  EXPECT_EQ(SplitWith(R"({"type":"Digits","individual_digits":true})", "a12"),
            (Pieces{"a", "1", "2"}));
}

TEST(PieceSplitterTest, Metaspace) {
  const std::string one = "\u2581";
  EXPECT_EQ(SplitWith(R"({"type":"Metaspace"})", "hi  you "),
            (Pieces{one + "hi", one, one + "you", one}));
  EXPECT_EQ(SplitWith(R"({"type":"Metaspace"})", " hi"), (Pieces{one + "hi"}));
  EXPECT_EQ(SplitWith(R"({"type":"Metaspace","add_prefix_space":false})", "hi you"),
            (Pieces{"hi", one + "you"}));
  EXPECT_EQ(SplitWith(R"({"type":"Metaspace","split":false,"prepend_scheme":"never"})", "a b"),
            (Pieces{"a" + one + "b"}));
  // "first" applies to the first piece of the text only.
  EXPECT_EQ(SplitWith(R"({"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},
      {"type":"Metaspace","prepend_scheme":"first"}]})",
                      "a b"),
            (Pieces{one + "a", "b"}));
  EXPECT_EQ(SplitWith(R"({"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},
      {"type":"Metaspace","prepend_scheme":"always"}]})",
                      "a b"),
            (Pieces{one + "a", one + "b"}));
}

TEST(PieceSplitterTest, ByteLevel) {
  const std::string plain = R"({"type":"ByteLevel","add_prefix_space":false})";
  const std::string space = "\u0120";
  EXPECT_EQ(SplitWith(plain, "it's  12 !x"),
            (Pieces{"it", "'s", space, space + "12", space + "!", "x"}));
  EXPECT_EQ(SplitWith(plain, "a \n b  "),
            (Pieces{"a", space + "\u010a", space + "b", space + space}));
  EXPECT_EQ(SplitWith(plain, "\u00e9"), (Pieces{"\u00c3\u00a9"}));
  EXPECT_EQ(SplitWith(R"({"type":"ByteLevel"})", "hi"), (Pieces{space + "hi"}));
  EXPECT_EQ(SplitWith(R"({"type":"ByteLevel","use_regex":false})", "a b"),
            (Pieces{space + "a" + space + "b"}));
}

TEST(PieceSplitterTest, Patterns) {
  const auto split = [](const std::string& pattern, const std::string& text,
                        const std::string& rest = R"("behavior":"Isolated","invert":false)") {
    return SplitWith(
        R"({"type":"Split","pattern":{"Regex":)" + Json(pattern).dump() + "}," + rest + "}", text);
  };
  EXPECT_EQ(split(R"(\d)", "a12"), (Pieces{"a", "1", "2"}));
  EXPECT_EQ(split(R"(\w+|[^\w\s]+)", "a.. \u00e9b", R"("behavior":"Removed","invert":true)"),
            (Pieces{"a", "..", "\u00e9b"}));
  // White space is that of Unicode, inside brackets and outside.
  EXPECT_EQ(split(R"(\s+)", "a\u3000b"), (Pieces{"a", "\u3000", "b"}));
  EXPECT_EQ(split(R"([^\s]+)", "a\u3000b", R"("behavior":"Removed","invert":true)"),
            (Pieces{"a", "b"}));
  const std::string gpt2 =
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  EXPECT_EQ(split(gpt2, "it's  12 !x \n b  "),
            (Pieces{"it", "'s", " ", " 12", " !", "x", " \n", " b", "  "}));
  const std::string newer =
      R"((?i:'s|'t)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  EXPECT_EQ(split(newer, "IT'S 1234\n\n x"), (Pieces{"IT", "'S", " ", "123", "4", "\n\n", " x"}));
}

TEST(PieceSplitterTest, ExpressionsThatCannotBeSaidAreRefused) {
  for (const char* expression :
       {"a(?=b)", "(?<n>a)", "(?>a)", R"(\bword)", R"([\s\S])", "[a&&b]", "a++", R"(\1)", "[[a]b]",
        R"(x\s+(?!\S)|\s+)", R"(\s+(?!\S))", "[a", "(a", R"(\)", "[]a]"}) {
    const auto translated = TranslateExpression(expression);
    const bool made = translated && TextPattern::Make(Json{{"Regex", expression}}).has_value();
    EXPECT_FALSE(made) << expression;
  }
}

TEST(PieceSplitterTest, WhatIsUnknownIsNamed) {
  EXPECT_EQ(SplitWith(R"({"type":"UnicodeScripts"})", ""),
            (Pieces{"unsupported: tokenizer.json: the pre_tokenizer \"UnicodeScripts\" is not "
                    "supported"}));
  EXPECT_EQ(SplitWith(R"({"type":"Punctuation","behavior":"Doubled"})", ""),
            (Pieces{"unsupported: tokenizer.json: the behavior \"Doubled\" is not supported"}));
  EXPECT_EQ(SplitWith(R"({"type":"Metaspace","replacement":"ab"})", ""),
            (Pieces{"corruption: tokenizer.json: bad replacement"}));
  Json deep = {{"type", "BertPreTokenizer"}};
  for (int i = 0; i < 20; ++i) deep = {{"type", "Sequence"}, {"pretokenizers", {deep}}};
  EXPECT_EQ(SplitWith(deep.dump(), ""),
            (Pieces{"corruption: tokenizer.json: bad pre_tokenizer: too many parts"}));
}

}  // namespace
}  // namespace recall
