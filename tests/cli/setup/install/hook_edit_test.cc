// Hooks in JSON settings: items of arrays, beside those of others.

#include <gtest/gtest.h>

#include "cli/setup/install/client_parts.h"
#include "cli/setup/install/settings_edit.h"
#include "tests/cli/setup/install/random_settings.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::vector<PartEntry> HooksOfClient(std::string_view name) {
  const auto client = FindClient(name);
  return HookEntriesOf(**client, "recall hook");
}

std::vector<PartEntry> ClaudeHooks() { return HooksOfClient("claude-code"); }

struct AddedHooks {
  std::string text;
  std::vector<AddedText> added;
};

AddedHooks WithHooks(const std::string& before,
                     const std::vector<PartEntry>& entries = ClaudeHooks()) {
  AddedHooks result = {before, {}};
  for (const auto& [path, entry] : entries) {
    const auto edit = AddEntry(SettingsFormat::kJson, result.text, path, entry);
    EXPECT_TRUE(edit) << result.text;
    if (!edit) return result;
    result.text = edit->text;
    result.added.push_back(edit->added);
  }
  return result;
}

// `recorded`: with what the edits said.
std::string WithoutHooks(const std::string& text, const AddedHooks& hooks, bool recorded = true,
                         const std::vector<PartEntry>& entries = ClaudeHooks()) {
  std::string rest = text;
  for (size_t i = entries.size(); i-- > 0;) {
    const auto taken = TakeEntry(SettingsFormat::kJson, rest, entries[i].path,
                                 recorded ? &hooks.added[i] : nullptr);
    EXPECT_TRUE(taken) << rest;
    if (taken) rest = *taken;
  }
  return rest;
}

TEST(HookEditTest, AHookIsPutBehindThoseOfOthers) {
  const std::string before =
      "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n"
      "        \"hooks\": [{\"type\": \"command\", \"command\": \"lint\"}]\n      }\n    ]\n  "
      "}\n}\n";
  const AddedHooks hooks = WithHooks(before);
  EXPECT_NE(hooks.text.find("\"command\": \"lint\"}]\n      },\n      {\n"
                            "        \"matcher\": \"Bash\",\n        \"hooks\": [\n          {\n"
                            "            \"type\": \"command\",\n"
                            "            \"command\": \"recall hook\",\n"
                            "            \"timeout\": 10\n          }\n        ]\n      }\n    ]"),
            std::string::npos)
      << hooks.text;
  EXPECT_EQ(WithoutHooks(hooks.text, hooks), before);
}

TEST(HookEditTest, AddingAndTakingRestoresEveryByte) {
  std::mt19937_64 random(TestSeed(77));
  for (int i = 0; i < 3000; ++i) {
    const std::string before = RandomJsonSettings("hooks", random);
    SCOPED_TRACE(before);
    const std::vector<PartEntry> entries = HooksOfClient(i % 3 == 0 ? "cursor" : "claude-code");
    const AddedHooks hooks = WithHooks(before, entries);
    for (const auto& [path, entry] : entries) {
      ASSERT_OK_AND_ASSIGN(const auto found, FindEntry(SettingsFormat::kJson, hooks.text, path));
      ASSERT_EQ(found, CanonicalEntry(entry)) << hooks.text;
    }
    ASSERT_EQ(WithoutHooks(hooks.text, hooks, true, entries), before) << hooks.text;
    // Without the records, none of them is left.
    const std::string plain = WithoutHooks(hooks.text, hooks, false, entries);
    EXPECT_EQ(plain.find("recall hook"), plain.npos) << plain;
  }
}

TEST(HookEditTest, OthersMayAddHooksMeanwhile) {
  const AddedHooks hooks = WithHooks("{\n  \"model\": \"x\"\n}\n");
  std::string text = hooks.text;
  const size_t end = text.find("\n      }", text.find("\"SessionEnd\"")) + 8;
  text.insert(end, ",\n      {\n        \"hooks\": [{\"command\": \"bye\"}]\n      }");
  const std::string rest = WithoutHooks(text, hooks);
  EXPECT_EQ(rest,
            "{\n  \"model\": \"x\",\n  \"hooks\": {\n    \"SessionEnd\": [\n      {\n"
            "        \"hooks\": [{\"command\": \"bye\"}]\n      }\n    ]\n  }\n}\n");
}

TEST(HookEditTest, AReplacedHookIsPutBack) {
  const PartEntry first = ClaudeHooks()[0];
  const std::string before =
      "{\"hooks\": {\"SessionStart\": [{\"hooks\": [{\"command\": \"recall hook end\"}]}]}}";
  ASSERT_OK_AND_ASSIGN(const SettingsEdit edit,
                       ReplaceEntry(SettingsFormat::kJson, before, first.path, first.entry));
  ASSERT_OK_AND_ASSIGN(const auto found, FindEntry(SettingsFormat::kJson, edit.text, first.path));
  EXPECT_EQ(found, CanonicalEntry(first.entry));
  ASSERT_OK_AND_ASSIGN(const std::string after,
                       TakeEntry(SettingsFormat::kJson, edit.text, first.path, &edit.added));
  EXPECT_EQ(after, before);
}

TEST(HookEditTest, WhatCannotBeToldApartIsRefused) {
  const EntryPath path = ClaudeHooks()[0].path;
  const auto code = [&](const std::string& items) {
    const auto found =
        FindEntry(SettingsFormat::kJson, "{\"hooks\": {\"SessionStart\": " + items + "}}", path);
    return found ? StatusCode::kOk : found.error().code();
  };
  EXPECT_EQ(code("[]"), StatusCode::kOk);
  EXPECT_EQ(code("{}"), StatusCode::kInvalidArgument);
  EXPECT_EQ(code("[{\"hooks\": [{\"command\": \"recall hook\"}, {\"command\": \"x\"}]}]"),
            StatusCode::kUnsupported);
  EXPECT_EQ(code("[{\"hooks\": [{\"command\": \"recall hook\"}]},"
                 " {\"hooks\": [{\"command\": \"recall hook Stop\"}]}]"),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace recall
