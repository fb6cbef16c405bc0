// A watcher keeps a store equal to a fresh one of the same files: with events, when events are
// lost, when the system allows few watches or none, and while files are changed at random.

#include "cli/setup/watch/watcher.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <climits>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "tests/cli/setup/watch/faulty_events.h"
#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class WatcherTest : public ::testing::Test {
 protected:
  static constexpr int64_t kNever = int64_t{3600} * 1'000'000;

  ~WatcherTest() override { Stop(); }

  void Write(const std::string& name, const std::string& text) {
    std::error_code refused;  // a file may be where a directory is needed
    fs::create_directories(fs::path(dir_ / name).parent_path(), refused);
    std::ofstream(dir_ / name, std::ios::binary) << text;
  }

  AddRequest Request() const {
    AddRequest request;
    for (const std::string& name : roots_) request.paths.push_back(dir_ / name);
    return request;
  }

  // Starts a watcher in a thread, and waits until it is ready.
  void Start(const EventFaults& faults = {}, bool poll_only = false, int64_t poll = kNever) {
    auto events = std::make_unique<FaultyEvents>(faults);
    // A system without events looks instead.
    if (events->descriptor() < 0) poll = 20'000;
    StartWith(std::move(events), poll_only, poll);
  }
  void StartWith(std::unique_ptr<DirectoryEvents> events, bool poll_only, int64_t poll) {
    ASSERT_OK_AND_ASSIGN(database_, fs::exists(dir_ / "recall.db")
                                        ? Database::Open(dir_ / "recall.db")
                                        : Database::Create(dir_ / "recall.db", {}));
    WatchOptions options;
    options.add = Request();
    options.timing = {.quiet_micros = 10'000, .most_micros = 50'000};
    options.poll_micros = poll;
    options.poll_only = poll_only;
    options.events = std::move(events);
    WatchObserver observer;
    observer.on_ready = [this](int64_t directories, int64_t polled) {
      Tell([&] {
        ready_ = true;
        directories_ = directories;
        polled_ = polled;
      });
    };
    observer.on_batch = [this](const AddReport& report) {
      Tell([&] { reports_.push_back(report); });
    };
    observer.on_problem = [this](const std::string& problem) {
      Tell([&] { problems_.push_back(problem); });
    };
    ASSERT_OK_AND_ASSIGN(watcher_,
                         Watcher::Make(database_.get(), std::move(options), std::move(observer)));
    thread_ = std::thread([this] {
      const Status status = watcher_->Run();
      Tell([&] { ended_ = status; });
    });
    Await([this] { return ready_; }, "the watcher is ready");
  }
  void Stop() {
    if (!thread_.joinable()) return;
    watcher_->Stop();
    thread_.join();
    watcher_.reset();
    database_.reset();
    ready_ = false;
  }

  // Waits for a condition, which is tested whenever the watcher has said something.
  void Await(const std::function<bool()>& condition, const std::string& what) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(told_.wait_for(lock, std::chrono::seconds(120), condition)) << what;
  }
  bool HasProblem(const std::string& part) const {
    return std::ranges::any_of(
        problems_, [&](const std::string& problem) { return problem.find(part) != problem.npos; });
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
  // The export of a new store of the same files.
  std::string Fresh() const {
    fs::remove(dir_ / "fresh.db");
    const auto database = Database::Create(dir_ / "fresh.db", {});
    EXPECT_TRUE(database.has_value()) << database.error().ToString();
    EXPECT_OK((*database)->Add(Request()));
    return ExportOf(dir_ / "fresh.db");
  }
  void AwaitFresh(const std::string& when) {
    const std::string fresh = Fresh();
    Await([&] { return ExportOf(dir_ / "recall.db") == fresh; }, when);
    if (HasFailure()) {
      EXPECT_EQ(ExportOf(dir_ / "recall.db"), fresh) << when;
    }
  }

  // One random change.
  void Change(std::mt19937_64& random) {
    const Names parts = {"a", "b", "c", "d.md", "e.md", "build", ".hidden"};
    const auto name = [&](const char* top) {
      std::string path = top;
      for (uint64_t depth = 1 + random() % 3; depth > 0; --depth) {
        path += "/" + parts[random() % parts.size()];
      }
      return path;
    };
    std::error_code refused;
    switch (random() % 10) {
      case 0:
        fs::remove(dir_ / name("tree"), refused);
        break;
      case 1:
        fs::remove_all(dir_ / name("tree"), refused);
        break;
      case 2:
        fs::rename(dir_ / name("tree"), dir_ / name("tree"), refused);
        break;
      case 3:
        fs::rename(dir_ / name("tree"), dir_ / name("outside"), refused);
        break;
      case 4:
        fs::rename(dir_ / name("outside"), dir_ / name("tree"), refused);
        break;
      case 5: {  // as an editor saves
        const std::string target = name("tree");
        Write(target + "~new", "saved " + std::to_string(random() % 100));
        fs::rename(dir_ / (target + "~new"), dir_ / target, refused);
        fs::remove(dir_ / (target + "~new"), refused);
        break;
      }
      case 6:
        fs::create_directories(dir_ / name("tree"), refused);
        break;
      case 7:
        Write(name("outside"), "outside " + std::to_string(random() % 100));
        break;
      default:
        Write(name("tree"), "text " + std::to_string(random() % 100));
    }
  }
  void LiveThrough(uint64_t seed, int changes) {
    std::mt19937_64 random(TestSeed(seed));
    fs::create_directories(dir_ / "outside");
    for (int i = 1; i <= changes; ++i) {
      Change(random);
      if (i % 40 == 0) AwaitFresh("after change " + std::to_string(i));
      if (HasFailure()) return;
    }
    Write("tree/.recallignore", "");
    AwaitFresh("build/ is no longer ignored");
  }

  void MakeTree() {
    Write("tree/.recallignore", "build/\n");
    for (const char* name : {"tree/a/b/d.md", "tree/c/d.md", "tree/build/x/e.md", "tree/e.md"}) {
      Write(name, std::string("text of ") + name);
    }
  }

  TempDir dir_;
  Names roots_ = {"tree"};
  std::unique_ptr<Database> database_;
  std::unique_ptr<Watcher> watcher_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable told_;
  bool ready_ = false;
  int64_t directories_ = 0;
  int64_t polled_ = 0;
  std::vector<AddReport> reports_;
  Names problems_;
  std::optional<Status> ended_;

 private:
  void Tell(const std::function<void()>& change) {
    const std::lock_guard lock(mutex_);
    change();
    told_.notify_all();
  }
};

// What only a system with events does.
class WatcherEventsTest : public WatcherTest {};

TEST_F(WatcherEventsTest, RandomChanges) {
  MakeTree();
  Start();
  EXPECT_EQ(directories_, 4) << "tree, a, a/b, c; no watch for what is ignored";
  EXPECT_EQ(polled_, 0);
  LiveThrough(81, 400);
  EXPECT_EQ(problems_, Names());
}

TEST_F(WatcherEventsTest, RandomChangesWithLostEvents) {
  MakeTree();
  Start({.lose_one_in = 3});
  LiveThrough(82, 400);
  EXPECT_TRUE(HasProblem("overflowed"));
}

TEST_F(WatcherEventsTest, RandomChangesWithFewWatches) {
  MakeTree();
  Start({.most_watches = 2}, false, 20'000);
  EXPECT_EQ(polled_, 3) << "the store's directory, whose ignore files apply, takes a watch, too";
  EXPECT_TRUE(HasProblem("fs.inotify.max_user_watches"));
  LiveThrough(83, 200);
}

TEST_F(WatcherTest, RandomChangesByPolling) {
  MakeTree();
  Start({}, true, 20'000);
  EXPECT_EQ(polled_, 4);
  LiveThrough(84, 200);
  EXPECT_EQ(problems_, Names());
}

TEST_F(WatcherTest, RandomChangesOnASystemWithoutEvents) {
  MakeTree();
  StartWith(posix_form::OpenDirectoryEvents(), false, 20'000);
  EXPECT_EQ(polled_, 4);
  EXPECT_TRUE(HasProblem("no events of files"));
  LiveThrough(85, 200);
}

TEST_F(WatcherTest, WhatHappenedWhileNobodyWatched) {
  MakeTree();
  Start();
  Stop();
  fs::remove(dir_ / "tree/e.md");
  Write("tree/new.md", "new");
  Start();
  AwaitFresh("after the start");
}

TEST_F(WatcherTest, ASingleFileThatEditorsReplace) {
  roots_ = {"notes/todo.md", "notes/.plan"};
  Write("notes/todo.md", "one");
  Write("notes/.plan", "hidden, but named");
  Write("notes/other.md", "not watched");
  Start();
  AwaitFresh("at first");
  Write("notes/todo.md~", "two");
  fs::rename(dir_ / "notes/todo.md~", dir_ / "notes/todo.md");
  Write("notes/.plan", "changed");
  Write("notes/other.md", "changed");
  AwaitFresh("after the changes");
  fs::rename(dir_ / "notes/todo.md", dir_ / "notes/backup");
  Await([this] { return HasProblem("todo.md does not exist any more"); }, "it is missed");
  Write("notes/todo.md", "three");
  AwaitFresh("it is back");
}

TEST_F(WatcherTest, ADirectoryThatDisappearsKeepsItsDocuments) {
  MakeTree();
  Write("other/f.md", "text");
  roots_ = {"tree", "other"};
  Start();
  const std::string before = Fresh();
  fs::rename(dir_ / "tree", dir_ / "elsewhere");
  Await([this] { return HasProblem("tree does not exist any more"); }, "it is missed");
  EXPECT_EQ(ExportOf(dir_ / "recall.db"), before);
  Write("elsewhere/a/late.md", "written elsewhere");
  fs::rename(dir_ / "elsewhere", dir_ / "tree");
  AwaitFresh("it is back");
  Write("tree/a/b/f.md", "watched again");
  AwaitFresh("it is watched again");
}

TEST_F(WatcherTest, IgnoreFilesAboveTheRoot) {
  roots_ = {"tree/sub"};
  Write(".recallignore", "*.log\n");
  Write("tree/sub/a.log", "log");
  Write("tree/sub/a.md", "text");
  Start();
  AwaitFresh("at first");
  Write(".recallignore", "");
  AwaitFresh("the rule is gone");
  EXPECT_NE(Fresh().find("a.log"), std::string::npos);
}

TEST_F(WatcherTest, AFileThatCannotBeReadIsSaidOnceAndTriedAgain) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads every file";
  MakeTree();
  Start({}, false, 10'000);
  Write("tree/secret.md", "text");
  ::chmod((dir_ / "tree/secret.md").c_str(), 0);
  Await([this] { return !reports_.empty() && !reports_.back().warnings.empty(); }, "it is said");
  ::chmod((dir_ / "tree/secret.md").c_str(), 0644);
  AwaitFresh("it can be read");
}

TEST_F(WatcherTest, EndsWhenItsStoreIsReplaced) {
  MakeTree();
  Start();
  fs::remove(dir_ / "recall.db");
  Write("tree/new.md", "new");
  Await([this] { return ended_.has_value(); }, "it ends");
  ASSERT_TRUE(ended_);
  EXPECT_EQ(ended_->code(), StatusCode::kIoError);
}

TEST_F(WatcherTest, APathThatDoesNotExist) {
  ASSERT_OK_AND_ASSIGN(database_, Database::Create(dir_ / "recall.db", {}));
  WatchOptions options;
  options.add.paths = {dir_ / "nowhere"};
  EXPECT_EQ(Watcher::Make(database_.get(), std::move(options), {}).error().code(),
            StatusCode::kNotFound);
}

}  // namespace
}  // namespace recall
