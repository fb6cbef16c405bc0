// Calls and answers survive their way to the server and back, and nothing else is taken for one.

#include "cli/server/remote/remote_call.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

// Random texts, numbers and lists of them.
class Dice final {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t end) { return random_() % end; }
  bool Flag() { return Below(2) == 1; }
  uint64_t Number() { return random_() >> Below(64); }
  // Any bytes.
  std::string Bytes() {
    std::string bytes(Below(40), '\0');
    for (char& byte : bytes) byte = static_cast<char>(Below(256));
    return bytes;
  }
  // UTF-8 with what JSON and lines treat in a particular way.
  std::string Text() {
    static constexpr const char* kParts[] = {"a",  " ", "\n",   "\r\n",   "\"", "\\", "ä",
                                             "中", "😀", "\x01", "data: ", "/",  "\t", "--"};
    std::string text;
    for (uint64_t i = Below(8); i > 0; --i) text += kParts[Below(std::size(kParts))];
    return text;
  }
  std::vector<std::string> Texts() {
    std::vector<std::string> texts(Below(4));
    for (std::string& text : texts) text = Text();
    return texts;
  }
  TextStyle Style() {
    TextStyle style;
    style.color = Flag();
    style.escape = Flag();
    style.columns = Below(300);
    style.terminal = Flag();
    style.utf8 = Flag();
    style.hyperlinks = Flag();
    style.host = Text();
    style.store_directory = Text();
    style.from = Text();
    return style;
  }
  View AnyView() {
    View view;
    view.name = Text();
    view.origin = Text();
    if (Flag()) view.filter = "doc.tag = '" + Text() + "'";
    if (Flag()) view.stages = Text();
    if (Flag()) view.k = static_cast<int64_t>(1 + Below(1000));
    if (Flag()) view.min_score = static_cast<double>(Below(1000)) / 1000;
    if (Flag()) view.payload = kLeanPayload;
    return view;
  }
  ConfigLayer Layer() {
    ConfigLayer layer;
    if (Flag()) layer.push_back({"max_limit", static_cast<int64_t>(1 + Below(1000)), Text()});
    if (Flag()) layer.push_back({"bm25_weight", static_cast<double>(Below(1000)) / 7, Text()});
    if (Flag()) layer.push_back({"vector_weight", 1.0, Text()});
    if (Flag()) layer.push_back({"stages", Text(), Text()});
    return layer;
  }

 private:
  std::mt19937_64 random_;
};

RemoteCall RandomCall(Dice& dice) {
  RemoteCall remote;
  remote.standpoint = {dice.Text(), dice.Text()};
  remote.store = dice.Text();
  remote.command = dice.Text();
  ProcessCall& call = remote.call;
  call.call.args = dice.Texts();
  call.error_mode = static_cast<OutputMode>(dice.Below(4));
  call.lean_from_environment = dice.Flag();
  call.stable = dice.Flag();
  call.pretty_json = dice.Flag();
  call.store.path = dice.Text();
  ConfigLayers& layers = call.store.layers;
  for (ConfigLayer* layer : {&layers.user, &layers.store, &layers.environment, &layers.flags}) {
    *layer = dice.Layer();
  }
  for (uint64_t i = dice.Below(3); i > 0; --i) layers.views.push_back(dice.AnyView());
  call.warnings = dice.Texts();
  call.directory = dice.Text();
  call.out_style = dice.Style();
  call.error_style = dice.Style();
  return remote;
}

void ExpectSame(const TextStyle& a, const TextStyle& b) {
  EXPECT_EQ(a.color, b.color);
  EXPECT_EQ(a.escape, b.escape);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.terminal, b.terminal);
  EXPECT_EQ(a.utf8, b.utf8);
  EXPECT_EQ(a.hyperlinks, b.hyperlinks);
  EXPECT_EQ(a.host, b.host);
  EXPECT_EQ(a.store_directory, b.store_directory);
  EXPECT_EQ(a.from, b.from);
}

void ExpectSame(const ConfigLayer& a, const ConfigLayer& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].key, b[i].key);
    EXPECT_EQ(a[i].value, b[i].value);
    EXPECT_EQ(a[i].origin, b[i].origin);
  }
}

TEST(RemoteCallTest, CallsSurvive) {
  Dice dice(TestSeed(50));
  for (int i = 0; i < 300; ++i) {
    const RemoteCall sent = RandomCall(dice);
    const auto json = EncodeCall(sent);
    ASSERT_TRUE(json);
    const auto received = DecodeCall(*json);
    ASSERT_TRUE(received) << *json;
    EXPECT_EQ(received->standpoint, sent.standpoint);
    EXPECT_EQ(received->store, sent.store);
    EXPECT_EQ(received->command, sent.command);
    const ProcessCall& a = received->call;
    const ProcessCall& b = sent.call;
    EXPECT_EQ(a.call.args, b.call.args);
    EXPECT_EQ(a.error_mode, b.error_mode);
    EXPECT_EQ(a.lean_from_environment, b.lean_from_environment);
    EXPECT_EQ(a.stable, b.stable);
    EXPECT_EQ(a.pretty_json, b.pretty_json);
    EXPECT_EQ(a.store.path, b.store.path);
    ExpectSame(a.store.layers.user, b.store.layers.user);
    ExpectSame(a.store.layers.store, b.store.layers.store);
    ExpectSame(a.store.layers.environment, b.store.layers.environment);
    ExpectSame(a.store.layers.flags, b.store.layers.flags);
    ASSERT_EQ(a.store.layers.views.size(), b.store.layers.views.size());
    for (size_t view = 0; view < b.store.layers.views.size(); ++view) {
      EXPECT_EQ(a.store.layers.views[view].name, b.store.layers.views[view].name);
      EXPECT_EQ(a.store.layers.views[view].origin, b.store.layers.views[view].origin);
      EXPECT_EQ(ValuesOf(a.store.layers.views[view]), ValuesOf(b.store.layers.views[view]));
    }
    EXPECT_EQ(a.warnings, b.warnings);
    EXPECT_EQ(a.directory, b.directory);
    ExpectSame(a.out_style, b.out_style);
    ExpectSame(a.error_style, b.error_style);
  }
}

TEST(RemoteCallTest, TextsThatAreNotUtf8AreNotSent) {
  Dice dice(TestSeed(51));
  RemoteCall call = RandomCall(dice);
  call.call.call.args = {"caf\xE9"};
  EXPECT_FALSE(EncodeCall(call));
  call.call.call.args = {"café"};
  EXPECT_TRUE(EncodeCall(call));
  call.call.store.path = "/tmp/\xFF.db";
  EXPECT_FALSE(EncodeCall(call));
}

TEST(RemoteCallTest, WhatIsNotACallIsRefused) {
  Dice dice(TestSeed(52));
  const std::string json = *EncodeCall(RandomCall(dice));
  for (size_t size = 0; size < json.size(); ++size) EXPECT_FALSE(DecodeCall(json.substr(0, size)));
  for (const char* text : {"{}", "[]", "null", "7", R"({"args": 1})"}) {
    EXPECT_FALSE(DecodeCall(text)) << text;
  }
  // A value that the key cannot have, which a settings file could not set either.
  RemoteCall wrong = RandomCall(dice);
  wrong.call.store.layers.user = {{"max_limit", int64_t{0}, "here"}};
  EXPECT_FALSE(DecodeCall(*EncodeCall(wrong)));
  wrong.call.store.layers.user = {{"fusion", int64_t{1}, "here"}};
  EXPECT_FALSE(DecodeCall(*EncodeCall(wrong)));
  wrong.call.store.layers.user = {{"no_such_key", int64_t{1}, "here"}};
  EXPECT_FALSE(DecodeCall(*EncodeCall(wrong)));
}

std::string EventOf(const ProcessAnswer& answer) {
  std::string event;
  for (const std::string& line : EncodeAnswer(answer)) event += line + "\n";
  return event + "\n";
}

ProcessAnswer RandomAnswer(Dice& dice) {
  constexpr ExitCode kExits[] = {ExitCode::kDone, ExitCode::kAbsent, ExitCode::kUsage};
  ProcessAnswer answer;
  answer.exit = kExits[dice.Below(std::size(kExits))];
  for (uint64_t i = dice.Below(6); i > 0; --i) {
    const auto kind = static_cast<OutputStep::Kind>(dice.Below(3));
    answer.output.Add(kind, kind == OutputStep::Kind::kFlush ? "" : dice.Bytes());
  }
  return answer;
}

TEST(RemoteCallTest, AnswersSurvive) {
  Dice dice(TestSeed(53));
  for (int i = 0; i < 300; ++i) {
    const ProcessAnswer sent = RandomAnswer(dice);
    const auto received = DecodeAnswer(EventOf(sent));
    ASSERT_TRUE(received);
    EXPECT_EQ(received->exit, sent.exit);
    EXPECT_EQ(received->output.steps(), sent.output.steps());
  }
}

// A server that was killed must not be taken for one that had nothing more to say.
TEST(RemoteCallTest, ABeginningIsNoAnswer) {
  Dice dice(TestSeed(54));
  const std::string event = EventOf(RandomAnswer(dice));
  for (size_t size = 0; size < event.size(); ++size) {
    EXPECT_FALSE(DecodeAnswer(event.substr(0, size))) << size;
  }
  EXPECT_FALSE(DecodeAnswer(event + event));
  EXPECT_FALSE(DecodeAnswer("data: exit 7\n\n"));
  EXPECT_FALSE(DecodeAnswer("data: out !\ndata: exit 0\n\n"));
}

TEST(RemoteCallTest, OutputThatIsTooLargeIsNotKept) {
  RecordedOutput output;
  output.Add(OutputStep::Kind::kOut, std::string(RecordedOutput::kMostBytes, 'a'));
  EXPECT_TRUE(output.complete());
  output.Add(OutputStep::Kind::kOut, "b");
  EXPECT_FALSE(output.complete());
  EXPECT_TRUE(output.steps().empty());
}

// The same words mean another store, or other rights, under other variables of libpq.
TEST(KeyOfStoreTest, NamesFilesByTheirIdentityAndAddressesByWhatTheyMean) {
  const TempDir directory;
  const std::string file = directory / "recall.db";
  EXPECT_EQ(KeyOfStore(file), std::nullopt);
  std::ofstream(file) << "x";
  std::filesystem::create_symlink(file, directory / "link");
  EXPECT_NE(KeyOfStore(file), std::nullopt);
  EXPECT_EQ(KeyOfStore(directory / "link"), KeyOfStore(file));

  const std::string address = "postgres:///team";
  const auto key = KeyOfStore(address);
  ASSERT_NE(key, std::nullopt);
  EXPECT_EQ(KeyOfStore(address), key);
  EXPECT_NE(KeyOfStore(address + "?store=b"), key);
  ASSERT_EQ(::setenv("PGHOST", "elsewhere.example", 1), 0);
  EXPECT_NE(KeyOfStore(address), key);
  ::unsetenv("PGHOST");
  EXPECT_EQ(KeyOfStore(address), key);
}

}  // namespace
}  // namespace recall
