// The entry in JSON settings: how it looks, and that taking it away restores the bytes.

#include <gtest/gtest.h>

#include "cli/setup/install/settings_edit.h"
#include "tests/cli/setup/install/random_settings.h"
#include "tests/test_util.h"

namespace recall {
namespace {

const EntryPath kServers = {"mcpServers", "recall"};
const ServerEntry kEntry = {{"command", "recall"},
                            {"args", std::vector<std::string>{"mcp", "--store", "/x"}}};

std::string Added(const std::string& text) {
  const auto edit = AddEntry(SettingsFormat::kJson, text, kServers, kEntry);
  EXPECT_TRUE(edit);
  return edit ? edit->text : "";
}

TEST(JsonEditTest, AnEmptyFileGetsAWholeObject) {
  const std::string whole =
      "{\n"
      "  \"mcpServers\": {\n"
      "    \"recall\": {\n"
      "      \"command\": \"recall\",\n"
      "      \"args\": [\"mcp\", \"--store\", \"/x\"]\n"
      "    }\n"
      "  }\n"
      "}\n";
  EXPECT_EQ(Added(""), whole);
  EXPECT_EQ(Added("\xEF\xBB\xBF"), "\xEF\xBB\xBF" + whole);
  EXPECT_EQ(Added("{}"), whole.substr(0, whole.size() - 1));
  EXPECT_EQ(Added("{}\n"), whole);
  EXPECT_EQ(Added("{\n}\n"), whole);
  EXPECT_EQ(Added("{\n  \"mcpServers\": {}\n}\n"), whole);
}

TEST(JsonEditTest, TheStyleIsThatOfTheNeighbours) {
  EXPECT_EQ(Added("{\"a\":1}"),
            "{\"a\":1,\"mcpServers\":{\"recall\":{\"command\":\"recall\","
            "\"args\":[\"mcp\",\"--store\",\"/x\"]}}}");
  EXPECT_EQ(Added("{ \"a\": 1 }"),
            "{ \"a\": 1, \"mcpServers\": {\"recall\": {\"command\": \"recall\", "
            "\"args\": [\"mcp\", \"--store\", \"/x\"]}} }");
  EXPECT_EQ(Added("{\r\n\t\"mcpServers\": {\r\n\t\t\"b\": {}\r\n\t}\r\n}"),
            "{\r\n\t\"mcpServers\": {\r\n\t\t\"b\": {},\r\n\t\t\"recall\": {\r\n"
            "\t\t\t\"command\": \"recall\",\r\n"
            "\t\t\t\"args\": [\"mcp\", \"--store\", \"/x\"]\r\n\t\t}\r\n\t}\r\n}");
}

TEST(JsonEditTest, CommentsStayWithWhatTheyAreAbout) {
  EXPECT_EQ(Added("{\n"
                  "  // servers\n"
                  "  \"mcpServers\": {\n"
                  "    \"b\": {} // the b\n"
                  "    // \"c\": {}\n"
                  "  }\n"
                  "}\n"),
            "{\n"
            "  // servers\n"
            "  \"mcpServers\": {\n"
            "    \"b\": {}, // the b\n"
            "    // \"c\": {}\n"
            "    \"recall\": {\n"
            "      \"command\": \"recall\",\n"
            "      \"args\": [\"mcp\", \"--store\", \"/x\"]\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(JsonEditTest, ACommaAtTheEndStaysOne) {
  EXPECT_EQ(Added("{\n  \"mcpServers\": {\n    \"b\": 1,\n  },\n}"),
            "{\n  \"mcpServers\": {\n    \"b\": 1,\n    \"recall\": {\n"
            "      \"command\": \"recall\",\n"
            "      \"args\": [\"mcp\", \"--store\", \"/x\"]\n    },\n  },\n}");
}

TEST(JsonEditTest, WhatIsNotAnObjectIsRefusedWithItsPlace) {
  const auto refused = [](const std::string& text) {
    const auto edit = AddEntry(SettingsFormat::kJson, text, kServers, kEntry);
    EXPECT_FALSE(edit) << text;
    if (edit || edit.error().position() == nullptr) return std::string("accepted");
    EXPECT_EQ(edit.error().code(), StatusCode::kInvalidArgument);
    const TextPosition& at = *edit.error().position();
    return std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
           std::string(edit.error().message());
  };
  EXPECT_EQ(refused("[]"), "1:1 the whole is not an object");
  EXPECT_EQ(refused("{\n \"é\": 1, \"mcpServers\": null}"), "2:24 \"mcpServers\" is not an object");
  EXPECT_EQ(refused("{\"mcpServers\": {}, \"mcpServers\": {}}"),
            "1:20 there is a second \"mcpServers\"");
  EXPECT_EQ(refused("{\"a\": 1"), "1:8 a comma or '}' is missing");
}

TEST(JsonEditTest, AnotherEntryIsPutBack) {
  const std::string before =
      "{\n  \"mcpServers\": {\n    \"recall\": { \"command\": \"mine\" }, // mine\n    \"b\": 1\n  "
      "}\n}";
  ASSERT_OK_AND_ASSIGN(const SettingsEdit edit,
                       ReplaceEntry(SettingsFormat::kJson, before, kServers, kEntry));
  ASSERT_OK_AND_ASSIGN(const auto found, FindEntry(SettingsFormat::kJson, edit.text, kServers));
  EXPECT_EQ(found, CanonicalEntry(kEntry));
  ASSERT_OK_AND_ASSIGN(const std::string after,
                       TakeEntry(SettingsFormat::kJson, edit.text, kServers, &edit.added));
  EXPECT_EQ(after, before);
}

// What other programs and people do between install and uninstall.
TEST(JsonEditTest, ChangesElsewhereStay) {
  const auto taken = [](const std::string& before, const std::string& find,
                        const std::string& put) {
    const auto edit = AddEntry(SettingsFormat::kJson, before, kServers, kEntry);
    EXPECT_TRUE(edit);
    std::string text = edit->text;
    EXPECT_NE(text.find(find), text.npos) << text;
    text.replace(text.rfind(find), find.size(), put);
    const auto after = TakeEntry(SettingsFormat::kJson, text, kServers, &edit->added);
    EXPECT_TRUE(after);
    return after ? *after : "";
  };
  // Another server behind ours, in a group that we made.
  EXPECT_EQ(taken("{\n  \"a\": 1\n}\n", "    }\n  }\n", "    },\n    \"z\": {}\n  }\n"),
            "{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"z\": {}\n  }\n}\n");
  // Another member behind the group, and before it.
  EXPECT_EQ(taken("{\n  \"a\": 1\n}\n", "    }\n  }\n", "    }\n  },\n  \"z\": 2\n"),
            "{\n  \"a\": 1,\n  \"z\": 2\n}\n");
  EXPECT_EQ(taken("{\n  \"a\": 1\n}\n", "\"a\": 1", "\"a\": 2"), "{\n  \"a\": 2\n}\n");
  // The whole file is written again in another style.
  EXPECT_EQ(
      taken("{\"mcpServers\":{}}",
            "{\"mcpServers\":{\"recall\":{\"command\":\"recall\",\"args\":[\"mcp\",\"--store\","
            "\"/x\"]}}}",
            "{\n  \"x\": 1,\n  \"mcpServers\": {\n    \"recall\": {\n      \"args\": [\n        "
            "\"mcp\", \"--store\", \"/x\"\n      ],\n      \"command\": \"recall\"\n    }\n  "
            "}\n}"),
      "{\n  \"x\": 1,\n  \"mcpServers\": {\n  }\n}");
}

TEST(JsonEditTest, AddingAndTakingRestoresEveryByte) {
  std::mt19937_64 random(TestSeed(49));
  for (int i = 0; i < 20000; ++i) {
    const std::string before = RandomJsonSettings("mcpServers", random);
    const ServerEntry entry = RandomEntry(random);
    SCOPED_TRACE(before);
    ASSERT_OK_AND_ASSIGN(const auto none, FindEntry(SettingsFormat::kJson, before, kServers));
    ASSERT_EQ(none, std::nullopt);
    ASSERT_OK_AND_ASSIGN(const SettingsEdit edit,
                         AddEntry(SettingsFormat::kJson, before, kServers, entry));
    ASSERT_OK_AND_ASSIGN(const auto found, FindEntry(SettingsFormat::kJson, edit.text, kServers));
    ASSERT_EQ(found, CanonicalEntry(entry)) << edit.text;
    ASSERT_OK_AND_ASSIGN(const std::string after,
                         TakeEntry(SettingsFormat::kJson, edit.text, kServers, &edit.added));
    ASSERT_EQ(after, before) << edit.text;
    // The file lost nothing but gained our text: without it, and perhaps a comma, it is the same.
    const size_t at = edit.text.find(edit.added.text);
    ASSERT_NE(at, edit.text.npos);
    ASSERT_EQ(edit.text.size(), before.size() + edit.added.text.size() + edit.added.comma);
    // Without the record, the values are the same.
    ASSERT_OK_AND_ASSIGN(const std::string plain,
                         TakeEntry(SettingsFormat::kJson, edit.text, kServers, nullptr));
    ASSERT_OK_AND_ASSIGN(const auto gone, FindEntry(SettingsFormat::kJson, plain, kServers));
    ASSERT_EQ(gone, std::nullopt);
    // Replacing and putting back.
    ASSERT_OK_AND_ASSIGN(const SettingsEdit other,
                         ReplaceEntry(SettingsFormat::kJson, edit.text, kServers, kEntry));
    ASSERT_OK_AND_ASSIGN(const std::string back,
                         TakeEntry(SettingsFormat::kJson, other.text, kServers, &other.added));
    ASSERT_EQ(back, edit.text);
  }
}

}  // namespace
}  // namespace recall
