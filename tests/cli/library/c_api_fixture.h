#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "cli/library/recall.h"
#include "tests/cli/recall_process.h"
#include "tests/test_paths.h"

namespace recall {

// An answer of the library, which it frees.
class Answered final {
 public:
  // `call` takes the address of an answer and returns a status.
  template <typename Call>
  explicit Answered(const Call& call) : status(call(&answer_)) {}
  ~Answered() { recall_free(answer_); }
  Answered(const Answered&) = delete;
  Answered& operator=(const Answered&) = delete;

  std::string json() const {
    size_t size = 0;
    const char* const text = recall_json(answer_, &size);
    return {text, size};
  }
  bool empty() const { return answer_ == nullptr; }
  const recall_error* error() const { return recall_error_of(answer_); }
  std::string code() const { return error() == nullptr ? "" : error()->code; }
  std::string message() const { return error() == nullptr ? "" : error()->message; }

 private:
  recall_answer* answer_ = nullptr;

 public:
  const int status;
};

// A store with some documents, made by the program, and open in this process.
class CApiTest : public RecallTest {
 protected:
  // The options with which the library answers as the program does in tests.
  std::string Options() const {
    return R"({"stable": true, "program": ")" + RecallBinary() + R"("})";
  }
  void MakeStore() {
    Write("birds/heron.md", "# Heron\n\nHerons stand still at the pond and wait for fish.\n");
    Write("birds/kingfisher.md", "# Kingfisher\n\nKingfishers dive for fish from a branch.\n");
    Write("plan.txt", "The retry policy doubles the wait after each failure.\n");
    ASSERT_EQ(Run({"init", "--embedder", "hash"}).exit, 0);
    ASSERT_EQ(Run({"add"}).exit, 0);
  }
  void Open(const std::string& options = "") {
    const std::string given = options.empty() ? Options() : options;
    const Answered opened([&](recall_answer** answer) {
      return recall_open(Path("recall.db").c_str(), given.c_str(), &store_, answer);
    });
    ASSERT_EQ(opened.status, RECALL_OK) << opened.json();
    ASSERT_TRUE(opened.empty());
  }
  ~CApiTest() override { recall_close(store_); }

  // The answer of a command, by the library.
  std::string Called(const std::string& command, const std::string& request, int status = 0) {
    const Answered answer([&](recall_answer** made) {
      return recall_call(store_, command.c_str(), request.c_str(), made);
    });
    EXPECT_EQ(answer.status, status) << answer.json();
    return answer.json();
  }
  // The same by the program, whose arguments are given without --json.
  std::string Printed(std::vector<std::string> args, int status = 0) {
    args.insert(args.begin() + 1, {"--json", "--stable"});
    const RunResult run = Run(args);
    EXPECT_EQ(run.exit, status) << run.err;
    return run.out;
  }

  recall_store* store_ = nullptr;
};

}  // namespace recall
