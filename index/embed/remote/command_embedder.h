#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/base/program/child_program.h"
#include "index/embed/embedder/embedder.h"

namespace recall {

struct CommandEmbedderOptions {
  std::vector<std::string> argv;  // the program, looked for in PATH, and its arguments; no shell
  std::string model;              // the user's name for the model; part of the version
  uint32_t dim = 0;               // 0: that of the first vector
  bool trial = false;             // try the command when it is opened, even if dim is known
  std::chrono::milliseconds timeout = std::chrono::minutes(2);  // without any answer
  const std::atomic<bool>* cancel = nullptr;                    // ends a call; may be null
};

// Computes vectors with another program, which is started once and driven line by line. For each
// line {"text": "..."} of its standard input it must write one line [0.1, ...] or {"embedding":
// [0.1, ...]} to its standard output, in the same order, and flush it. It may read ahead by any
// amount. It must exit when its input ends. After an error the program is ended; the next call
// starts it again. Vectors are scaled to unit length.
class CommandEmbedder final : public Embedder {
 public:
  // In a trial, which also finds out the dimension, the command is started for two texts and must
  // end by itself: only then is it certain that it writes one line for each text. A program that
  // greets with a line would give each text the vector of the one before. Errors: as of Embed.
  static Result<std::unique_ptr<CommandEmbedder>> Open(CommandEmbedderOptions options);

  // {"command", "1-" and 16 digits of a hash of argv and model, dim}.
  const Identity& identity() const override { return identity_; }
  // Errors: NotFound if there is no such program; InvalidArgument if a vector has another
  // dimension; IoError if the command ends, does not answer, or writes an invalid vector;
  // Cancelled.
  Status Embed(std::span<const std::string_view> texts, std::span<float> out) override;

 private:
  explicit CommandEmbedder(CommandEmbedderOptions options);
  // Calls take(i, vector) for each text.
  template <typename Take>
  Status Ask(std::span<const std::string_view> texts, Take take);
  template <typename Take>
  Status AskRunning(std::span<const std::string_view> texts, Take take);
  // Sets identity_.dim.
  Status Try();
  Status AwaitEnd();
  Status Failed(size_t answered, size_t asked);

  CommandEmbedderOptions options_;
  Identity identity_;
  std::unique_ptr<ChildProgram> program_;  // null until it is needed
};

}  // namespace recall
