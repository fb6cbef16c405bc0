// Invariants of the chunks of any text, checked on random texts with naive code.

#include <algorithm>
#include <random>
#include <set>

#include "index/base/text/tokenizer.h"
#include "index/base/text/utf8.h"
#include "tests/index/source/chunk/chunk_test_util.h"
#include "tests/test_util.h"

namespace recall {
namespace {

struct NaiveToken {
  size_t start;
  size_t end;
};

// The whitespace tokens, decoded character by character.
std::vector<NaiveToken> NaiveTokens(std::string_view text) {
  std::vector<NaiveToken> tokens;
  bool inside = false;
  for (size_t position = 0; position < text.size();) {
    const size_t start = position;
    const bool space = IsWhiteSpace(DecodeUtf8(text, &position));
    if (!space && !inside) tokens.push_back({start, position});
    if (!space) tokens.back().end = position;
    inside = !space;
  }
  return tokens;
}

uint32_t NaiveLine(std::string_view text, size_t position) {
  return 1 + static_cast<uint32_t>(std::count(text.begin(), text.begin() + position, '\n'));
}

bool IsCharacterStart(std::string_view text, size_t position) {
  return position == text.size() || (static_cast<uint8_t>(text[position]) & 0xC0) != 0x80;
}

// The first byte at or after `position` that is not a space or a tab.
size_t AfterIndentation(std::string_view text, size_t position) {
  return std::min(text.find_first_not_of(" \t", position), text.size());
}

void CheckSpan(std::string_view text, const std::vector<NaiveToken>& tokens, const ChunkSpan& span,
               const ChunkOptions& options) {
  ASSERT_LT(span.start_byte, span.end_byte);
  ASSERT_LE(span.end_byte, text.size());
  EXPECT_TRUE(IsCharacterStart(text, span.start_byte));
  EXPECT_TRUE(IsCharacterStart(text, span.end_byte));
  EXPECT_EQ(span.tokens, CountTokens(TextOf(text, span)));
  EXPECT_GE(span.tokens, 1u);
  EXPECT_LE(span.tokens, std::max(options.chunk_tokens, 1u));
  EXPECT_LE(span.end_byte - span.start_byte, std::max(options.chunk_tokens * 16, 64u));

  ASSERT_LT(span.offset, tokens.size());
  const NaiveToken& token = tokens[span.offset];
  const size_t first = token.start + span.byte_in_token;
  EXPECT_LT(first, token.end);
  if (span.start_byte != first) {  // the chunk starts with the indentation of its line
    EXPECT_EQ(span.byte_in_token, 0u);
    EXPECT_TRUE(span.start_byte == 0 || text[span.start_byte - 1] == '\n');
    EXPECT_EQ(AfterIndentation(text, span.start_byte), first);
  }
  const NaiveToken& last = tokens[span.offset + span.tokens - 1];
  EXPECT_GT(span.end_byte, last.start);
  EXPECT_LE(span.end_byte, last.end);
  EXPECT_EQ(span.start_line, NaiveLine(text, first));
  EXPECT_EQ(span.end_line, NaiveLine(text, span.end_byte - 1));
}

void CheckChunks(std::string_view text, Parser parser, const ChunkOptions& options,
                 const CodeOutline* outline = nullptr) {
  const std::vector<ChunkSpan> chunks = ChunkText(text, parser, options, outline);
  const std::vector<NaiveToken> tokens = NaiveTokens(text);
  std::set<std::pair<uint64_t, uint32_t>> places;
  size_t covered = 0;  // all earlier bytes are in a chunk or are white space
  for (size_t i = 0; i < chunks.size(); ++i) {
    CheckSpan(text, tokens, chunks[i], options);
    EXPECT_TRUE(places.emplace(chunks[i].offset, chunks[i].byte_in_token).second);
    if (i > 0) {
      EXPECT_GT(chunks[i].start_byte, chunks[i - 1].start_byte);
      EXPECT_GT(chunks[i].end_byte, chunks[i - 1].end_byte) << "a chunk inside another";
    }
    if (chunks[i].start_byte > covered) {
      EXPECT_EQ(CountTokens(text.substr(covered, chunks[i].start_byte - covered)), 0u);
    }
    covered = chunks[i].end_byte;
  }
  EXPECT_EQ(CountTokens(text.substr(covered)), 0u);
}

// A random text of pieces that are special to one of the parsers.
std::string RandomDocument(std::mt19937_64& random) {
  static constexpr std::string_view kPieces[] = {"a",          "word ",
                                                 "sentence. ", "why? ",
                                                 "\n",         "\n\n",
                                                 "\r\n",       "\r",
                                                 "\t",         "    ",
                                                 "  ",         "# Title\n",
                                                 "## Sub\n",   "### Deep ###\n",
                                                 "====\n",     "---\n",
                                                 "```\n",      "~~~~\n",
                                                 "- item\n",   "1. item\n",
                                                 "> quote\n",  "def f():",
                                                 "class A {",  "}\n",
                                                 "// note\n",  "@x\n",
                                                 "<!--\n",     "-->\n",
                                                 "日本語",     "。",
                                                 "、",         "\u00A0",
                                                 "\u3000",     "\u2003",
                                                 "\u00E9",     "\U0001F600",
                                                 "(x)",        "...\n",
                                                 "key: v\n",   "--- \n",
                                                 "|a|b|\n",    "\uFEFF",
                                                 "\v",         "\f",
                                                 "\u2028",     "\u0085",
                                                 "!",          "fn x() {\n"};
  std::uniform_int_distribution<size_t> pick(0, std::size(kPieces) - 1);
  std::uniform_int_distribution<int> percent(0, 99);
  std::string text;
  const size_t pieces = random() % 120;
  for (size_t i = 0; i < pieces; ++i) {
    const std::string_view piece = kPieces[pick(random)];
    const int dice = percent(random);
    const size_t times = dice < 3 ? random() % 200 : dice < 10 ? random() % 12 : 1;
    for (size_t k = 0; k < times; ++k) text += piece;
  }
  return text;
}

TEST(ChunkInvariants, HoldForRandomTexts) {
  const uint64_t seed = TestSeed(20260204);
  std::mt19937_64 random(seed);
  constexpr ChunkOptions kOptions[] = {{1, 0}, {2, 1},  {3, 2},   {4, 0},   {5, 4},
                                       {8, 2}, {16, 4}, {16, 15}, {64, 16}, {256, 32}};
  for (int round = 0; round < 1500; ++round) {
    const std::string text = RandomDocument(random);
    const ChunkOptions& options = kOptions[random() % std::size(kOptions)];
    for (const Parser parser : {Parser::kPlain, Parser::kMarkdown, Parser::kCode, Parser::kNote}) {
      SCOPED_TRACE(::testing::Message()
                   << "seed " << seed << " round " << round << ", " << ParserName(parser) << ", "
                   << options.chunk_tokens << "/" << options.overlap_tokens << ": "
                   << ::testing::PrintToString(text));
      CheckChunks(text, parser, options);
      if (HasFailure()) return;
    }
  }
}

// Adds random definitions within bytes begin .. end-1, and some within these.
void AddDefinitions(size_t begin, size_t end, int32_t parent, std::mt19937_64& random,
                    CodeOutline* outline) {
  while (begin + 2 < end && random() % 8 > 0) {
    const size_t start = begin + random() % ((end - begin + 1) / 2);
    const size_t stop = start + 1 + random() % (end - start);
    const auto index = static_cast<int32_t>(outline->definitions.size());
    outline->definitions.push_back({.start_byte = start,
                                    .end_byte = stop,
                                    .code_byte = start + random() % (stop - start),
                                    .kind = static_cast<SymbolKind>(random() % 13),
                                    .name = "d" + std::to_string(index),
                                    .parent = parent});
    if (random() % 2 == 0) AddDefinitions(start, stop, index, random, outline);
    begin = stop;
  }
}

TEST(ChunkInvariants, HoldForAnyOutline) {
  const uint64_t seed = TestSeed(20261127);
  std::mt19937_64 random(seed);
  constexpr ChunkOptions kOptions[] = {{1, 0}, {4, 1}, {8, 2}, {16, 4}, {64, 16}, {256, 32}};
  for (int round = 0; round < 1500; ++round) {
    const std::string text = RandomDocument(random);
    CodeOutline outline;
    AddDefinitions(0, text.size(), -1, random, &outline);
    for (size_t at = random() % 20; at < text.size(); at += 1 + random() % 40) {
      outline.cuts.push_back({at, static_cast<uint32_t>(random() % 6)});
    }
    const ChunkOptions& options = kOptions[random() % std::size(kOptions)];
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " round " << round << ": "
                                      << ::testing::PrintToString(text));
    CheckChunks(text, Parser::kCode, options, &outline);
    // Each definition begins in one chunk, if there is any code of it.
    size_t begun = 0;
    for (const ChunkSpan& span : ChunkText(text, Parser::kCode, options, &outline)) {
      for (const Symbol& symbol : span.symbols) begun += symbol.begins ? 1 : 0;
      EXPECT_TRUE(span.symbols.size() == 1 || std::ranges::all_of(span.symbols, &Symbol::begins));
    }
    EXPECT_LE(begun, outline.definitions.size());
    if (HasFailure()) return;
  }
}

TEST(ChunkInvariants, SameTextSameChunks) {
  std::mt19937_64 random(TestSeed(7));
  for (int round = 0; round < 50; ++round) {
    const std::string text = RandomDocument(random);
    for (const Parser parser : {Parser::kPlain, Parser::kMarkdown, Parser::kCode, Parser::kNote}) {
      const ChunkOptions options{8, 3};
      EXPECT_EQ(ChunkOutline(text, parser, options), ChunkOutline(text, parser, options));
    }
  }
}

// Windows of one paragraph overlap by at most the allowed tokens and cover all of it.
TEST(ChunkInvariants, OverlapIsBounded) {
  const std::string text = Words(5000);
  for (const uint32_t overlap : {0u, 1u, 7u, 16u}) {
    const std::vector<ChunkSpan> chunks = ChunkText(text, Parser::kPlain, {32, overlap});
    for (size_t i = 1; i < chunks.size(); ++i) {
      EXPECT_EQ(chunks[i].offset, chunks[i - 1].offset + chunks[i - 1].tokens - overlap);
    }
  }
}

// Ill-formed UTF-8 may be chunked in any way, but must not crash.
TEST(ChunkInvariants, BytesThatAreNotUtf8DoNoHarm) {
  std::mt19937_64 random(TestSeed(99));
  for (int round = 0; round < 300; ++round) {
    std::string text(random() % 600, '\0');
    for (char& c : text) c = static_cast<char>(random() % 8 == 0 ? ' ' : random());
    for (const Parser parser : {Parser::kPlain, Parser::kMarkdown, Parser::kCode, Parser::kNote}) {
      for (const ChunkSpan& span : ChunkText(text, parser, {4, 1})) {
        ASSERT_LE(span.end_byte, text.size());
        ASSERT_LT(span.start_byte, span.end_byte);
      }
    }
  }
}

}  // namespace
}  // namespace recall
