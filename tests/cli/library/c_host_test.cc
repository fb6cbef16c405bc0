// What the library does to the program it is in: nothing that it was not asked for.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/library/recall.h"
#include "tests/cli/library/c_api_fixture.h"

namespace recall {
namespace {

// What a process has that a library might change.
struct HostState {
  std::vector<std::string> signals;
  std::string blocked;
  std::string locale;
  std::string directory;
  mode_t umask = 0;
  std::vector<std::string> descriptors;

  bool operator==(const HostState&) const = default;

  static HostState Now() {
    HostState state;
    for (int signal = 1; signal < NSIG; ++signal) {
      struct sigaction action = {};
      if (::sigaction(signal, nullptr, &action) != 0) continue;
      state.signals.push_back(std::to_string(reinterpret_cast<uintptr_t>(action.sa_handler)) + " " +
                              std::to_string(action.sa_flags));
    }
    sigset_t blocked;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    for (int signal = 1; signal < NSIG; ++signal) {
      state.blocked += sigismember(&blocked, signal) == 1 ? '1' : '0';
    }
    state.locale = std::setlocale(LC_ALL, nullptr);
    state.directory = std::filesystem::current_path().string();
    state.umask = ::umask(0);
    ::umask(state.umask);
    for (int descriptor = 0; descriptor < 1024; ++descriptor) {
      if (::fcntl(descriptor, F_GETFD) < 0) continue;
      std::error_code error;
      state.descriptors.push_back(
          std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error)
              .string());
    }
    return state;
  }
};

using CHostTest = CApiTest;

// Exercises the library: questions, errors, writes.
void UseStore(const std::string& path) {
  recall_store* store = nullptr;
  ASSERT_EQ(recall_open(path.c_str(), nullptr, &store, nullptr), RECALL_OK);
  recall_hits* hits = nullptr;
  EXPECT_EQ(recall_search(store, "fish", nullptr, nullptr, &hits, nullptr), RECALL_OK);
  recall_hits_free(hits);
  EXPECT_EQ(recall_call(store, "query", R"({"rql": "FROM"})", nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_get(store, "none", nullptr, nullptr), RECALL_ABSENT);
  recall_close(store);
}

TEST_F(CHostTest, NothingOfTheProcessChanges) {
  MakeStore();
  UseStore(Path("recall.db"));  // what is opened once and kept, as random numbers
  ::signal(SIGPIPE, SIG_DFL);
  const mode_t before_mask = ::umask(027);
  const HostState before = HostState::Now();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for (int i = 0; i < 20; ++i) UseStore(Path("recall.db"));
  recall_store* store = nullptr;
  recall_open(Path("recall.db").c_str(), nullptr, &store, nullptr);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(recall_add_text(store, "text", "A new text.", 11, nullptr, nullptr, 0, nullptr),
              RECALL_OK);
    EXPECT_EQ(recall_call(store, "add", (R"({"path": ")" + directory() + R"("})").c_str(), nullptr),
              RECALL_OK);
  }
  const std::string copy = R"({"force": true, "file": ")" + Path("copy.db") + R"("})";
  EXPECT_EQ(recall_call(store, "backup", copy.c_str(), nullptr), RECALL_OK);
  const std::string out = R"({"out": ")" + Path("lines.jsonl") + R"("})";
  EXPECT_EQ(recall_call(store, "export", out.c_str(), nullptr), RECALL_OK);
  EXPECT_EQ(recall_call(store, "export", nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_call(store, "doctor", nullptr, nullptr), RECALL_OK);
  recall_close(store);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  const HostState after = HostState::Now();
  ::umask(before_mask);
  EXPECT_EQ(after.signals, before.signals);
  EXPECT_EQ(after.blocked, before.blocked);
  EXPECT_EQ(after.locale, before.locale);
  EXPECT_EQ(after.directory, before.directory);
  EXPECT_EQ(after.umask, before.umask);
  EXPECT_EQ(after.descriptors, before.descriptors);
}

TEST_F(CHostTest, OpenedTwoHundredTimesItKeepsNoDescriptor) {
  MakeStore();
  UseStore(Path("recall.db"));
  const std::vector<std::string> before = HostState::Now().descriptors;
  for (int i = 0; i < 200; ++i) UseStore(Path("recall.db"));
  EXPECT_EQ(HostState::Now().descriptors, before);
}

TEST_F(CHostTest, TheEnvironmentHasNoEffectUnlessAskedFor) {
  MakeStore();
  ::setenv("RECALL_JSON", "pretty", 1);
  ::setenv("RECALL_OUTPUT", "lean", 1);
  ::setenv("RECALL_STORE", "/nonexistent/recall.db", 1);
  ::setenv("RECALL_MAX_LIMIT", "3", 1);
  Open();
  const std::string answer = Called("search", R"({"query": "fish", "k": 5})");
  EXPECT_EQ(answer, Printed({"search", "-k", "5", "fish"}));
  recall_close(store_);
  store_ = nullptr;
  Open(R"({"settings_from": "user"})");
  EXPECT_NE(Called("search", R"({"query": "fish", "k": 5})", RECALL_USAGE).find("limit of 3"),
            std::string::npos);
  for (const char* name : {"RECALL_JSON", "RECALL_OUTPUT", "RECALL_STORE", "RECALL_MAX_LIMIT"}) {
    ::unsetenv(name);
  }
}

TEST_F(CHostTest, SettingsBesideTheStoreAreReadUnlessToldOtherwise) {
  MakeStore();
  Write("recall.toml", "max_limit = 3\n");
  Open();
  Called("search", R"({"query": "fish", "k": 5})", RECALL_USAGE);
  recall_close(store_);
  store_ = nullptr;
  Open(R"({"settings_from": "none"})");
  Called("search", R"({"query": "fish", "k": 5})");
}

TEST_F(CHostTest, WithoutTheProgramNoProcessIsStartedAndTheAnswerSaysSo) {
  MakeStore();
  Open(R"({"stable": true})");
  Write("page.html", "<html><body><p>Swans glide.</p></body></html>");
  const std::string added = Called("add", R"({"path": ")" + directory() + R"("})");
  EXPECT_NE(added.find("no text is extracted"), std::string::npos) << added;
}

TEST_F(CHostTest, ProgressIsToldAndStops) {
  MakeStore();
  Open();
  struct Seen {
    std::vector<std::string> stages;
    int stop = 0;
  } seen;
  const auto note = [](const recall_progress* progress, void* user) {
    auto* const to = static_cast<Seen*>(user);
    to->stages.push_back(std::string(progress->command) + " " + progress->stage);
    return to->stop;
  };
  ASSERT_EQ(recall_set_progress(store_, note, &seen), RECALL_OK);
  Called("search", R"({"query": "fish"})");
  EXPECT_NE(std::find(seen.stages.begin(), seen.stages.end(), "search bm25.search"),
            seen.stages.end());
  seen.stop = 1;
  EXPECT_NE(Called("search", R"({"query": "fish"})", RECALL_INTERRUPTED).find("\"cancelled\""),
            std::string::npos);
  seen.stop = 0;
  Called("search", R"({"query": "fish"})");  // the next call is not ended
  ASSERT_EQ(recall_set_progress(store_, nullptr, nullptr), RECALL_OK);
}

TEST_F(CHostTest, AFunctionForProgressMayCancelAndNothingElse) {
  MakeStore();
  Open();
  struct Inner {
    recall_store* store;
    int status = 0;
  } inner{store_};
  const auto call = [](const recall_progress*, void* user) {
    auto* const of = static_cast<Inner*>(user);
    of->status = recall_call(of->store, "ls", nullptr, nullptr);
    recall_cancel(of->store);
    return 0;
  };
  ASSERT_EQ(recall_set_progress(store_, call, &inner), RECALL_OK);
  Called("search", R"({"query": "fish"})", RECALL_INTERRUPTED);
  EXPECT_EQ(inner.status, RECALL_USAGE);
}

TEST_F(CHostTest, ASignalHandlerMayCancel) {
  MakeStore();
  Open();
  static recall_store* cancelled = nullptr;
  cancelled = store_;
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) { recall_cancel(cancelled); };
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  const auto raise = [](const recall_progress*, void*) {
    ::raise(SIGUSR1);
    return 0;
  };
  ASSERT_EQ(recall_set_progress(store_, raise, nullptr), RECALL_OK);
  Called("search", R"({"query": "fish"})", RECALL_INTERRUPTED);
  ::sigaction(SIGUSR1, &before, nullptr);
}

TEST_F(CHostTest, ASecondThreadOfASingleThreadedStoreGetsAnError) {
  MakeStore();
  Open(R"({"threads": "single"})");
  struct Other {
    recall_store* store;
    int status = 0;
  } other{store_};
  const auto call = [](const recall_progress*, void* user) {
    auto* const of = static_cast<Other*>(user);
    std::thread([of] { of->status = recall_call(of->store, "ls", nullptr, nullptr); }).join();
    return 0;
  };
  ASSERT_EQ(recall_set_progress(store_, call, &other), RECALL_OK);
  Called("search", R"({"query": "fish"})");
  EXPECT_EQ(other.status, RECALL_USAGE);
  ASSERT_EQ(recall_set_progress(store_, nullptr, nullptr), RECALL_OK);
  std::thread([&] { EXPECT_EQ(recall_call(store_, "ls", nullptr, nullptr), RECALL_OK); }).join();
}

}  // namespace
}  // namespace recall
