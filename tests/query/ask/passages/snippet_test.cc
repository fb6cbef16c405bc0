// Snippets: their invariants for any text, and that they show the unit that answers.

#include "query/ask/passages/snippet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "index/base/text/utf8.h"
#include "query/ask/passages/passage_units.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

ChunkView ChunkOf(const std::string& text) {
  ChunkView chunk;
  chunk.text = text;
  chunk.start_byte = 1000;
  chunk.end_byte = 1000 + text.size();
  chunk.start_line = 7;
  return chunk;
}

Snippet Cut(const std::string& query, const std::string& text, size_t most, bool is_code = false) {
  Tokenizer tokenizer;
  const LexicalQuery parsed = ParseLexicalQuery(query, tokenizer);
  return SnippetCutter(parsed, most).Cut(ChunkOf(text), is_code);
}

// The snippet with its highlights in brackets.
std::string Marked(const Snippet& snippet) {
  std::string marked = snippet.text;
  for (size_t i = snippet.highlights.size(); i-- > 0;) {
    marked.insert(snippet.highlights[i].end, "]");
    marked.insert(snippet.highlights[i].start, "[");
  }
  return marked;
}

std::string Marked(const std::string& query, const std::string& text, size_t most = 240) {
  return Marked(Cut(query, text, most));
}

TEST(SnippetTest, WordsAreMarkedByTheirStems) {
  EXPECT_EQ(Marked("merged segment", "Merging Segments is done by merges, not by mergers."),
            "[Merging] [Segments] is done by [merges], not by mergers.");
  EXPECT_EQ(Marked("cafe", "Ein Café, das CAFÉ heißt"), "Ein [Café], das [CAFÉ] heißt");
  EXPECT_EQ(Marked("the retry of a thing", "the retry of a client"), "the [retry] of a client");
  EXPECT_EQ(Marked("how is it", "what it is"), "what [it] [is]");  // no other matches
  EXPECT_EQ(Marked("absent", "nothing of it"), "nothing of it");
  EXPECT_EQ(Marked("x", ""), "");
}

TEST(SnippetTest, OperatorsMarkWhatTheyAskFor) {
  EXPECT_EQ(Marked("\"write ahead\"", "ahead of the write: write-ahead log"),
            "ahead of the write: [write]-[ahead] log");
  EXPECT_EQ(Marked("seg*", "a Segment of segments, no sea"), "a [Segment] of [segments], no sea");
  EXPECT_EQ(Marked("+must -never tree", "never a tree must"), "never a [tree] [must]");
  EXPECT_EQ(Marked("-never", "never ever"), "never ever");
  EXPECT_EQ(Marked("bar", "fooBar foo_bar(foobar)"), "foo[Bar] foo_[bar](foobar)");
  EXPECT_EQ(Marked("fooBar", "fooBar foo_bar(foobar) bar"), "[fooBar] [foo_bar]([foobar]) [bar]");
}

TEST(SnippetTest, ScriptsWithoutSpacesAreMarkedByPairs) {
  EXPECT_EQ(Marked("全文検索", "この文書は全文検索のためです。検索する。"),
            "この文書は[全文検索]のためです。[検索]する。");
  const std::string text = "一二三四五六七八九十。甲乙丙丁戊己庚辛壬癸。子丑寅卯辰巳午未申酉戌亥。";
  const Snippet snippet = Cut("寅卯", text, 60);
  EXPECT_EQ(Marked(snippet), "子丑[寅卯]辰巳午未申酉戌亥。");
}

// Every mark that ends a sentence for the chunker also does so for a snippet, which never starts
// with one.
TEST(SnippetTest, ScriptsWithoutSpacesStartAtAnySentence) {
  for (const std::string mark : {"。", "！", "？", "；", "…", "……", "！？"}) {
    const std::string text = "一二三四五六七八九十" + mark + "甲乙丙丁戊己庚辛壬癸" + mark +
                             "子丑寅卯辰巳午未申酉戌亥" + mark;
    EXPECT_EQ(Marked("寅卯", text, 60), "子丑[寅卯]辰巳午未申酉戌亥" + mark);
  }
  // An ASCII semicolon inside a word does not end a sentence.
  EXPECT_EQ(Marked("寅卯", "一二三四五六七八九十一二三四五六七八九十;子丑寅卯辰巳午未", 54),
            "九十;子丑[寅卯]辰巳午未");
  // Neither does a quoted mark, nor one before a closing bracket or quote.
  EXPECT_EQ(Marked("path", "the {\"id\": \"…\", \"path\": \"…\", \"mtime\": 1}", 34),
            "the {\"id\": \"…\", \"[path]\": \"…\",");
}

TEST(SnippetTest, MostDifferentWordsWinThenTheFirst) {
  const std::string far =
      "Apples grow on trees and apples are red, apples and apples again and again here. "
      "Then there is much that has nothing to do with it at all, line after line of it. "
      "In the end an apple meets a pear and all is well with the fruit of the world.";
  EXPECT_EQ(Marked("apple pear", far, 90),
            "In the end an [apple] meets a [pear] and all is well with the fruit of the world.");
  EXPECT_EQ(Marked("apple", far, 90),
            "[Apples] grow on trees and [apples] are red, [apples] and [apples] again and again "
            "here.");
}

// The unit with the words that tell the units of the chunk apart is shown whole, although more
// different words of the query are near each other elsewhere.
TEST(SnippetTest, TheUnitThatAnswersIsShownWhole) {
  const std::string table =
      "| Serial type | Content size | Meaning |\n| --- | --- | --- |\n"
      "| 0 | 0 | The serial type for a null. |\n"
      "| 1 | 1 | The serial type for integers of eight bits. |\n"
      "| 2 | 2 | The serial type for integers of sixteen bits. |\n"
      "| 6 | 8 | The serial type for integers of 64 bits. |\n"
      "| 7 | 8 | A floating point number. |\n"
      "| 8 | 0 | The integer zero. |\n";
  EXPECT_NE(Cut("what does serial type 7 mean", table, 120).text.find("A floating point number."),
            std::string::npos);
  // A line is not cut where it answers.
  std::string macros;
  for (int i = 0; i < 9; ++i) {
    macros += "#define LOOM_STATE_" + std::to_string(i) + "   (LOOM_STATE | (" + std::to_string(i) +
              "<<8))\n";
  }
  macros += "#define LOOM_BUSY_SHORT   (LOOM_BUSY | (2<<8))\n";
  EXPECT_NE(Cut("state of a loom that is busy for a short time", macros, 100, true)
                .text.find("#define LOOM_BUSY_SHORT   (LOOM_BUSY | (2<<8))"),
            std::string::npos);
  // The words of a heading count for the items below it.
  const std::string changes =
      "### Changed\n\n- the loom is quieter than it was before in every hall\n\n"
      "### Deprecated\n\n- orders of two letters that stand behind a single dash\n\n"
      "### Fixed\n\n- looms in the deprecated hall no longer stop for visitors\n";
  EXPECT_NE(Cut("what is deprecated", changes, 110).text.find("- orders of two letters"),
            std::string::npos);
}

// A unit that is longer than a snippet is shown from the sentence that answers.
TEST(SnippetTest, LongUnitsAreCutAtSentences) {
  std::string entry = "The weaver names what the loom does in its state.";
  for (int i = 0; i < 5; ++i) {
    entry += " LOOM_" + std::to_string(i) + " records one more thing that happens on a day.";
  }
  entry += " LOOM_TAKEN records who sits there. Nobody else may do so.";
  const Snippet snippet = Cut("what does loom_taken record", "- " + entry + "\n", 60);
  EXPECT_TRUE(snippet.text.starts_with("LOOM_TAKEN records who sits there.")) << snippet.text;
}

TEST(SnippetTest, RangesAndLinesAreThoseOfTheDocument) {
  const std::string text =
      "One line stands here, and it has eight words.\n\n\n"
      "The needle lies in the third, of as many words.\nLast.\n";
  const Snippet snippet = Cut("needle", text, 50);
  EXPECT_EQ(snippet.text, "The needle lies in the third, of as many words.");
  EXPECT_EQ(snippet.start_byte, 1000 + text.find("The needle"));
  EXPECT_EQ(snippet.end_byte, snippet.start_byte + snippet.text.size());
  EXPECT_EQ(snippet.start_line, 10u);
  EXPECT_EQ(snippet.end_line, 10u);
  EXPECT_EQ(snippet.highlights, (std::vector<ByteRange>{{4, 10}}));
}

TEST(SnippetTest, TinyLimitsAreKept) {
  EXPECT_EQ(Marked("needle", "a haystack with a needle in it", 6), "[needle]");
  EXPECT_EQ(Marked("needle", "a haystack with a needle in it", 5), "a");
  EXPECT_EQ(Marked("語", "日本語", 4), "日");
  EXPECT_EQ(Marked("語", "日本語", 2), "");
}

// The positions where a white-space-separated word starts or ends.
std::vector<std::pair<size_t, size_t>> WordsIn(const std::string& text) {
  std::vector<std::pair<size_t, size_t>> words;
  size_t start = text.npos;
  for (size_t at = 0; at <= text.size();) {
    size_t next = at;
    const bool space = at == text.size() || IsWhiteSpace(DecodeUtf8(text, &next));
    if (space && start != text.npos) words.push_back({start, at});
    if (space) start = text.npos;
    if (!space && start == text.npos) start = at;
    at = at == text.size() ? at + 1 : next;
  }
  return words;
}

// The unit with the greatest sum of the idf of its words and of shares of its neighbours is inside
// the snippet, if it fits.
void ExpectBestUnit(const std::string& text, const std::set<std::string>& asked,
                    const Snippet& snippet, size_t most) {
  const auto units = CutPassageUnits(text, false, false);
  std::vector<std::set<std::string>> words(units.size());
  std::map<std::string, double> with;
  for (size_t i = 0; i < units.size(); ++i) {
    if (units[i].end - units[i].start > most || units[i].heading) return;
    const std::string unit = text.substr(units[i].start, units[i].end - units[i].start);
    for (const auto& [begin, end] : WordsIn(unit)) {
      const std::string word = unit.substr(begin, end - begin);
      if (asked.contains(word)) words[i].insert(word);
    }
    for (const std::string& word : words[i]) ++with[word];
  }
  const auto evidence = [&](size_t unit) {
    double sum = 0;
    const auto all = static_cast<double>(units.size());
    for (const std::string& word : words[unit]) {
      sum += std::log(1 + (all - with[word] + .5) / (with[word] + .5));
    }
    return sum;
  };
  const auto value = [&](size_t unit) {
    double sum = evidence(unit);
    for (size_t other = 0; other < units.size(); ++other) {
      const size_t distance = other > unit ? other - unit : unit - other;
      if (distance > 0 && distance <= 3)
        sum += evidence(other) / static_cast<double>(1 << distance);
    }
    return sum;
  };
  double greatest = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    if (!words[i].empty()) greatest = std::max(greatest, value(i));
  }
  bool shown = greatest == 0;
  for (size_t i = 0; i < units.size(); ++i) {
    if (words[i].empty() || value(i) < greatest - 1e-6) continue;
    shown = shown || (units[i].start + 1000 >= snippet.start_byte &&
                      units[i].end + 1000 <= snippet.end_byte);
  }
  ASSERT_TRUE(shown) << most << "\n" << text << "\n" << Marked(snippet);
}

TEST(SnippetTest, AnyTextOfPlainWords) {
  std::mt19937_64 random(17);
  const std::string query = "memory index vector budget lambda";
  const std::set<std::string> asked = {"memory", "index", "vector", "budget", "lambda"};
  for (int round = 0; round < 400; ++round) {
    const std::string text = RandomText(random, 1 + random() % 200);
    const size_t most = 6 + random() % 200;
    const Snippet snippet = Cut(query, text, most);
    ASSERT_LE(snippet.text.size(), most);
    const size_t start = snippet.start_byte - 1000;
    ASSERT_EQ(text.substr(start, snippet.text.size()), snippet.text);
    ASSERT_EQ(snippet.end_byte - snippet.start_byte, snippet.text.size());
    ASSERT_EQ(snippet.start_line,
              7 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(start), '\n'));

    // A snippet is cut between words, and exactly the words of the query are marked.
    std::vector<ByteRange> expected;
    for (const auto& [begin, end] : WordsIn(text)) {
      const std::string word = text.substr(begin, end - begin);
      const bool inside = begin >= start && end <= start + snippet.text.size();
      ASSERT_TRUE(inside || end <= start || begin >= start + snippet.text.size()) << word;
      if (inside && asked.contains(word)) {
        expected.push_back({begin - start, end - start});
      }
    }
    ASSERT_EQ(snippet.highlights, expected) << Marked(snippet);
    ExpectBestUnit(text, asked, snippet, most);
  }
}

TEST(SnippetTest, AnyTextAtAll) {
  const std::string pieces[] = {"merge", "Segment", "fooBar", "日本", "語。", "é",
                                " ",     "\n",      "\t",     ". ",   "- ",   "#",
                                "```",   "🙂",    "한",     "_",    "\r\n"};
  std::mt19937_64 random(23);
  Tokenizer tokenizer;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t i = random() % 80; i-- > 0;) text += pieces[random() % std::size(pieces)];
    const size_t most = 1 + random() % 100;
    const Snippet snippet =
        Cut("merging segments bar 日本語 \"foo merge\" 한*", text, most, random() % 2 == 0);
    ASSERT_LE(snippet.text.size(), most);
    ASSERT_TRUE(IsValidUtf8(snippet.text)) << snippet.text;
    ASSERT_EQ(text.substr(snippet.start_byte - 1000, snippet.text.size()), snippet.text);
    size_t last = 0;
    bool first = true;
    for (const ByteRange& range : snippet.highlights) {
      ASSERT_TRUE(first || range.start > last);
      ASSERT_LT(range.start, range.end);
      ASSERT_LE(range.end, snippet.text.size());
      const std::string word = snippet.text.substr(range.start, range.end - range.start);
      ASSERT_TRUE(IsValidUtf8(word)) << word;
      ASSERT_FALSE(tokenizer.AnalyzeQuery(word).empty()) << word;
      last = range.end;
      first = false;
    }
  }
}

class SnippetAnswerTest : public QueryFixture {};

TEST_F(SnippetAnswerTest, SearchSimilarAndQueryGiveThemWhereAskedFor) {
  WriteFile("a.md", "# Retry\n\nClients wait, then they retry the request.\n");
  WriteFile("b.md", "# Other\n\nServers let clients retry what they asked before.\n");
  Add();
  SearchRequest search;
  search.text = "retry request";
  EXPECT_FALSE(Search(search).hits.at(0).snippet);
  search.snippet_bytes = 240;
  const SearchHit hit = Search(search).hits.at(0);
  EXPECT_EQ(Marked(*hit.snippet), "# [Retry]\n\nClients wait, then they [retry] the [request].");
  EXPECT_EQ(hit.snippet->start_byte, hit.chunk.start_byte);

  SimilarRequest similar{"a.md", search};
  const auto near = database_->Similar(similar);
  ASSERT_TRUE(near.has_value());
  EXPECT_EQ(Marked(*near->hits.at(0).snippet),
            "# Other\n\nServers let [clients] [retry] what they asked before.");

  QueryRequest query;
  query.snippet_bytes = 240;
  query.rql = "FROM chunk USING lexical('retri*') SELECT chunk.text LIMIT 1";
  auto rows = database_->Query(query);
  ASSERT_TRUE(rows.has_value());
  EXPECT_FALSE(rows->rows.at(0).snippet->highlights.empty());
  for (const char* without :
       {"FROM chunk USING lexical('retry') SELECT chunk.id", "FROM chunk SELECT chunk.text"}) {
    query.rql = without;
    rows = database_->Query(query);
    ASSERT_TRUE(rows.has_value());
    EXPECT_FALSE(rows->rows.at(0).snippet);
  }
}

}  // namespace
}  // namespace recall
