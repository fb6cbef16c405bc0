#include "storage/postgres/page_replica.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "storage/base/clock.h"
#include "storage/base/question_scope.h"
#include "storage/base/random.h"
#include "storage/postgres/heartbeat.h"
#include "storage/postgres/page_server_group.h"
#include "storage/replica/local_copies.h"
#include "storage/replica/page_fetcher.h"
#include "storage/replica/page_source.h"
#include "storage/replica/replica_files.h"

namespace recall {
namespace {

// Superseded pages are kept for this long. A command that reads one commit for longer fails.
constexpr int64_t kKeptSeconds = 600;
constexpr int64_t kEpochsBetweenDeletions = 64;
// A command that writes may run for long. What it reads may be this old: TryBeginWrite finds out
// whether there is a newer commit.
constexpr int64_t kWriterTrustsMicros = 2'000'000;

// Whether the id that a server sent is safe as the name of a directory.
bool IsFileName(std::string_view text) {
  return text.size() <= 64 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
         });
}

int64_t RandomEpochId() {
  const std::string digits = RandomHex(8);
  uint64_t id = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), id, 16);
  return static_cast<int64_t>(id);
}

// A replica whose pages come from a PageServerGroup. One connection to each server reads epochs and
// writes; the fetcher of the server has connections of its own, which read pages.
class PageReplica final : public PageSource {
 public:
  PageReplica(PostgresStore store, std::unique_ptr<PageServerGroup> servers, SeenHistory history,
              bool of_readers)
      : store_(std::move(store)),
        of_readers_(of_readers),
        servers_(std::move(servers)),
        history_(std::move(history)) {}

  // `others`: the directories of replicas from which pages are copied.
  Status Open(const std::string& directory, const std::vector<std::string>& others) {
    RECALL_TRY(files_.Open(directory));
    for (const std::string& other : others) {
      others_.push_back(std::make_unique<ReplicaFiles>());
      RECALL_TRY(others_.back()->Open(other));
    }
    for (size_t i = 0; i < store_.servers.size(); ++i) {
      copies_.push_back(std::make_unique<LocalCopies>(others_));
      fetchers_.push_back(std::make_unique<PageFetcher>([this, i] { return Connect(i); }));
    }
    return Status::Ok();
  }

  const std::string& name() const override { return store_.shown; }
  int64_t epoch_id() const override { return files_.epoch().id; }
  uint32_t losses() const override { return files_.losses(); }
  bool IsInUse() const override { return files_.IsInUse(); }

  bool IsPresent(uint32_t number) const override {
    return files_.IsPresent(number) || (writing_ && written_.contains(number));
  }

  // Pages beyond the end of the store are not fetched: the file is shorter, so reading one fails.
  bool Ensure(uint32_t number) override {
    if (IsPresent(number) || number == 0 || number > files_.epoch().pages) return true;
    const Status awaited = FetcherOf(number).Await(number);
    if (IsPresent(number)) return true;
    Note(awaited).IgnoreError();
    return false;
  }

  void Prefetch(uint32_t first, uint32_t count) override {
    if (uses_ == 0) return;
    const uint32_t pages = files_.epoch().pages;
    std::vector<std::vector<uint32_t>> absent(fetchers_.size());
    for (uint32_t number = first; number - first < count && number <= pages; ++number) {
      if (!IsPresent(number)) absent[ServerOf(number)].push_back(number);
    }
    for (size_t i = 0; i < absent.size(); ++i) {
      if (!absent[i].empty()) fetchers_[i]->Request(absent[i]);
    }
  }

  void BeginUse() override { ++uses_; }
  void EndUse() override {
    if (--uses_ != 0) return;
    for (const auto& fetcher : fetchers_) fetcher->Drain();
  }

  Result<bool> IsCurrent() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const uint64_t question = QuestionScope::Current();
    const int64_t now = SteadyMicros();
    const bool asked = question != 0 && question == question_ &&
                       (of_readers_ || now - asked_ <= kWriterTrustsMicros);
    if (asked && newest_ == files_.epoch()) return true;
    question_ = 0;
    RECALL_TRY(AskForNewest());
    question_ = question;
    asked_ = now;
    return newest_ == files_.epoch();
  }

  // If the server has lost the replica's commit, it is unknown which pages differ, so all are
  // dropped.
  Status Advance() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const PageEpoch mine = files_.epoch();
    const auto had = mine.number < newest_.number ? servers_->HasEpoch(mine) : Result<bool>(false);
    if (!had) return Note(had.error());
    if (*had) {
      const auto changed = servers_->ChangedPages(mine.number, newest_.number);
      if (!changed) return Note(changed.error());
      for (const uint32_t number : *changed) files_.SetPresent(number, false);
    } else {
      if (mine.number != 0) files_.CountLoss();
      RECALL_TRY(Note(files_.Resize(0)));
    }
    RECALL_TRY(Note(files_.Resize(newest_.pages)));
    files_.SetEpoch(newest_);
    return Status::Ok();
  }

  // Makes the replica drop all pages as soon as it has no user.
  void BeginAnew() { begins_anew_ = true; }

  bool IsTooLarge() const override {
    if (begins_anew_) return true;
    const uint64_t most = store_.servers[0].cache_bytes;
    return most != 0 && files_.AllocatedBytes() > most;
  }
  void Evict() override {
    if (begins_anew_.exchange(false)) {
      files_.DropAll();
    } else {
      files_.DropHalf();
    }
  }

  bool IsOurTurn() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Result<bool> turn = Ask([this] { return servers_->IsOurTurn(); });
    queued_ = turn.has_value();
    question_ = 0;  // others commit while this process waits
    if (servers_->has_right()) heartbeat_.Begin();
    return !turn || *turn;
  }

  void LeaveQueue() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    queued_ = false;
    GiveBack();
  }

  std::string WriterBefore() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return servers_->writer();
  }

  Result<bool> TryBeginWrite() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!servers_->has_right()) {
      const auto locked = servers_->TryLock();
      if (!locked) return Fail(Note(locked.error()));
      if (!*locked) return false;
    }
    heartbeat_.Begin();
    written_.clear();
    // By the connection that has the right to write.
    const auto newest = servers_->Newest(history_.newest());
    writing_ = newest && newest->epoch == files_.epoch();
    if (newest) newest_ = newest->epoch;
    if (!writing_ && !queued_) GiveBack();
    if (!newest) return Fail(Note(newest.error()));
    return writing_.load();
  }

  void EndWrite() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    writing_ = false;
    written_.clear();
    if (!queued_) GiveBack();
  }

  // A page becomes absent before it is written, and stays so if the transaction is rolled back: the
  // journal does not restore every page, for example not those added at the end of the file.
  void WillWrite(uint32_t number) override {
    if (!writing_) return;
    written_.insert(number);
    files_.SetPresent(number, false);
  }
  void WasWritten(uint32_t number) override {
    if (!writing_) files_.SetPresent(number, true);
  }

  void NoteTruncated(uint32_t pages) override {
    for (uint32_t number = pages + 1; number <= files_.epoch().pages; ++number) {
      files_.SetPresent(number, false);
    }
    written_.erase(written_.upper_bound(pages), written_.end());
  }

  Status Commit() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    committed_ = {files_.epoch().number + 1, RandomEpochId(), files_.FilePages()};
    const std::vector<uint32_t> numbers(written_.begin(), written_.upper_bound(committed_.pages));
    const auto read = [this](uint32_t number, std::span<uint8_t> page) {
      return files_.ReadPage(number, page);
    };
    const Status done = servers_->Commit(committed_, numbers, read);
    heartbeat_.End();  // the right ended with the commit
    return Note(done);
  }

  void AcceptCommit() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    files_.SetEpoch(committed_);
    newest_ = committed_;
    history_.Add(committed_);
    for (const uint32_t number : written_) files_.SetPresent(number, true);
  }

  std::string TakeWarning() override {
    const std::lock_guard<std::mutex> lock(error_mutex_);
    return std::exchange(warning_, "");
  }

  Status TakeError() override {
    const std::lock_guard<std::mutex> lock(error_mutex_);
    return std::exchange(error_, Status::Ok());
  }

 private:
  // Returns ask(), after a new connection if the server was restarted or a standby took over.
  template <typename Question>
  auto Ask(Question ask) -> decltype(ask()) {
    if (servers_->broken()) RECALL_TRY(ConnectAgain());
    auto answer = ask();
    if (!answer && servers_->worth_reconnecting()) {
      RECALL_TRY(ConnectAgain());
      answer = ask();
    }
    return answer;
  }

  Status AskForNewest() {
    const auto newest = Ask([this] { return servers_->Newest(history_.newest()); });
    if (!newest) return Note(newest.error());
    newest_ = newest->epoch;
    if (newest->lost_seen) RECALL_TRY(Note(WarnOfLoss()));
    history_.Add(newest_);
    return Status::Ok();
  }

  // Another process of this machine may have warned of the same loss.
  Status WarnOfLoss() {
    RECALL_ASSIGN(const size_t lost, history_.ForgetUnknown([this](const PageEpoch& epoch) {
      return servers_->HasEpoch(epoch);
    }));
    if (lost == 0) return Status::Ok();
    const std::lock_guard<std::mutex> lock(error_mutex_);
    warning_ = store_.shown + ": the server lacks the last " +
               (lost == 1 ? "commit" : std::to_string(lost) + " commits") +
               " that this machine has seen: a standby took over without them, or a backup was "
               "restored; add or save again what they added";
    return Status::Ok();
  }

  void GiveBack() {
    heartbeat_.End();
    servers_->Unlock().IgnoreError();  // a broken connection has given the right back
    // Old pages are deleted after the right to write was returned, so that other machines need not
    // wait. The next deletion also deletes those that this one leaves after a failure.
    const bool committed = std::exchange(committed_, {}) == files_.epoch();
    if (committed && files_.epoch().number % kEpochsBetweenDeletions == 0) {
      servers_->DeleteSuperseded(kKeptSeconds).IgnoreError();
    }
  }

  // While this process computes, the session is silent, and those who wait would end it. Whoever
  // has the mutex talks to the server, which is progress, too.
  void ShowProgress() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && servers_->has_right()) servers_->ShowProgress().IgnoreError();
  }

  Status ConnectAgain() {
    RECALL_ASSIGN(servers_, PageServerGroup::Connect(store_));
    RECALL_TRY(servers_->ReadId());
    return servers_->CheckTimelines(history_);
  }

  // Remembers an error for TakeError.
  Status Note(const Status& status) {
    if (!status.ok()) {
      const std::lock_guard<std::mutex> lock(error_mutex_);
      error_ = status;
    }
    return status;
  }

  // Returns a function that fetches groups of pages of a server. It connects when a page is on no
  // replica of this machine, and again if the connection was lost.
  PageFetcher::FetchGroup Connect(size_t index) {
    const auto server = std::make_shared<std::unique_ptr<PageServer>>();
    return [this, index, server](const std::vector<uint32_t>& numbers) -> Status {
      const auto connect = [&] { return PageServer::Connect(store_.servers[index]); };
      const bool kept = *server != nullptr;
      const auto changes = [&](const PageEpoch& from,
                               int64_t until) -> Result<std::vector<uint32_t>> {
        if (!*server) {
          RECALL_ASSIGN(*server, connect());
        }
        RECALL_ASSIGN(const bool known, (*server)->HasEpoch(from));
        if (!known) return Fail(Status::NotFound("the server has lost the commit"));
        return (*server)->ChangedPages(from.number, until);
      };
      const auto absent = copies_[index]->Copy(numbers, files_, changes);
      if (absent.empty()) return Status::Ok();
      if (!*server) {
        RECALL_ASSIGN(*server, connect());
      }
      Status fetched = Fetch(**server, absent);
      if (kept && (*server)->worth_reconnecting()) {
        RECALL_ASSIGN(*server, connect());
        fetched = Fetch(**server, absent);
      }
      if (!fetched.ok()) *server = nullptr;
      return fetched;
    };
  }

  Status Fetch(PageServer& server, const std::vector<uint32_t>& numbers) {
    return server.Fetch(files_.epoch(), numbers,
                        [this](uint32_t number, std::span<const uint8_t> page) {
                          if (!files_.WritePage(number, page)) {
                            return Status::IoError(files_.path() + ": a page cannot be written",
                                                   "check the free space of the cache directory");
                          }
                          files_.SetPresent(number, true);
                          return Status::Ok();
                        });
  }

  size_t ServerOf(uint32_t number) const {
    return PageServerGroup::ServerOf(number, fetchers_.size());
  }
  PageFetcher& FetcherOf(uint32_t number) { return *fetchers_[ServerOf(number)]; }

  const PostgresStore store_;
  const bool of_readers_;
  ReplicaFiles files_;
  std::vector<std::unique_ptr<ReplicaFiles>> others_;
  std::vector<std::unique_ptr<LocalCopies>> copies_;  // for each server
  std::atomic<bool> begins_anew_ = false;
  std::atomic<int> uses_ = 0;
  std::atomic<bool> writing_ = false;
  std::set<uint32_t> written_;  // changed only by the holder of an EXCLUSIVE lock

  std::mutex mutex_;  // guards the members up to queued_
  std::unique_ptr<PageServerGroup> servers_;
  SeenHistory history_;
  PageEpoch newest_;
  uint64_t question_ = 0;  // for which newest_ was asked; 0: for none
  int64_t asked_ = 0;      // when
  PageEpoch committed_;
  bool queued_ = false;  // from IsOurTurn to LeaveQueue
  Heartbeat heartbeat_{[this] { ShowProgress(); }};

  std::mutex error_mutex_;  // guards the next two
  Status error_;
  std::string warning_;

  std::vector<std::unique_ptr<PageFetcher>> fetchers_;  // last, so that their threads end first
};

Result<std::string> ReadId(PageServerGroup& servers, const std::string& shown) {
  RECALL_ASSIGN(std::string id, servers.ReadId());
  if (IsFileName(id)) return id;
  return Fail(Status::Corruption(shown + ": the identity of the store is damaged",
                                 "restore the server's database from a backup"));
}

// The replicas that the process has opened. Each is opened once, because closing a second
// descriptor of its file would release SQLite's locks.
std::mutex& OpeningMutex() {
  static std::mutex mutex;
  return mutex;
}

// The replicas of a store on this machine, in directories of their own:
//
//   CACHE/ID/write     of writers
//   CACHE/ID/read-1    of readers; read-2 and so on are made when they are needed
//   CACHE/ID/check     of checks: contains only pages that the present check fetched
//   CACHE/ID/history   what the machine has seen of the store (SeenHistory)
class ReplicaDirectory final {
 public:
  static Result<ReplicaDirectory> Find(const PostgresStore& store, const std::string& cache) {
    static std::map<std::string, std::string> ids;
    std::error_code failed;
    const std::lock_guard<std::mutex> lock(OpeningMutex());
    ReplicaDirectory found(store);
    std::string& id = ids[store.shown + '\n' + cache];
    if (id.empty()) {
      RECALL_ASSIGN(found.servers_, PageServerGroup::Connect(store));
      RECALL_ASSIGN(id, ReadId(*found.servers_, store.shown));
    }
    std::filesystem::create_directories(cache, failed);
    if (failed) {
      return Fail(Status::IoError(cache + ": " + failed.message(),
                                  "set XDG_CACHE_HOME to a directory for pages of the store"));
    }
    found.directory_ = std::filesystem::weakly_canonical(cache, failed) / id;
    return found;
  }

  Result<std::string> ForWriting() { return Open("write", {NameOfReaders(1)}, false); }

  Result<std::string> ForChecking() {
    RECALL_ASSIGN(std::string path, Open("check", {}, false));
    static_cast<PageReplica*>(FindPageSource(path))->BeginAnew();
    return path;
  }

  // Returns the first replica that is at the newest epoch, or has no user and so can be moved
  // there. Waits a short time for readers of older epochs to end before it makes another replica.
  Result<std::string> ForReading() {
    const int64_t deadline = SteadyMicros() + kPatienceMicros;
    int next = 1;
    do {
      for (next = 1; next == 1 || Exists(NameOfReaders(next)); ++next) {
        RECALL_ASSIGN(std::string path, OpenReaders(next));
        PageSource& replica = *FindPageSource(path);
        if (!replica.IsInUse()) return path;
        RECALL_ASSIGN(const bool current, replica.IsCurrent());
        if (current) return path;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    } while (SteadyMicros() < deadline);
    return OpenReaders(std::min(next, kMostReaderReplicas));
  }

 private:
  using Names = std::vector<std::string>;
  static constexpr int64_t kPatienceMicros = 200'000;

  explicit ReplicaDirectory(const PostgresStore& store) : store_(store) {}

  static std::string NameOfReaders(int number) { return "read-" + std::to_string(number); }
  std::string PathIn(const std::string& name) const { return (directory_ / name).string(); }
  bool Exists(const std::string& name) const {
    std::error_code failed;
    return std::filesystem::exists(directory_ / name, failed);
  }

  Result<std::string> OpenReaders(int number) {
    const bool first = number == 1;
    return Open(NameOfReaders(number), first ? Names{"write"} : Names{"write", NameOfReaders(1)},
                true);
  }

  // Opens the replica, unless the process has opened it before, perhaps under another address of
  // the store. Pages are copied from `others`.
  Result<std::string> Open(const std::string& name, const Names& others, bool of_readers) {
    const std::lock_guard<std::mutex> lock(OpeningMutex());
    std::string path = ReplicaFiles::PathIn(PathIn(name));
    if (FindPageSource(path) != nullptr) return path;
    if (!servers_) {
      RECALL_ASSIGN(servers_, PageServerGroup::Connect(store_));
      RECALL_TRY(servers_->ReadId());
    }
    SeenHistory history(directory_.string());
    RECALL_TRY(servers_->CheckTimelines(history));
    Names directories;
    for (const std::string& other : others) directories.push_back(PathIn(other));
    auto replica =
        std::make_unique<PageReplica>(store_, std::move(servers_), std::move(history), of_readers);
    const Status opened = replica->Open(PathIn(name), directories);
    if (!opened.ok()) {
      replica.release();  // leaked: it may have descriptors of files that SQLite has locked
      return Fail(opened);
    }
    AddPageSource(path, std::move(replica));
    return path;
  }

  PostgresStore store_;
  std::unique_ptr<PageServerGroup> servers_;  // taken by the next replica; may be null
  std::filesystem::path directory_;
};

}  // namespace

Result<std::string> OpenPostgresReplica(const PostgresStore& store,
                                        const std::string& cache_directory, ReplicaUse use) {
  RECALL_ASSIGN(ReplicaDirectory directory, ReplicaDirectory::Find(store, cache_directory));
  if (use == ReplicaUse::kWrite) return directory.ForWriting();
  if (use == ReplicaUse::kCheck) return directory.ForChecking();
  return directory.ForReading();
}

Status CreatePostgresStore(const PostgresStore& store, const std::string& local_path) {
  RECALL_ASSIGN(const auto servers, PageServerGroup::Connect(store));
  std::ifstream file(local_path, std::ios::binary | std::ios::ate);
  const auto pages = static_cast<uint32_t>(file.tellg() / PageSource::kPageBytes);
  if (!file || pages == 0) return Status::IoError(local_path + ": cannot be read");
  std::mutex mutex;
  const auto read = [&file, &mutex](uint32_t number, std::span<uint8_t> page) {
    const std::lock_guard<std::mutex> lock(mutex);
    file.seekg(static_cast<std::streamoff>(number - 1) * PageSource::kPageBytes);
    return static_cast<bool>(
        file.read(reinterpret_cast<char*>(page.data()), static_cast<std::streamsize>(page.size())));
  };
  return servers->Create(RandomHex(16), {1, RandomEpochId(), pages}, read);
}

}  // namespace recall
