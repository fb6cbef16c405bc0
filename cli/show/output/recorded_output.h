#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A step of what a command printed: text for standard output or standard error, or that standard
// output was flushed, so that a later text for standard error comes after it on a terminal.
struct OutputStep {
  enum class Kind { kOut, kError, kFlush };

  Kind kind = Kind::kOut;
  std::string text;  // any bytes

  bool operator==(const OutputStep&) const = default;
};

// All that a command printed, in order. Text beyond kMostBytes is dropped with all before it.
class RecordedOutput final {
 public:
  static constexpr size_t kMostBytes = size_t{4} << 20;

  void Add(OutputStep::Kind kind, std::string_view text = {}) {
    bytes_ += text.size();
    if (complete()) {
      steps_.push_back({kind, std::string(text)});
    } else {
      steps_.clear();
    }
  }

  // False if the command printed too much.
  bool complete() const { return bytes_ <= kMostBytes; }
  const std::vector<OutputStep>& steps() const { return steps_; }

 private:
  std::vector<OutputStep> steps_;
  size_t bytes_ = 0;
};

}  // namespace recall
