#include "storage/postgres/page_replica.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/base/random.h"
#include "storage/postgres/page_server_group.h"
#include "storage/replica/page_fetcher.h"
#include "storage/replica/page_source.h"
#include "storage/replica/replica_files.h"

namespace recall {
namespace {

// A command that reads one commit for longer than this fails.
constexpr int64_t kKeptSeconds = 600;
constexpr int64_t kEpochsBetweenDeletions = 64;

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

// A replica whose pages come from a PageServerGroup. One connection to each server asks for epochs
// and writes; those of the server's fetcher read pages.
class PageReplica final : public PageSource {
 public:
  PageReplica(PostgresStore store, std::unique_ptr<PageServerGroup> servers)
      : store_(std::move(store)), servers_(std::move(servers)) {
    for (const PostgresAddress& address : store_.servers) {
      fetchers_.push_back(
          std::make_unique<PageFetcher>([this, &address] { return Connect(address); }));
    }
  }

  Status Open(const std::string& directory) { return files_.Open(directory); }
  const std::string& name() const override { return store_.shown; }

  bool IsPresent(uint32_t number) const override {
    return files_.IsPresent(number) || (writing_ && written_.contains(number));
  }

  // A page that the store does not have is a mistake of the reader, which then finds no bytes.
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
    RECALL_TRY(AskForNewest());
    return newest_ == files_.epoch();
  }

  // If the server lost the replica's commit, what changed since is unknown.
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
      RECALL_TRY(Note(files_.Resize(0)));
    }
    RECALL_TRY(Note(files_.Resize(newest_.pages)));
    files_.SetEpoch(newest_);
    return Status::Ok();
  }

  bool IsTooLarge() const override {
    const uint64_t most = store_.servers[0].cache_bytes;
    return most != 0 && files_.AllocatedBytes() > most;
  }
  void Evict() override { files_.DropHalf(); }

  bool IsOurTurn() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Result<bool> turn = Ask([this] { return servers_->IsOurTurn(); });
    queued_ = turn.has_value();
    return !turn || *turn;
  }

  void LeaveQueue() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    queued_ = false;
    GiveBack();
  }

  Result<bool> TryBeginWrite() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!servers_->has_right()) {
      const auto locked = servers_->TryLock();
      if (!locked) return Fail(Note(locked.error()));
      if (!*locked) return false;
    }
    written_.clear();
    const auto newest = servers_->Newest();  // by the connection that has the right to write
    writing_ = newest && *newest == files_.epoch();
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

  // Also a transaction that is rolled back leaves pages behind that no journal restores, such as
  // those at the end of the file. They stay absent.
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

  Status Publish() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    published_ = {files_.epoch().number + 1, RandomEpochId(), files_.FilePages()};
    const std::vector<uint32_t> numbers(written_.begin(), written_.upper_bound(published_.pages));
    const auto read = [this](uint32_t number, std::span<uint8_t> page) {
      return files_.ReadPage(number, page);
    };
    return Note(servers_->Publish(published_, numbers, read));
  }

  void AcceptPublished() override {
    for (const uint32_t number : written_) files_.SetPresent(number, true);
    files_.SetEpoch(published_);
  }

  Status TakeError() override {
    const std::lock_guard<std::mutex> lock(error_mutex_);
    return std::exchange(error_, Status::Ok());
  }

 private:
  // Returns ask(). A server that was started again, or a standby that took over, is found here.
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
    const auto newest = Ask([this] { return servers_->Newest(); });
    if (!newest) return Note(newest.error());
    newest_ = *newest;
    return Status::Ok();
  }

  void GiveBack() {
    servers_->Unlock().IgnoreError();  // a broken connection has given the right back
    // After the right was given back, so that other machines need not wait for it. What is left
    // after a failure is deleted the next time.
    const bool committed = std::exchange(published_, {}) == files_.epoch();
    if (committed && files_.epoch().number % kEpochsBetweenDeletions == 0) {
      servers_->DeleteSuperseded(kKeptSeconds).IgnoreError();
    }
  }

  Status ConnectAgain() {
    RECALL_ASSIGN(servers_, PageServerGroup::Connect(store_));
    return Status::Ok();
  }

  // Remembers an error for TakeError.
  Status Note(const Status& status) {
    if (!status.ok()) {
      const std::lock_guard<std::mutex> lock(error_mutex_);
      error_ = status;
    }
    return status;
  }

  // A function that fetches groups of pages. It connects to the server with the first group, and
  // again if the connection was lost.
  PageFetcher::FetchGroup Connect(const PostgresAddress& address) {
    const auto server = std::make_shared<std::unique_ptr<PageServer>>();
    return [this, &address, server](const std::vector<uint32_t>& numbers) -> Status {
      const bool kept = *server != nullptr;
      if (!kept) {
        RECALL_ASSIGN(*server, PageServer::Connect(address));
      }
      Status fetched = Fetch(**server, numbers);
      if (kept && (*server)->worth_reconnecting()) {
        RECALL_ASSIGN(*server, PageServer::Connect(address));
        fetched = Fetch(**server, numbers);
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
  ReplicaFiles files_;
  std::atomic<int> uses_ = 0;
  std::atomic<bool> writing_ = false;
  std::set<uint32_t> written_;  // changed only by the holder of an EXCLUSIVE lock

  std::mutex mutex_;  // of the following
  std::unique_ptr<PageServerGroup> servers_;
  PageEpoch newest_;
  PageEpoch published_;
  bool queued_ = false;  // from IsOurTurn to LeaveQueue

  std::mutex error_mutex_;
  Status error_;

  std::vector<std::unique_ptr<PageFetcher>> fetchers_;  // the last: their threads end first
};

}  // namespace

Result<std::string> OpenPostgresReplica(const PostgresStore& store,
                                        const std::string& cache_directory) {
  static std::mutex mutex;
  static std::map<std::string, std::string> opened;
  const std::lock_guard<std::mutex> lock(mutex);
  const std::string key = store.shown + '\n' + cache_directory;
  if (const auto found = opened.find(key); found != opened.end()) return found->second;
  RECALL_ASSIGN(auto servers, PageServerGroup::Connect(store));
  RECALL_ASSIGN(const std::string id, servers->ReadId());
  if (!IsFileName(id)) {
    return Fail(Status::Corruption(store.shown + ": the identity of the store is damaged",
                                   "restore the server's database from a backup"));
  }
  std::error_code failed;
  std::filesystem::create_directories(cache_directory, failed);
  if (failed) {
    return Fail(Status::IoError(cache_directory + ": " + failed.message(),
                                "set XDG_CACHE_HOME to a directory for pages of the store"));
  }
  const auto directory = std::filesystem::weakly_canonical(cache_directory, failed) / id;
  const std::string path = ReplicaFiles::PathIn(directory.string());
  // By another address, perhaps. To close a second descriptor of the file would end SQLite's locks.
  if (FindPageSource(path) == nullptr) {
    auto replica = std::make_unique<PageReplica>(store, std::move(servers));
    RECALL_TRY(replica->Open(directory.string()));
    AddPageSource(path, std::move(replica));
  }
  opened[key] = path;
  return path;
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
