#include "index/embed/remote/command_embedder.h"

#include <algorithm>
#include <utility>

#include "index/base/program/json_line.h"
#include "index/embed/remote/vector_json.h"
#include "storage/base/check.h"

namespace recall {
namespace {

// The version of the protocol. It must change whenever the same command would give a text another
// vector.
constexpr char kCommandVersion[] = "1";
// Requests are written in pieces of this size while the program reads them.
constexpr size_t kRequestBytes = size_t{64} << 10;

// How long the command may take to exit after a trial.
constexpr std::chrono::seconds kMostTimeToEnd(10);

Status TooManyLines() {
  return Status::IoError("the embedding command wrote more lines than it read",
                         "it must write one line for each line that it reads");
}

// Describes command and model unambiguously: each string is preceded by its size, so different
// lists have different descriptions.
std::string Describe(const CommandEmbedderOptions& options) {
  std::string all;
  const auto add = [&all](const std::string& text) {
    all += std::to_string(text.size()) + ":" + text;
  };
  add(options.model);
  for (const std::string& argument : options.argv) add(argument);
  return all;
}

}  // namespace

CommandEmbedder::CommandEmbedder(CommandEmbedderOptions options)
    : options_(std::move(options)),
      identity_{"command", VersionOfText(kCommandVersion, Describe(options_)), options_.dim} {}

Result<std::unique_ptr<CommandEmbedder>> CommandEmbedder::Open(CommandEmbedderOptions options) {
  if (options.argv.empty() || options.argv[0].empty()) {
    return Fail(Status::InvalidArgument("the embedder \"command\" has no command",
                                        "configure the program and its arguments"));
  }
  if (options.dim > kMostEmbeddingDim) {
    return Fail(Status::InvalidArgument("vectors may have up to 4096 dimensions"));
  }
  std::unique_ptr<CommandEmbedder> embedder(new CommandEmbedder(std::move(options)));
  if (embedder->identity_.dim == 0 || embedder->options_.trial) RECALL_TRY(embedder->Try());
  return embedder;
}

Status CommandEmbedder::Try() {
  const std::string_view texts[] = {"first text", "second text"};
  size_t dim = identity_.dim;
  RECALL_TRY(Ask(texts, [&dim](size_t, const std::vector<float>& vector) {
    if (dim == 0) dim = vector.size();
    std::vector<float> unit(dim);
    return CopyUnitVector(vector, unit);
  }));
  if (dim == 0 || dim > kMostEmbeddingDim) {
    return Status::InvalidArgument(
        "the embedding command writes vectors of " + std::to_string(dim) + " dimensions",
        "1 to 4096 are supported");
  }
  identity_.dim = static_cast<uint32_t>(dim);
  const Status ended = AwaitEnd();
  program_.reset();
  return ended;
}

Status CommandEmbedder::AwaitEnd() {
  program_->CloseInput();
  std::string_view nothing;
  std::string surplus;
  for (;;) {
    RECALL_ASSIGN(const ChildProgram::Event event,
                  program_->Exchange(&nothing, &surplus, kMostTimeToEnd, options_.cancel));
    if (!surplus.empty()) return TooManyLines();
    switch (event) {
      case ChildProgram::Event::kMoved:
        break;
      case ChildProgram::Event::kEnded:
        return Status::Ok();
      case ChildProgram::Event::kCancelled:
        program_->Kill();
        return Status::Cancelled("interrupted");
      case ChildProgram::Event::kTimeout:
        return Status::IoError("the embedding command did not exit when its input ended",
                               "it must read standard input to the end, then exit");
    }
  }
}

Status CommandEmbedder::Embed(std::span<const std::string_view> texts, std::span<float> out) {
  const size_t dim = identity_.dim;
  RECALL_CHECK(out.size() == texts.size() * dim);
  return Ask(texts, [&](size_t i, const std::vector<float>& vector) {
    return CopyUnitVector(vector, out.subspan(i * dim, dim));
  });
}

template <typename Take>
Status CommandEmbedder::Ask(std::span<const std::string_view> texts, Take take) {
  if (texts.empty()) return Status::Ok();
  if (program_ == nullptr) {
    auto started = ChildProgram::Start(options_.argv);
    if (!started) {
      return started.error()
          .WithContext("embedding command")
          .WithHint("check the command of the embedder");
    }
    program_ = std::move(started).value();
  }
  Status status = AskRunning(texts, take);
  // Its remaining output must not be read as answers to the next call.
  if (!status.ok()) program_.reset();
  return status;
}

template <typename Take>
Status CommandEmbedder::AskRunning(std::span<const std::string_view> texts, Take take) {
  std::string request;
  std::string_view unsent;
  std::string answer;
  // Surplus lines of the last call would be read as answers to this one.
  RECALL_TRY(program_->Exchange(&unsent, &answer, std::chrono::milliseconds(0)));
  if (!answer.empty()) return TooManyLines();
  size_t asked = 0;
  size_t answered = 0;
  size_t searched = 0;  // bytes of `answer` without an end of line
  std::vector<float> vector;
  while (answered < texts.size()) {
    if (unsent.empty()) {
      request.clear();
      while (asked < texts.size() && request.size() < kRequestBytes) {
        AppendTextLine(texts[asked++], &request);
      }
      unsent = request;
    }
    RECALL_ASSIGN(const ChildProgram::Event event,
                  program_->Exchange(&unsent, &answer, options_.timeout, options_.cancel));
    if (event == ChildProgram::Event::kCancelled) {
      program_->Kill();
      return Status::Cancelled("interrupted");
    }
    if (event == ChildProgram::Event::kEnded) return Failed(answered, texts.size());
    if (event == ChildProgram::Event::kTimeout) {
      const std::string line = program_->LastErrorLine();
      return Status::IoError("the embedding command has not answered for " +
                                 std::to_string(options_.timeout.count()) + " ms" +
                                 (line.empty() ? "" : "; it said: " + line),
                             "it must write and flush one line for each line that it reads");
    }
    size_t begin = 0;
    for (size_t end; (end = answer.find('\n', std::max(begin, searched))) != answer.npos;) {
      if (answered == texts.size()) break;
      const std::string_view line = std::string_view(answer).substr(begin, end - begin);
      const std::string place =
          "line " + std::to_string(answered + 1) + " of the embedding command's output";
      RECALL_TRY(ReadVectorLine(line, &vector).WithContext(place));
      RECALL_TRY(take(answered, vector).WithContext(place));
      ++answered;
      begin = end + 1;
    }
    answer.erase(0, begin);
    searched = answer.size();
    if (answer.size() > kMostAnswerLineBytes) {
      return Status::IoError("the embedding command writes a line of more than 1 MiB");
    }
  }
  if (answer.empty()) return Status::Ok();
  return TooManyLines();
}

Status CommandEmbedder::Failed(size_t answered, size_t asked) {
  return Status::IoError("the embedding command wrote " + std::to_string(answered) + " of " +
                             std::to_string(asked) + " vectors, then " + program_->DescribeEnd(),
                         "run the command by hand to see its messages");
}

}  // namespace recall
