#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/embed/interface/embedder.h"
#include "index/embed/remote/child_program.h"

namespace recall {

struct CommandEmbedderOptions {
  std::vector<std::string> argv;  // the program, looked for in PATH, and its arguments; no shell
  std::string model;  // what the user calls what the command computes; part of the version
  uint32_t dim = 0;   // 0: as long as the first vector is
  std::chrono::milliseconds timeout = std::chrono::minutes(2);  // without any answer
};

// Vectors by another program, which is started once and asked line by line: for each line
// {"text": "..."} of its standard input it writes one of [0.1, ...] or {"embedding": [0.1, ...]} to
// its standard output, in the same order, and flushes it. It may read ahead as far as it likes. It
// leaves when its input ends. After an error it is ended; the next call starts it again.
// Vectors are brought to unit length.
class CommandEmbedder final : public Embedder {
 public:
  // Starts the command only to learn its dimension. Errors: as of Embed.
  static Result<std::unique_ptr<CommandEmbedder>> Open(CommandEmbedderOptions options);

  // {"command", "1-" and 16 digits that follow from argv and model, dim}.
  const Identity& identity() const override { return identity_; }
  // Errors: NotFound when there is no such program; InvalidArgument when a vector has another
  // dimension; IoError when the command ends, stays silent, or writes what is no vector.
  Status Embed(std::span<const std::string_view> texts, std::span<float> out) override;

 private:
  explicit CommandEmbedder(CommandEmbedderOptions options);
  // Calls take(i, vector) for each text.
  template <typename Take>
  Status Ask(std::span<const std::string_view> texts, Take take);
  template <typename Take>
  Status AskRunning(std::span<const std::string_view> texts, Take take);
  Status Failed(size_t answered, size_t asked);

  CommandEmbedderOptions options_;
  Identity identity_;
  std::unique_ptr<ChildProgram> program_;  // null until it is needed
};

}  // namespace recall
