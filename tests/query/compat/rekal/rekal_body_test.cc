// rekal.body and dict.bin, read back from what an encoder of the tests writes.

#include "query/compat/rekal/rekal_body.h"

#include <gtest/gtest.h>

#include <set>

#include "query/compat/rekal/rekal_payload.h"
#include "query/compat/rekal/rekal_strings.h"
#include "tests/query/compat/rekal/rekal_encoder.h"
#include "tests/test_util.h"

namespace recall {
namespace {

struct ReadBody {
  std::vector<RekalSession> sessions;
  std::vector<RekalCheckpoint> checkpoints;
  std::vector<int64_t> damaged;  // frames
  int64_t unknown = 0;
  int64_t mended = 0;
  int64_t frames = 0;
};

ReadBody ReadAllFrames(std::string_view body, std::string_view strings,
                       const std::string& dictionary = "") {
  ReadBody all;
  ZstdDictionaries dictionaries(dictionary, kRekalDictionaryBytes);
  auto table = ReadRekalStrings(strings);
  auto reader = RekalBodyReader::Open(body, &dictionaries);
  if (!table || !reader) {
    all.damaged.push_back(0);
    return all;
  }
  while (const auto frame = reader->Next()) {
    ++all.frames;
    auto contents = frame->payload ? ReadRekalPayload(frame->type, *frame->payload, *table)
                                   : Fail(Status::Corruption("damaged"));
    if (!contents || contents->damaged > 0) all.damaged.push_back(frame->number);
    if (!contents) continue;
    all.unknown += contents->unknown;
    all.mended += contents->counts_repaired;
    for (auto& session : contents->sessions) all.sessions.push_back(std::move(session));
    for (auto& checkpoint : contents->checkpoints) {
      all.checkpoints.push_back(std::move(checkpoint));
    }
  }
  return all;
}

// What a session says, so that two can be compared.
std::string Words(const RekalSession& session) {
  std::string words = session.id + " " + session.author + " " + session.branch + " " +
                      session.parent + " " + session.description +
                      (session.is_agent ? " agent" : "");
  for (const RekalTurn& turn : session.turns) {
    words += "\n" + std::string(TurnRoleName(turn.role)) + (turn.is_summary ? "* " : " ") +
             std::to_string(turn.seconds) + " " + turn.text;
  }
  for (const RekalCall& call : session.calls) {
    words += "\n[" + call.tool + "] " + call.path + " $ " + call.command;
  }
  return words;
}

EncodedSession SmallSession(const std::string& id = "01KJAAAAAAAAAAAAAAAAAAAAAA") {
  return {.id = id,
          .turns = {{0, 0, "Why does the login fail?"}, {1, 8, "The token has expired."}},
          .calls = {{3, "/home/ada/app/src/auth.go", ""}, {2, "", "go test ./..."}}};
}

constexpr const char* kSmallWords =
    "01KJAAAAAAAAAAAAAAAAAAAAAA ada@example.com main  \n"
    "human 0 Why does the login fail?\n"
    "assistant 8 The token has expired.\n"
    "[Edit] /home/ada/app/src/auth.go $ \n"
    "[Bash]  $ go test ./...";

EncodedCheckpoint SmallCheckpoint() {
  return {.id = "01KJCCCCCCCCCCCCCCCCCCCCCC",
          .sha = "8adaff1ff3a20a9ea67c02b8ec44bf677ab88d65",
          .sessions = {"01KJAAAAAAAAAAAAAAAAAAAAAA"},
          .files = {{"src/auth.go", 'M'}, {"old.go\tsrc/new.go", 'R'}, {"notes.txt", 'T'}}};
}

TEST(RekalBodyTest, SessionsAndCheckpointsComeBack) {
  RekalEncoder encoder;
  encoder.Add(SmallSession()).Add(SmallCheckpoint()).AddFrame(3, encoder.MetaPayload());
  for (const int version : {1, 2}) {
    const ReadBody read = ReadAllFrames(encoder.body(), encoder.strings(version));
    ASSERT_EQ(read.sessions.size(), 1u);
    EXPECT_EQ(Words(read.sessions[0]), kSmallWords);
    EXPECT_EQ(FormatRfc3339(*read.sessions[0].parsed_at), "2026-02-25T10:00:00Z");
    ASSERT_EQ(read.checkpoints.size(), 1u);
    EXPECT_EQ(read.checkpoints[0].sha, "8adaff1ff3a20a9ea67c02b8ec44bf677ab88d65");
    EXPECT_EQ(read.checkpoints[0].sessions, std::vector<std::string>{"01KJAAAAAAAAAAAAAAAAAAAAAA"});
    // What only a tool named is not in the commit; a file that was renamed has its new name.
    EXPECT_EQ(read.checkpoints[0].files, (std::vector<std::string>{"src/auth.go", "src/new.go"}));
    EXPECT_EQ(read.frames, 3);
    EXPECT_TRUE(read.damaged.empty());
  }
}

TEST(RekalBodyTest, LaterVersionsAndBatchesComeBack) {
  RekalEncoder encoder;
  EncodedSession sub = SmallSession("01KJBBBBBBBBBBBBBBBBBBBBBB");
  sub.parent = "01KJAAAAAAAAAAAAAAAAAAAAAA";
  sub.description = "look for the token";
  sub.is_agent = true;
  for (int i = 0; i < 300; ++i) sub.turns.push_back({i % 4, 1, "turn " + std::to_string(i)});
  encoder.Add(sub, 2);
  EncodedCheckpoint wide = SmallCheckpoint();
  for (int i = 0; i < 300; ++i) wide.files.emplace_back("src/" + std::to_string(i), 'A');
  encoder.AddFrame(
      6, encoder.Part(1, encoder.Payload(SmallSession())) + encoder.Part(77, "of a later version") +
             encoder.Part(5, encoder.Payload(wide, 2)) + encoder.Part(3, encoder.MetaPayload()));
  const ReadBody read = ReadAllFrames(encoder.body(), encoder.strings());
  ASSERT_EQ(read.sessions.size(), 2u);
  EXPECT_TRUE(Words(read.sessions[0])
                  .starts_with("01KJBBBBBBBBBBBBBBBBBBBBBB ada@example.com main "
                               "01KJAAAAAAAAAAAAAAAAAAAAAA look for the token agent\n"));
  EXPECT_EQ(read.sessions[0].turns.size(), 302u);
  EXPECT_EQ(read.sessions[0].turns[4].role, TurnRole::kHuman);  // typed while the agent worked
  EXPECT_TRUE(read.sessions[0].turns[5].is_summary);
  EXPECT_EQ(Words(read.sessions[1]), kSmallWords);
  ASSERT_EQ(read.checkpoints.size(), 1u);
  EXPECT_EQ(read.checkpoints[0].files.size(), 302u);
  EXPECT_EQ(read.unknown, 1);
  EXPECT_TRUE(read.damaged.empty());
}

TEST(RekalBodyTest, TheOldestCheckpointsHaveNoNumber) {
  RekalEncoder encoder;
  encoder.Add(SmallSession()).Add(SmallCheckpoint(), 0);
  const ReadBody read = ReadAllFrames(encoder.body(), encoder.strings());
  ASSERT_EQ(read.checkpoints.size(), 1u);
  EXPECT_EQ(read.checkpoints[0].sha, "8adaff1ff3a20a9ea67c02b8ec44bf677ab88d65");
  EXPECT_EQ(read.checkpoints[0].files.size(), 2u);
}

// rekal itself reads the second turn of such a session as a use of a tool.
TEST(RekalBodyTest, CountsThatWrappedAroundAreFound) {
  for (const auto& [turns, calls] : {std::pair{266, 313}, std::pair{228, 359}, std::pair{256, 0},
                                     std::pair{3, 256}, std::pair{700, 10}, std::pair{300, 300}}) {
    EncodedSession session = SmallSession();
    session.turns.clear();
    session.calls.clear();
    for (int i = 0; i < turns; ++i) {
      // Short ones, too: they look like commands.
      const std::string text = i % 7 == 0 ? "ok"
                                          : "What turn " + std::to_string(i) +
                                                " says is longer than a command can be, " +
                                                std::string(400, 'x');
      session.turns.push_back({i % 2, 0, text});
    }
    for (int i = 0; i < calls; ++i) {
      session.calls.push_back(i % 3 == 0 ? EncodedCall{2, "", "make " + std::to_string(i)}
                                         : EncodedCall{i % 2, "src/" + std::to_string(i % 9), ""});
    }
    RekalEncoder encoder;
    encoder.Add(session);
    const ReadBody read = ReadAllFrames(encoder.body(), encoder.strings());
    ASSERT_EQ(read.sessions.size(), 1u) << turns << " " << calls;
    EXPECT_EQ(read.mended, 1);
    ASSERT_EQ(read.sessions[0].turns.size(), static_cast<size_t>(turns));
    ASSERT_EQ(read.sessions[0].calls.size(), static_cast<size_t>(calls));
    EXPECT_EQ(read.sessions[0].turns.back().text, session.turns.back().text);
  }
}

TEST(RekalBodyTest, ATableWithMoreThan255EmailsIsRead) {
  RekalEncoder encoder;
  for (int i = 0; i < 600; ++i) {
    EncodedSession session = SmallSession("01KJ" + std::to_string(100'000 + i));
    session.email = "person" + std::to_string(i) + "@example.com";
    encoder.Add(session);
  }
  const ReadBody read = ReadAllFrames(encoder.body(), encoder.strings());
  ASSERT_EQ(read.sessions.size(), 600u);
  EXPECT_EQ(read.sessions[599].author, "person599@example.com");
  EXPECT_EQ(read.sessions[599].calls[0].path, "/home/ada/app/src/auth.go");
}

TEST(RekalBodyTest, TheDictionaryIsFoundInItsFileAndInAProgram) {
  const std::string dictionary = DictionaryForTests();
  ASSERT_FALSE(dictionary.empty());
  ASSERT_EQ(dictionary.size(), 16384u);
  RekalEncoder encoder(dictionary);
  encoder.Add(SmallSession());
  std::mt19937 random(1);
  std::string program(50'000, '\0');
  for (char& c : program) c = static_cast<char>(random());
  program.insert(20'000, dictionary);
  for (const std::string& file : {dictionary, program}) {
    const ReadBody read = ReadAllFrames(encoder.body(), encoder.strings(), file);
    ASSERT_EQ(read.sessions.size(), 1u);
    EXPECT_EQ(Words(read.sessions[0]), kSmallWords);
  }
  for (const std::string& file : {std::string(), std::string("no dictionary")}) {
    ZstdDictionaries none(file, kRekalDictionaryBytes);
    ASSERT_OK_AND_ASSIGN(auto reader, RekalBodyReader::Open(encoder.body(), &none));
    const auto frame = reader.Next();
    ASSERT_TRUE(frame);
    EXPECT_FALSE(frame->payload);
    EXPECT_EQ(frame->missing_dictionary, 4711u);
  }
}

TEST(RekalBodyTest, DamageCostsItsFrameAndHasItsNumber) {
  RekalEncoder encoder;
  std::vector<size_t> ends;
  for (int i = 0; i < 5; ++i) {
    encoder.Add(SmallSession("01KJ" + std::to_string(i)));
    ends.push_back(encoder.body().size());
  }
  std::string body = encoder.body();
  body[ends[1] + 2] = '\x7F';    // the size of the third frame
  body[ends[3] + 40] ^= '\x10';  // the contents of the fifth
  const ReadBody read = ReadAllFrames(body, encoder.strings());
  EXPECT_EQ(read.damaged, (std::vector<int64_t>{3, 5}));
  ASSERT_EQ(read.sessions.size(), 3u);
  EXPECT_EQ(read.sessions[2].id, "01KJ3");
}

// Whatever is cut off or changed: what is read is what was written, and what is missing is counted.
TEST(RekalBodyTest, EachPrefixAndEachChangedByteIsBorne) {
  RekalEncoder encoder;
  EncodedSession wrapped = SmallSession("01KJD");
  for (int i = 0; i < 300; ++i) wrapped.turns.push_back({0, 0, std::string(420, 'w')});
  encoder.Add(SmallSession()).Add(SmallCheckpoint());
  const size_t first_two = encoder.body().size();
  encoder.Add(wrapped);
  encoder.AddFrame(6, encoder.Part(4, encoder.Payload(SmallSession("01KJB"), 2)) +
                          encoder.Part(2, encoder.Payload(SmallCheckpoint())));
  const std::string strings = encoder.strings();
  const std::string& body = encoder.body();
  const ReadBody whole = ReadAllFrames(body, strings);
  ASSERT_EQ(whole.sessions.size(), 3u);
  std::set<std::string> known;
  for (const RekalSession& session : whole.sessions) known.insert(Words(session));

  for (size_t size = 0; size < body.size(); ++size) {
    const ReadBody read = ReadAllFrames(std::string_view(body).substr(0, size), strings);
    for (const RekalSession& session : read.sessions) EXPECT_TRUE(known.contains(Words(session)));
    EXPECT_LE(read.damaged.size(), 1u);
    if (size == first_two) {
      EXPECT_TRUE(read.damaged.empty());
    }
  }
  for (size_t at = 0; at < body.size(); ++at) {
    for (const int mask : {0x01, 0x80, 0xFF}) {
      std::string changed = body;
      changed[at] = static_cast<char>(changed[at] ^ mask);
      const ReadBody read = ReadAllFrames(changed, strings);
      for (const RekalSession& session : read.sessions) {
        EXPECT_TRUE(known.contains(Words(session))) << at;
      }
      const bool all = read.sessions.size() == 3 && read.checkpoints.size() == 2;
      EXPECT_TRUE(all || !read.damaged.empty() || read.unknown > 0) << at;
    }
  }
}

TEST(RekalBodyTest, EachPrefixAndEachChangedByteOfAPayloadAndOfTheStringsIsBorne) {
  RekalEncoder encoder;
  std::vector<std::pair<RekalFrameType, std::string>> payloads = {
      {RekalFrameType::kSession, encoder.Payload(SmallSession())},
      {RekalFrameType::kSession2, encoder.Payload(SmallSession(), 2)},
      {RekalFrameType::kCheckpoint, encoder.Payload(SmallCheckpoint())},
      {RekalFrameType::kCheckpoint2, encoder.Payload(SmallCheckpoint(), 2)}};
  payloads.emplace_back(RekalFrameType::kBatch,
                        encoder.Part(1, payloads[0].second) + encoder.Part(2, payloads[2].second));
  const std::string strings = encoder.strings();
  ASSERT_OK_AND_ASSIGN(const RekalStrings table, ReadRekalStrings(strings));
  for (const auto& [type, payload] : payloads) {
    ASSERT_OK(ReadRekalPayload(type, payload, table));
    for (size_t size = 0; size < payload.size(); ++size) {
      const auto read = ReadRekalPayload(type, std::string_view(payload).substr(0, size), table);
      // Less than all is damage, but between the parts of a batch.
      EXPECT_TRUE(!read || read->damaged > 0 || type == RekalFrameType::kBatch) << size;
    }
    for (size_t at = 0; at < payload.size(); ++at) {
      for (int value = 0; value < 256; ++value) {
        std::string changed = payload;
        changed[at] = static_cast<char>(value);
        (void)ReadRekalPayload(type, changed, table);
      }
    }
  }
  for (size_t at = 0; at < strings.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = strings;
      changed[at] = static_cast<char>(value);
      const auto read = ReadRekalStrings(changed);
      if (read) (void)ReadRekalPayload(payloads[0].first, payloads[0].second, *read);
    }
    const auto cut = ReadRekalStrings(std::string_view(strings).substr(0, at));
    EXPECT_FALSE(cut && at < 12) << at;
  }
}

// A frame of a few bytes may promise much.
TEST(RekalBodyTest, LargeNumbersAreNotBelieved) {
  RekalEncoder encoder;
  const std::string huge = RekalEncoder::Number(~uint64_t{0});
  encoder.Add(SmallSession());
  encoder.AddFrame(4, "RKLS\x02\x01" + huge + huge + std::string(20, '\0'));
  encoder.AddFrame(5, "RKLC\x02" + huge + std::string(60, '\0'));
  encoder.AddFrame(6, "\x01" + huge + "x");
  encoder.AddFrame(1, std::string("RKLS\x01\x00\x01\x00", 8) + huge + std::string(20, '\0'));
  // Half a gigabyte of zeros is a frame of some kilobytes.
  encoder.AddFrame(1, std::string(size_t{300} << 20, '\0'));
  encoder.Add(SmallSession("01KJB"));
  const ReadBody read = ReadAllFrames(encoder.body(), encoder.strings());
  EXPECT_EQ(read.damaged, (std::vector<int64_t>{2, 3, 4, 5, 6}));
  EXPECT_EQ(read.sessions.size(), 2u);
}

TEST(RekalBodyTest, OtherFilesAndLaterVersionsAreErrors) {
  ZstdDictionaries none("", kRekalDictionaryBytes);
  EXPECT_EQ(RekalBodyReader::Open("RKLBOD", &none).error().code(), StatusCode::kCorruption);
  EXPECT_EQ(RekalBodyReader::Open(std::string("RKLBODY\x02\x00", 9), &none).error().code(),
            StatusCode::kUnsupported);
  EXPECT_EQ(ReadRekalStrings("PK").error().code(), StatusCode::kCorruption);
  EXPECT_EQ(ReadRekalStrings(std::string("RKDICT\x03\0", 8)).error().code(),
            StatusCode::kUnsupported);
}

}  // namespace
}  // namespace recall
