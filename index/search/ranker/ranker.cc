// Drives the program of a ranker for one query.
//
//   {"query": ..., "id": ..., "path": ..., "heading": ..., "text": ...}   one line for each text
//   0.83   or   {"score": 0.83}                                          one line for each of them
//
// Its input ends after the last text: a program may answer each line as it reads it, or read all of
// them and score them in batches. It may write before it has read everything, and need not read at
// all. All scores count only if it exits with code 0: half an answer is no ranking.
//
// Memory: the request is written in pieces of 64 KiB, a line of the answer has at most 1 MiB.

#include "index/search/ranker/ranker.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "index/base/program/child_program.h"
#include "index/base/program/json_line.h"
#include "index/base/text/utf8.h"
#include "storage/base/json_writer.h"
#include "storage/base/nearest_word.h"

namespace recall {
namespace {

constexpr size_t kRequestBytes = size_t{64} << 10;

void AppendField(std::string_view key, std::string_view text, JsonWriter* json) {
  std::string repaired;
  if (!IsValidUtf8(text)) {
    AppendRepairedUtf8(text, &repaired);
    text = repaired;
  }
  json->Field(key, text);
}

void AppendRequest(std::string_view query, const RankedText& text, std::string* out) {
  JsonWriter json(out);
  json.BeginObject();
  AppendField("query", query, &json);
  AppendField("id", text.id, &json);
  AppendField("path", text.path, &json);
  AppendField("heading", text.heading, &json);
  AppendField("text", text.text, &json);
  json.EndObject();
  json.EndLine();
}

Result<double> ParseScore(std::string_view line) {
  RECALL_ASSIGN(nlohmann::json json, ParseJsonLine(line));
  if (json.is_object()) {
    const auto score = json.find("score");
    if (score == json.end()) return Fail(Status::IoError("it has no \"score\""));
    json = nlohmann::json(*score);
  }
  if (!json.is_number()) return Fail(Status::IoError("it is not a number"));
  const double score = json.get<double>();
  if (!(std::fabs(score) <= double{FLT_MAX})) {
    return Fail(Status::IoError("it is a number that a float32 cannot represent"));
  }
  return score;
}

// One run of the program.
class RankerRun final {
 public:
  RankerRun(const RankerConfig& config, std::string_view query, std::span<const RankedText> texts,
            const std::atomic<bool>* cancel)
      : config_(config), query_(query), texts_(texts), cancel_(cancel) {}

  Result<std::vector<double>> Run() {
    const auto deadline = std::chrono::steady_clock::now() + config_.timeout;
    auto started = ChildProgram::Start(config_.command);
    if (!started) return Fail(started.error().WithHint("check the command of the ranker"));
    program_ = std::move(started).value();
    std::string request;
    std::string_view unsent;
    for (;;) {
      if (unsent.empty() && !request_ended_) unsent = NextRequest(&request);
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      RECALL_ASSIGN(const ChildProgram::Event event,
                    program_->Exchange(&unsent, &answer_, std::max(left, kNoTime), cancel_));
      if (event == ChildProgram::Event::kCancelled) {
        program_->Kill();
        return Fail(Status::Cancelled("interrupted"));
      }
      const bool moves = event == ChildProgram::Event::kMoved;
      if (event == ChildProgram::Event::kTimeout || (moves && left <= kNoTime)) {
        return Fail(TimedOut());
      }
      RECALL_TRY(TakeLines());
      if (moves) continue;
      if (!request_ended_ || !unsent.empty()) {  // it reads no more, but may still write
        unsent = {};
        EndRequest();
        continue;
      }
      break;
    }
    if (!answer_.empty()) RECALL_TRY(TakeLine(answer_));  // without an end of line
    return Finish();
  }

 private:
  static constexpr std::chrono::milliseconds kNoTime{0};

  std::string_view NextRequest(std::string* request) {
    request->clear();
    while (asked_ < texts_.size() && request->size() < kRequestBytes) {
      AppendRequest(query_, texts_[asked_++], request);
    }
    if (request->empty()) EndRequest();
    return *request;
  }

  void EndRequest() {
    request_ended_ = true;
    program_->CloseInput();
  }

  Status TakeLines() {
    size_t begin = 0;
    for (size_t end; (end = answer_.find('\n', std::max(begin, searched_))) != answer_.npos;) {
      RECALL_TRY(TakeLine(std::string_view(answer_).substr(begin, end - begin)));
      begin = end + 1;
    }
    answer_.erase(0, begin);
    searched_ = answer_.size();
    if (answer_.size() <= kMostAnswerLineBytes) return Status::Ok();
    return Status::IoError("the command writes a line of more than 1 MiB");
  }

  Status TakeLine(std::string_view line) {
    if (scores_.size() == texts_.size()) {
      return Status::IoError(
          "the command wrote more than " + std::to_string(texts_.size()) + " scores",
          "it must write one line for each line that it reads");
    }
    auto score = ParseScore(line);
    if (!score) {
      return score.error().WithContext("line " + std::to_string(scores_.size() + 1) +
                                       " of the command's output");
    }
    scores_.push_back(*score);
    return Status::Ok();
  }

  Status TimedOut() {
    program_->Kill();
    const std::string line = program_->LastErrorLine();
    const double seconds = std::chrono::duration<double>(config_.timeout).count();
    return Status::IoError("the command has not answered within " +
                               std::to_string(static_cast<int64_t>(seconds)) + " s" +
                               (line.empty() ? "" : "; it said: " + line),
                           "set timeout in [rankers." + config_.name + "]");
  }

  Result<std::vector<double>> Finish() {
    if (scores_.size() == texts_.size() && program_->Succeeded()) return std::move(scores_);
    return Fail(Status::IoError("the command wrote " + std::to_string(scores_.size()) + " of " +
                                    std::to_string(texts_.size()) + " scores, then " +
                                    program_->DescribeEnd(),
                                "run the command by hand to see its messages"));
  }

  const RankerConfig& config_;
  const std::string_view query_;
  const std::span<const RankedText> texts_;
  const std::atomic<bool>* const cancel_;
  std::unique_ptr<ChildProgram> program_;
  size_t asked_ = 0;
  bool request_ended_ = false;
  std::string answer_;   // not taken yet
  size_t searched_ = 0;  // bytes of `answer_` without an end of line
  std::vector<double> scores_;
};

// The error for a name that no ranker has.
Status UnknownRanker(std::string_view name, const std::vector<RankerConfig>& configs) {
  std::vector<std::string> known;
  for (const RankerConfig& config : configs) known.push_back(config.name);
  const std::string nearest = NearestWord(name, known);
  std::string hint = "add [rankers." + std::string(name) + "] to your own recall.toml";
  if (!known.empty()) hint = "known rankers: ";
  for (const std::string& each : known) hint += (&each == known.data() ? "" : ", ") + each;
  return Status::NotFound("the ranker \"" + std::string(name) + "\" is not configured",
                          nearest.empty() ? hint + "; docs/embedders.md describes rankers"
                                          : "did you mean " + nearest + "?");
}

}  // namespace

bool IsProgramName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

Result<std::vector<double>> Rankers::Score(std::string_view name, std::string_view query,
                                           std::span<const RankedText> texts) const {
  const auto config = std::ranges::find(configs_, name, &RankerConfig::name);
  if (config == configs_.end()) return Fail(UnknownRanker(name, configs_));
  auto scores = RankerRun(*config, query, texts, cancel_).Run();
  if (scores || scores.error().code() == StatusCode::kCancelled) return scores;
  return Fail(scores.error().WithContext("ranker \"" + config->name + "\""));
}

}  // namespace recall
