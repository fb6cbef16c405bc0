// A watcher of transcripts keeps a store equal to one that captured them all at once: while they
// grow, in directories that appear, when events are lost, and without events.

#include "cli/setup/watch/transcript_watcher.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <thread>

#include "tests/cli/setup/watch/faulty_events.h"
#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class TranscriptWatcherTest : public ::testing::Test {
 protected:
  static constexpr int64_t kNever = int64_t{3600} * 1'000'000;

  ~TranscriptWatcherTest() override { Stop(); }

  static std::string LineOf(const std::string& session, size_t turn) {
    char at[32];
    std::snprintf(at, sizeof(at), "2026-02-25T%02zu:%02zu:00Z", turn / 60 % 24, turn % 60);
    return R"({"session":")" + session + R"(","role":"human","text":"turn )" +
           std::to_string(turn) + R"(","at":")" + at + "\"}\n";
  }
  void Append(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(dir_ / name).parent_path());
    std::ofstream(dir_ / name, std::ios::binary | std::ios::app) << text;
  }

  CaptureRequest Request() const {
    CaptureRequest request;
    request.paths = {dir_ / "transcripts"};
    request.agents = {"jsonl"};
    request.project = dir_.path();
    return request;
  }

  void Start(uint32_t lose_one_in = 0, int64_t poll = kNever) {
    fs::create_directories(dir_ / "transcripts");
    ASSERT_OK_AND_ASSIGN(database_, Database::Create(dir_ / "recall.db", {}));
    TranscriptWatchOptions options;
    options.capture = Request();
    options.timing = {.quiet_micros = 5'000, .most_micros = 30'000};
    options.events = std::make_unique<FaultyEvents>(EventFaults{.lose_one_in = lose_one_in});
    // A system without events looks instead.
    options.poll_micros = options.events->descriptor() < 0 ? 20'000 : poll;
    TranscriptWatchObserver observer;
    observer.on_ready = [this](int64_t directories, int64_t) {
      Tell([&] { directories_ = directories; });
    };
    observer.on_capture = [this](const CaptureReport& report) {
      Tell([&] {
        turns_ += report.turns;
        failures_ += report.failed.size();
      });
    };
    observer.on_problem = [this](const std::string& problem) {
      Tell([&] { problems_.push_back(problem); });
    };
    ASSERT_OK_AND_ASSIGN(watcher_, TranscriptWatcher::Make(database_.get(), std::move(options),
                                                           std::move(observer)));
    thread_ = std::thread([this] {
      const Status status = watcher_->Run();
      Tell([&] { ended_ = status; });
    });
    Await([this] { return directories_ > 0; }, "the watcher is ready");
  }
  void Stop() {
    if (!thread_.joinable()) return;
    watcher_->Stop();
    thread_.join();
    watcher_.reset();
    database_.reset();
  }

  void Tell(const std::function<void()>& change) {
    {
      const std::lock_guard lock(mutex_);
      change();
    }
    told_.notify_all();
  }
  void Await(const std::function<bool()>& condition, const std::string& what) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(told_.wait_for(lock, std::chrono::seconds(120), condition)) << what;
  }

  static std::string ExportOf(const std::string& store) {
    const auto database = Database::Open(store, {.read_only = true});
    EXPECT_TRUE(database.has_value()) << database.error().ToString();
    std::string lines;
    EXPECT_OK((*database)->Export({}, [&lines](std::string_view part) {
      lines += part;
      return Status::Ok();
    }));
    return lines.substr(lines.find('\n') + 1);  // the first line describes the store
  }
  // The watcher's store is equal to a new one that captures the same transcripts.
  void ExpectWhole() {
    Stop();
    {
      ASSERT_OK_AND_ASSIGN(const auto fresh, Database::Create(dir_ / "fresh.db", {}));
      ASSERT_OK(fresh->Capture(Request()));
    }
    EXPECT_EQ(ExportOf(dir_ / "recall.db"), ExportOf(dir_ / "fresh.db"));
    EXPECT_OK(ended_);
  }

  TempDir dir_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<TranscriptWatcher> watcher_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable told_;
  int64_t directories_ = 0;
  int64_t turns_ = 0;
  size_t failures_ = 0;
  std::vector<std::string> problems_;
  Status ended_;
};

TEST_F(TranscriptWatcherTest, TranscriptsThatGrowAndAppearAreCaptured) {
  for (const uint32_t lose_one_in : {0u, 2u}) {
    directories_ = 0;
    turns_ = 0;
    Start(lose_one_in);
    if (HasFatalFailure()) return;
    std::mt19937 random(lose_one_in);
    int64_t turns = 0;
    for (size_t step = 0; step < 40; ++step) {
      const std::string session = "s" + std::to_string(random() % 5);
      const std::string place = "transcripts/day" + std::to_string(step / 10) + "/" + session;
      const std::string line = LineOf(session + "-" + std::to_string(step / 10), step);
      const size_t cut = random() % line.size();
      Append(place + ".jsonl", line.substr(0, cut));
      Append(place + ".jsonl", line.substr(cut));
      turns += 1;
      if (step % 7 == 0) Await([&] { return turns_ == turns; }, "it catches up");
    }
    Await([&] { return turns_ == turns; }, "all turns are captured");
    ExpectWhole();
    fs::remove_all(dir_ / "transcripts");
    fs::remove(dir_ / "recall.db");
    fs::remove(dir_ / "fresh.db");
  }
}

// A place that did not exist is found by the next look without an event.
TEST_F(TranscriptWatcherTest, DirectoriesAreFoundWithoutAnEvent) {
  Start(1, 20'000);
  if (HasFatalFailure()) return;
  fs::remove_all(dir_ / "transcripts");
  Append("transcripts/later/a.jsonl", LineOf("s1", 1));
  Await([&] { return turns_ == 1; }, "the new directory is found");
  ExpectWhole();
}

TEST_F(TranscriptWatcherTest, AStoreThatIsReplacedEndsIt) {
  Start();
  if (HasFatalFailure()) return;
  fs::rename(dir_ / "recall.db", dir_ / "moved.db");
  Append("transcripts/a.jsonl", LineOf("s1", 1));
  Await([&] { return !ended_.ok(); }, "it ends");
  EXPECT_EQ(ended_.code(), StatusCode::kIoError);
  EXPECT_NE(ended_.hint().find("capture --watch"), std::string::npos) << ended_.hint();
  thread_.join();
}

}  // namespace
}  // namespace recall
