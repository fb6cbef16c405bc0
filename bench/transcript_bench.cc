// How fast are transcripts of coding agents read?
//
//   transcript_bench [DIR]           reads the transcripts below DIR, or some that it makes
//   transcript_bench --make DIR [SESSIONS]
//                                    makes transcripts of Claude Code there: of 1,000 sessions with
//                                    100 turns and half a megabyte each, unless SESSIONS is given
//
// What is made is the same on every machine. As in transcripts of real work, most bytes are the
// results of tools, which no reader keeps.

#include <cmath>
#include <fstream>

#include "bench/bench_util.h"
#include "index/source/transcript/transcript_places.h"
#include "storage/base/json_writer.h"
#include "storage/base/split_mix.h"

namespace recall {
namespace {

constexpr int kTurns = 100;
constexpr size_t kSessionBytes = 500'000;
constexpr uint64_t kWords = 20'000;

// Words of one to four syllables, as frequent as words are: the n-th in proportion to 1/n.
class Author final {
 public:
  explicit Author(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t bound) { return random_.Next() % bound; }

  std::string Word() {
    const double unit = static_cast<double>(random_.Next() >> 11) * 0x1p-53;
    const auto rank = static_cast<uint64_t>(std::exp(unit * std::log(double{kWords})));
    static constexpr std::string_view kSyllables[] = {
        "ta",  "re",  "co",  "mi", "su", "pel", "dor", "an",  "log", "in",
        "ver", "quo", "sta", "ne", "fi", "bar", "lun", "tok", "ser", "pa"};
    SplitMix64 spelling(rank);
    std::string word;
    for (uint64_t syllables = 1 + rank % 4; syllables > 0; --syllables) {
      word += kSyllables[spelling.Next() % std::size(kSyllables)];
    }
    return word;
  }

  std::string Text(uint64_t words) {
    std::string text;
    for (; words > 0; --words) text.append(Word()).append(words % 12 == 1 ? ". " : " ");
    return text;
  }

  // Lines like those of a source file.
  std::string Code(size_t bytes) {
    std::string text;
    while (text.size() < bytes) {
      text.append("\tif ").append(Word()).append(".").append(Word()).append(" == \"");
      text.append(Word()).append("\" {\n\t\treturn ").append(Word()).append("\n\t}\n");
    }
    return text;
  }

 private:
  SplitMix64 random_;
};

class SessionWriter final {
 public:
  SessionWriter(const std::string& path, int number)
      : file_(path, std::ios::binary), author_(static_cast<uint64_t>(number)), number_(number) {}

  // Half of the turns are questions, half answers with uses of tools between them.
  void Write() {
    while (turns_ < kTurns) {
      Line("user", [&](JsonWriter& json) {
        json.Key("content");
        json.String(author_.Text(10 + author_.Below(60)));
      });
      const uint64_t uses = 1 + author_.Below(3);
      const size_t bytes = kSessionBytes / (kTurns / 2) * 5 / 16 / uses;
      for (uint64_t use = 0; use < uses; ++use) UseTool(bytes);
      Answer([&](JsonWriter& json) {
        json.String("text");
        json.Key("text");
        json.String(author_.Text(30 + author_.Below(150)));
      });
      turns_ += 2;
    }
  }

 private:
  template <typename WriteMessage>
  void Line(std::string_view type, const WriteMessage& write, std::string_view result = {}) {
    std::string line;
    JsonWriter json(&line);
    json.BeginObject();
    const std::string id = std::to_string(number_) + "-" + std::to_string(lines_);
    const auto member = [&](std::string_view name, std::string_view value) {
      json.Key(name);
      json.String(value);
    };
    member("parentUuid", id);
    json.Key("isSidechain");
    json.Bool(false);
    member("userType", "external");
    member("cwd", "/home/ada/project" + std::to_string(number_ % 10));
    member("sessionId", "session-" + std::to_string(number_));
    member("version", "2.1.0");
    member("gitBranch", "main");
    member("type", type);
    json.Key("message");
    json.BeginObject();
    member("role", type);
    write(json);
    json.EndObject();
    member("uuid", id + "-uuid");
    const int64_t second = int64_t{1'767'225'600} + number_ * 3600 + lines_;
    member("timestamp", FormatRfc3339(second * 1'000'000'000));
    if (!result.empty()) {
      json.Key("toolUseResult");
      json.BeginObject();
      member("stdout", result);
      json.EndObject();
    }
    json.EndObject();
    file_ << line << '\n';
    ++lines_;
  }

  template <typename WriteBlock>
  void Answer(const WriteBlock& write) {
    Line("assistant", [&](JsonWriter& json) {
      json.Key("id");
      json.String("msg_" + std::to_string(number_) + "_" + std::to_string(lines_));
      json.Key("model");
      json.String("model-1");
      json.Key("content");
      json.BeginArray();
      json.BeginObject();
      json.Key("type");
      write(json);
      json.EndObject();
      json.EndArray();
    });
  }

  void UseTool(size_t bytes) {
    const bool reads = author_.Below(2) == 0;
    const std::string file = "src/" + author_.Word() + ".go";
    Answer([&](JsonWriter& json) {
      json.String("tool_use");
      json.Key("name");
      json.String(reads ? "Read" : "Bash");
      json.Key("input");
      json.BeginObject();
      json.Key(reads ? "file_path" : "command");
      json.String(reads ? "/home/ada/project" + std::to_string(number_ % 10) + "/" + file
                        : "go test ./" + file);
      json.EndObject();
    });
    // Claude Code keeps a result twice: as the model and as the screen shows it.
    const std::string result = author_.Code(bytes);
    Line(
        "user",
        [&](JsonWriter& json) {
          json.Key("content");
          json.BeginArray();
          json.BeginObject();
          json.Key("type");
          json.String("tool_result");
          json.Key("content");
          json.String(result);
          json.EndObject();
          json.EndArray();
        },
        result);
  }

  std::ofstream file_;
  Author author_;
  int number_;
  int turns_ = 0;
  int lines_ = 0;
};

void MakeTranscripts(const std::string& directory, int sessions) {
  for (int number = 0; number < sessions; ++number) {
    const std::string project = directory + "/projects/project" + std::to_string(number % 10);
    std::filesystem::create_directories(project);
    SessionWriter(project + "/session-" + std::to_string(number) + ".jsonl", number).Write();
  }
}

void ReadTranscripts(const std::string& directory, int repeats) {
  const auto sources = FindTranscriptsBelow(directory);
  if (!sources) Die(sources.error().ToString());
  std::vector<double> seconds;
  double bytes = 0;
  size_t turns = 0;
  size_t calls = 0;
  size_t said = 0;
  for (int run = 0; run < repeats; ++run) {
    bytes = 0;
    turns = calls = said = 0;
    const double start = ProcessorTime();
    for (const TranscriptSource& source : *sources) {
      const auto read = ReadTranscript(source);
      if (!read) Die(read.error().ToString());
      bytes += static_cast<double>(source.size);
      for (const AgentSession& session : read->sessions) {
        turns += session.turns.size();
        calls += session.tool_calls.size();
        for (const Turn& turn : session.turns) said += turn.text.size();
      }
    }
    seconds.push_back(ProcessorTime() - start);
  }
  const double median = Median(seconds);
  std::printf("%zu transcripts, %.0f MB: %zu turns (%.1f MB), %zu uses of tools\n", sources->size(),
              bytes / 1e6, turns, static_cast<double>(said) / 1e6, calls);
  std::printf("read in %.3f s on one core: %.0f MB/s\n", median, bytes / 1e6 / median);
  if (sources->empty() || turns == 0) Die("nothing was read");
}

int TranscriptBench(int argc, char** argv) {
  const BenchArgs args = ParseBenchArgs(argc, argv);
  if (!args.rest.empty() && args.rest[0] == "--make") {
    if (args.rest.size() < 2) Die("--make DIR [SESSIONS]");
    MakeTranscripts(args.rest[1], args.rest.size() > 2 ? std::atoi(args.rest[2].c_str()) : 1000);
    return 0;
  }
  if (!args.rest.empty()) {
    ReadTranscripts(args.rest[0], args.repeats);
    return 0;
  }
  const ScratchDir scratch;
  MakeTranscripts(scratch.path(), args.small ? 3 : 200);
  ReadTranscripts(scratch.path(), args.repeats);
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::TranscriptBench(argc, argv); }
