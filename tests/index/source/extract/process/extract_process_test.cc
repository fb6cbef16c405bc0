#include "index/source/extract/process/extract_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <latch>
#include <sstream>
#include <thread>

#include "index/source/extract/process/extractor_pool.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

// Extracts with a process that does what the file says (hostile_worker.cc).
class ExtractProcessTest : public ::testing::Test {
 protected:
  Extraction Ask(std::string_view order,
                 std::chrono::milliseconds timeout = std::chrono::minutes(1)) {
    program_.timeout = timeout;
    return process_.Extract({.format = DocumentFormat::kNotebook, .limits = {}}, order,
                            not_cancelled_);
  }

  // The process, or one in its place, still answers.
  void ExpectUsable() {
    const Extraction next = Ask("again");
    EXPECT_EQ(next.outcome, ExtractOutcome::kText) << next.reason;
    EXPECT_EQ(next.text, "obeyed again");
  }

  const std::atomic<bool> not_cancelled_{false};
  ExtractProgram program_{.path = BuildDir() + "/tests/index/hostile_worker"};
  ExtractProcess process_{&program_};
};

TEST_F(ExtractProcessTest, AnswersOneFileAfterTheOther) {
  for (const std::string file : {"one", "two", "", "three"}) {
    EXPECT_EQ(Ask(file).text, "obeyed " + file);
  }
}

TEST_F(ExtractProcessTest, CannotSeeFiles) {
  EXPECT_EQ(Ask("open").text, "No such file or directory");
  EXPECT_EQ(Ask("create").text, "No such file or directory");
  EXPECT_FALSE(std::ifstream("/tmp/recall-hostile").good());
}

TEST_F(ExtractProcessTest, IsEndedByAForbiddenCall) {
  for (const std::string call : {"socket", "execve", "fork", "ptrace", "kill"}) {
    const Extraction ended = Ask(call);
    EXPECT_EQ(ended.outcome, ExtractOutcome::kCrashed) << call;
    EXPECT_EQ(ended.reason, "the extractor tried a forbidden system call, and was stopped") << call;
    EXPECT_EQ(ended.text, "") << call;
    ExpectUsable();
  }
}

TEST_F(ExtractProcessTest, SaysHowItEnded) {
  EXPECT_EQ(Ask("abort").reason, "the extractor was ended by the signal SIGABRT");
  EXPECT_EQ(Ask("exit").reason, "the extractor exited with code 7");
  EXPECT_EQ(Ask("silence").outcome, ExtractOutcome::kCrashed);
  ExpectUsable();
}

// Sanitizers need more address space than the limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(ExtractProcessTest, MemoryIsLimited) {
  const Extraction much = Ask("memory");
  EXPECT_EQ(much.outcome, ExtractOutcome::kTooLarge);
  EXPECT_EQ(much.reason, "extracting its text takes more than 1 GiB of memory");
  ExpectUsable();
}

TEST_F(ExtractProcessTest, MemoryCanBeLimitedMore) {
  EXPECT_EQ(Ask("much memory").text, "120");
  const ExtractProgram small{.path = BuildDir() + "/tests/index/hostile_worker",
                             .memory_bytes = uint64_t{256} << 20};
  ExtractProcess process(&small);
  const auto ask = [&](std::string_view order) {
    return process.Extract({.format = DocumentFormat::kNotebook, .limits = {}}, order,
                           not_cancelled_);
  };
  const Extraction much = ask("much memory");
  EXPECT_EQ(much.outcome, ExtractOutcome::kTooLarge);
  EXPECT_EQ(much.reason, "extracting its text takes more than 256 MiB of memory");
  EXPECT_EQ(ask("again").text, "obeyed again");
}
#endif

TEST_F(ExtractProcessTest, TimeIsLimited) {
  const Extraction late = Ask("loop", std::chrono::milliseconds(200));
  EXPECT_EQ(late.outcome, ExtractOutcome::kTimedOut);
  ExpectUsable();
  EXPECT_EQ(Ask("half", std::chrono::milliseconds(200)).outcome, ExtractOutcome::kTimedOut);
  ExpectUsable();
}

TEST_F(ExtractProcessTest, AnswersAreNotBelieved) {
  for (const std::string lie : {"garbage", "huge", "nul", "latin1", "spans"}) {
    const Extraction refused = Ask(lie);
    EXPECT_EQ(refused.outcome, ExtractOutcome::kCrashed) << lie;
    EXPECT_EQ(refused.reason, "the extractor gave an answer that is none") << lie;
    ExpectUsable();
  }
}

TEST_F(ExtractProcessTest, CancellingEndsTheWait) {
  const std::atomic<bool> cancelled{true};
  EXPECT_NE(process_.Extract({.format = DocumentFormat::kNotebook, .limits = {}}, "loop", cancelled)
                .outcome,
            ExtractOutcome::kText);
  ExpectUsable();
}

TEST_F(ExtractProcessTest, AMissingProgramIsAnOutcome) {
  const ExtractProgram missing{.path = "/nowhere/recall"};
  ExtractProcess process(&missing);
  const Extraction failed =
      process.Extract({.format = DocumentFormat::kNotebook, .limits = {}}, "file", not_cancelled_);
  EXPECT_EQ(failed.outcome, ExtractOutcome::kCrashed);
  EXPECT_NE(failed.reason.find("cannot start an extraction worker"), std::string::npos);
}

TEST(WorkerArgumentsTest, AreReadAsTheyWereWritten) {
  for (const bool unsafe : {false, true}) {
    for (const uint64_t memory : {kMostWorkerMemory, uint64_t{256} << 20, uint64_t{1}}) {
      const auto arguments = WorkerArguments({.unsafe = unsafe, .memory_bytes = memory});
      const auto read = ReadWorkerArguments({arguments.begin(), arguments.end()});
      EXPECT_EQ(read.unsafe, unsafe);
      EXPECT_EQ(read.memory_bytes, memory);
    }
  }
  EXPECT_EQ(ReadWorkerArguments({"--memory", "99999999999999"}).memory_bytes, kMostWorkerMemory);
  EXPECT_EQ(ReadWorkerArguments({"--memory", "1x"}).memory_bytes, kMostWorkerMemory);
  EXPECT_EQ(ReadWorkerArguments({"--memory"}).memory_bytes, kMostWorkerMemory);
}

size_t CountChildren() {
  size_t children = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream status(entry.path() / "stat");
    std::string line;
    if (!std::getline(status, line)) continue;  // no process, or it has ended
    // The fields behind the name, which may have anything in it: state, parent.
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string state;
    pid_t parent = 0;
    fields >> state >> parent;
    if (parent == ::getpid()) ++children;
  }
  return children;
}

TEST_F(ExtractProcessTest, APoolHasNoMoreProcessesThanItMay) {
  constexpr size_t kMost = 2;
  constexpr int kThreads = 6;
  ExtractorPool pool({.path = BuildDir() + "/tests/index/hostile_worker"}, ExtractLimits(), false,
                     {}, &not_cancelled_, kMost);
  std::latch extracted(kThreads);
  std::latch counted(1);
  std::atomic<int> answers = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int file = 0; file < 20; ++file) {
        if (pool.Extract({.format = DocumentFormat::kNotebook}, "file").text == "obeyed file") {
          ++answers;
        }
      }
      extracted.count_down();
      counted.wait();  // processes end with the thread that started them
    });
  }
  extracted.wait();
  EXPECT_LE(CountChildren(), kMost);
  counted.count_down();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answers, kThreads * 20);
}

TEST_F(ExtractProcessTest, ManyFilesTakeNewProcesses) {
  for (int file = 0; file < 450; ++file) {
    ASSERT_EQ(Ask(std::to_string(file)).text, "obeyed " + std::to_string(file));
  }
}

TEST_F(ExtractProcessTest, OutlinesAreNotBelieved) {
  const OutlineAnswer good = process_.Outline("python-1", "order good", not_cancelled_);
  ASSERT_EQ(good.outcome, OutlineOutcome::kOutline);
  ASSERT_EQ(good.outline.definitions.size(), 1U);
  EXPECT_EQ(good.outline.definitions[0].name, "python-1");
  EXPECT_EQ(good.outline.grammar, "python-1");
  for (const std::string order : {"socket", "abort", "garbage", "huge", "none", "unsound"}) {
    const OutlineAnswer none = process_.Outline("python-1", "order " + order, not_cancelled_);
    EXPECT_EQ(none.outcome, OutlineOutcome::kNone) << order;
    EXPECT_TRUE(none.outline.definitions.empty()) << order;
    ExpectUsable();
    EXPECT_EQ(process_.Outline("python-1", "order again", not_cancelled_).outcome,
              OutlineOutcome::kOutline);
  }
}

TEST_F(ExtractProcessTest, TheTimeOfAnOutlineIsLimited) {
  program_.timeout = std::chrono::milliseconds(200);
  EXPECT_EQ(process_.Outline("python-1", "order loop", not_cancelled_).outcome,
            OutlineOutcome::kNone);
  ExpectUsable();
}

TEST(ExtractorPoolTest, WithoutAProgramOrALanguageThereIsNoGrammar) {
  const std::atomic<bool> not_cancelled{false};
  ExtractorPool none({.path = ""}, {}, false, {}, &not_cancelled);
  EXPECT_EQ(none.GrammarFor("a.py", "def f(): pass\n"), "");
  ExtractorPool pool({.path = BuildDir() + "/tests/index/hostile_worker"}, {}, false, {},
                     &not_cancelled);
  EXPECT_EQ(pool.GrammarFor("a.txt", "text"), "");
  EXPECT_EQ(pool.Outline("none-1", "text").outcome, OutlineOutcome::kNone);
}

TEST(ExtractorPoolTest, NamesWhatATextDependsOn) {
  const std::atomic<bool> not_cancelled{false};
  ExtractorPool main({.path = BuildDir() + "/tests/index/hostile_worker"}, {}, false, {},
                     &not_cancelled);
  ExtractorPool all({.path = BuildDir() + "/tests/index/hostile_worker"}, {}, true, {},
                    &not_cancelled);
  EXPECT_EQ(main.ExtractorName({.format = DocumentFormat::kHtml}), "html/3");
  EXPECT_EQ(all.ExtractorName({.format = DocumentFormat::kHtml}), "html-all/3");
  EXPECT_EQ(all.ExtractorName({.format = DocumentFormat::kDocx}), "docx/2");
  EXPECT_TRUE(main.ExtractorName({.format = DocumentFormat::kPdf}).starts_with("pdf/3+poppler-"))
      << main.ExtractorName({.format = DocumentFormat::kPdf});
}

}  // namespace
}  // namespace recall
