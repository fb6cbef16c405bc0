// Child processes that return results, and the gate that starts them together.

#include "query/measure/bench/measuring_child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>

#include "query/measure/bench/wire.h"
#include "tests/test_util.h"

namespace recall {
namespace {

const std::atomic<bool> kNever = false;

TEST(MeasuringChild, GivesWhatItsWorkGave) {
  const std::string big(1 << 20, 'x');  // more than a pipe holds
  const auto outcome =
      MeasuringChild::Run([&]() -> Result<std::string> { return big + '\0' + "end"; }, kNever);
  ASSERT_TRUE(outcome.has_value()) << outcome.error().ToString();
  EXPECT_EQ(outcome->bytes, big + '\0' + "end");
  EXPECT_GT(outcome->peak_memory_bytes, 0);
}

TEST(MeasuringChild, IsAnotherProcess) {
  int touched = 0;
  const pid_t self = ::getpid();
  const auto outcome = MeasuringChild::Run(
      [&]() -> Result<std::string> {
        touched = 1;
        return std::string(::getpid() == self ? "same" : "other");
      },
      kNever);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->bytes, "other");
  EXPECT_EQ(touched, 0);
}

TEST(MeasuringChild, ErrorsComeOverWhole) {
  const auto outcome = MeasuringChild::Run(
      []() -> Result<std::string> {
        return Fail(
            Status::NotFound("no such thing", "make one").WithPosition({3, 4, "text\n   ^"}));
      },
      kNever);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code(), StatusCode::kNotFound);
  EXPECT_EQ(outcome.error().message(), "no such thing");
  EXPECT_EQ(outcome.error().hint(), "make one");
  ASSERT_NE(outcome.error().position(), nullptr);
  EXPECT_EQ(outcome.error().position()->line, 3);
  EXPECT_EQ(outcome.error().position()->column, 4);
  EXPECT_EQ(outcome.error().position()->excerpt, "text\n   ^");
}

TEST(MeasuringChild, OneThatDiesIsAnError) {
  const auto outcome = MeasuringChild::Run(
      []() -> Result<std::string> {
        ::kill(::getpid(), SIGKILL);
        return std::string();
      },
      kNever);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code(), StatusCode::kInternal);
}

TEST(MeasuringChild, IsEndedByCancelling) {
  const std::atomic<bool> cancelled = true;
  const auto outcome = MeasuringChild::Run(
      []() -> Result<std::string> {
        for (;;) ::pause();
      },
      cancelled);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code(), StatusCode::kCancelled);
}

// So it can end what it has started.
TEST(MeasuringChild, IsToldToEndBeforeItIsKilled) {
  const TempDir dir;
  static std::string path;
  path = dir / "told";
  static int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  {
    auto child = MeasuringChild::Start([]() -> Result<std::string> {
      ::signal(SIGTERM, [](int) {
        ::close(::open(path.c_str(), O_CREAT | O_WRONLY, 0600));
        ::_exit(0);
      });
      EXPECT_EQ(::write(ready[1], "r", 1), 1);
      for (;;) ::pause();
    });
    ASSERT_TRUE(child.has_value());
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  }
  EXPECT_TRUE(std::filesystem::exists(path));
  ::close(ready[0]);
  ::close(ready[1]);
}

// Each child records when it was ready and when it started: none starts before the last is ready.
TEST(StartGate, LetsAllGoWhenAllAreReady) {
  auto gate = StartGate::Create();
  ASSERT_TRUE(gate.has_value());
  std::vector<std::unique_ptr<MeasuringChild>> children;
  for (int i = 0; i < 4; ++i) {
    auto child = MeasuringChild::Start(
        [&]() -> Result<std::string> {
          WireWriter out;
          timespec now = {};
          ::clock_gettime(CLOCK_MONOTONIC, &now);
          out.Put(now.tv_sec * 1'000'000'000 + now.tv_nsec);
          (*gate)->Pass();
          ::clock_gettime(CLOCK_MONOTONIC, &now);
          out.Put(now.tv_sec * 1'000'000'000 + now.tv_nsec);
          return out.Take();
        },
        gate->get());
    ASSERT_TRUE(child.has_value());
    children.push_back(std::move(*child));
  }
  ASSERT_TRUE(MeasuringChild::OpenGate(gate->get(), children, kNever).ok());
  int64_t last_ready = 0;
  int64_t first_gone = INT64_MAX;
  for (const auto& child : children) {
    const auto outcome = child->Finish(kNever);
    ASSERT_TRUE(outcome.has_value());
    WireReader in(outcome->bytes);
    last_ready = std::max(last_ready, in.Next());
    first_gone = std::min(first_gone, in.Next());
    EXPECT_TRUE(in.ok());
  }
  EXPECT_LE(last_ready, first_gone);
}

// A child that dies before it is ready does not block the others.
TEST(StartGate, OpensWhenOneDies) {
  auto gate = StartGate::Create();
  ASSERT_TRUE(gate.has_value());
  std::vector<std::unique_ptr<MeasuringChild>> children;
  for (const bool dies : {false, true}) {
    auto child = MeasuringChild::Start(
        [&]() -> Result<std::string> {
          if (dies) return Fail(Status::IoError("cannot begin"));
          (*gate)->Pass();
          return std::string("went");
        },
        gate->get());
    ASSERT_TRUE(child.has_value());
    children.push_back(std::move(*child));
  }
  ASSERT_TRUE(MeasuringChild::OpenGate(gate->get(), children, kNever).ok());
  EXPECT_EQ(children[0]->Finish(kNever)->bytes, "went");
  EXPECT_EQ(children[1]->Finish(kNever).error().code(), StatusCode::kIoError);
}

TEST(Wire, WhatIsNotThereIsNotOk) {
  WireWriter out;
  out.Put(-5);
  out.PutText("text");
  const std::string bytes = out.Take();
  WireReader whole(bytes);
  EXPECT_EQ(whole.Next(), -5);
  EXPECT_EQ(whole.NextText(), "text");
  EXPECT_TRUE(whole.ok());
  EXPECT_EQ(whole.Next(), 0);
  EXPECT_FALSE(whole.ok());
  WireReader cut(std::string_view(bytes).substr(0, bytes.size() - 1));
  EXPECT_EQ(cut.Next(), -5);
  EXPECT_EQ(cut.NextText(), "");
  EXPECT_FALSE(cut.ok());
}

}  // namespace
}  // namespace recall
