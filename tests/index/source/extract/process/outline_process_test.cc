// Source code is parsed in the sandbox of workers as it is without.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "index/source/code/code_grammar.h"
#include "index/source/code/outline_parser.h"
#include "index/source/extract/process/extractor_pool.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

TEST(OutlineProcessTest, WorkersParseAsTheProgramDoes) {
  const std::atomic<bool> not_cancelled{false};
  ExtractorPool pool({.path = BuildDir() + "/tests/index/hostile_worker"}, {}, false, {},
                     &not_cancelled);
  size_t outlines = 0;
  // Many files, of some sizes.
  const std::filesystem::path corpus = std::filesystem::path(SourceDir()) / "fuzz/corpus";
  for (int round = 0; round < 25; ++round) {
    for (const auto& entry : std::filesystem::directory_iterator(corpus / "outline")) {
      std::ifstream in(entry.path(), std::ios::binary);
      std::string path;
      std::getline(in, path);  // the first line of an input of fuzz_outline.cc
      std::string text((std::istreambuf_iterator<char>(in)), {});
      for (int i = 0; i < round % 5; ++i) text += text;
      const std::string grammar = GrammarFor(path, text);
      EXPECT_EQ(pool.GrammarFor(path, text), grammar);
      const auto expected = ParseOutline(grammar, text);
      const OutlineAnswer answer = pool.Outline(grammar, text);
      ASSERT_EQ(answer.outcome, expected ? OutlineOutcome::kOutline : OutlineOutcome::kNone)
          << path;
      if (!expected) continue;
      ++outlines;
      EXPECT_EQ(answer.outline.grammar, grammar);
      EXPECT_EQ(EncodeOutlineAnswer({OutlineOutcome::kOutline, answer.outline, 0}),
                EncodeOutlineAnswer({OutlineOutcome::kOutline, *expected, 0}))
          << path;
    }
  }
  EXPECT_GT(outlines, 25U);
}

}  // namespace
}  // namespace recall
