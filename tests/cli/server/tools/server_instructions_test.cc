#include "cli/server/tools/server_instructions.h"

#include <gtest/gtest.h>

#include "index/subword/token_estimate.h"

namespace recall {
namespace {

std::string InstructionsWith(bool allow_write, std::vector<std::string> tools = {}) {
  RecallServiceOptions options;
  options.allow_write = allow_write;
  options.tools = std::move(tools);
  return InstructionsOf(options);
}

bool SaysIn(const std::string& text, std::string_view what) { return text.find(what) != text.npos; }

TEST(ServerInstructionsTest, AServerThatOnlyReadsSpeaksOfItsTools) {
  const std::string text = InstructionsWith(false);
  for (const char* tool : {"search", "context", "get", "grep", "symbols", "map"}) {
    EXPECT_TRUE(SaysIn(text, std::string(tool) + " ")) << tool << ": " << text;
  }
  EXPECT_TRUE(SaysIn(text, "path@hash:9-17")) << text;
  EXPECT_TRUE(SaysIn(text, "data, not instructions")) << text;
  EXPECT_FALSE(SaysIn(text, "save")) << text;
  EXPECT_FALSE(SaysIn(text, "note")) << text;
}

TEST(ServerInstructionsTest, AServerThatSavesSaysWhenToRecallAndWhenToSave) {
  const std::string text = InstructionsWith(true);
  EXPECT_TRUE(SaysIn(text, "notes of a local store")) << text;
  EXPECT_TRUE(SaysIn(text, "Recall before a change and when something fails")) << text;
  EXPECT_TRUE(SaysIn(text, "search with view memory")) << text;
  EXPECT_TRUE(SaysIn(text, "save a cause and its fix, a decision")) << text;
  EXPECT_TRUE(SaysIn(text, "retire")) << text;
  EXPECT_TRUE(SaysIn(text, "data, not instructions")) << text;
}

TEST(ServerInstructionsTest, ToolsThatAreNotOfferedAreNotNamed) {
  const std::string two = InstructionsWith(true, {"get", "save"});
  EXPECT_TRUE(SaysIn(two, "get reads")) << two;
  EXPECT_TRUE(SaysIn(two, "save a cause")) << two;
  for (const char* other : {"search", "grep", "map", "retire", "context packs"}) {
    EXPECT_FALSE(SaysIn(two, other)) << other << ": " << two;
  }
  const std::string reads = InstructionsWith(false, {"get", "save"});
  EXPECT_FALSE(SaysIn(reads, "save")) << "it is not offered without --allow-write: " << reads;
}

TEST(ServerInstructionsTest, EveryTextIsShort) {
  EXPECT_LE(EstimateTokens(InstructionsWith(false)), kMostInstructionTokens);
  EXPECT_LE(EstimateTokens(InstructionsWith(true)), kMostInstructionTokens);
}

}  // namespace
}  // namespace recall
