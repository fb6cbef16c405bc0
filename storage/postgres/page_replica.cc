#include "storage/postgres/page_replica.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "storage/postgres/page_server.h"
#include "storage/replica/page_fetcher.h"
#include "storage/replica/page_source.h"
#include "storage/replica/replica_files.h"

namespace recall {
namespace {

// A command that reads one commit for longer than this fails.
constexpr int64_t kKeptSeconds = 600;
constexpr int64_t kEpochsBetweenDeletions = 64;

// A replica whose pages come from a PageServer. One connection asks for epochs and writes; those of
// the fetcher read pages.
class PageReplica final : public PageSource {
 public:
  PageReplica(PostgresAddress address, std::unique_ptr<PageServer> server)
      : address_(std::move(address)),
        server_(std::move(server)),
        fetcher_([this] { return Connect(); }) {}

  Status Open(const std::string& directory) { return files_.Open(directory); }
  const std::string& path() const { return files_.path(); }
  const std::string& name() const override { return address_.shown; }

  bool IsPresent(uint32_t number) const override {
    return files_.IsPresent(number) || (writing_ && written_.contains(number));
  }

  // A page that the store does not have is a mistake of the reader, which then finds no bytes.
  bool Ensure(uint32_t number) override {
    if (IsPresent(number) || number == 0 || number > files_.pages()) return true;
    const Status awaited = fetcher_.Await(number);
    if (IsPresent(number)) return true;
    Note(awaited).IgnoreError();
    return false;
  }

  void Prefetch(uint32_t first, uint32_t count) override {
    if (uses_ == 0) return;
    std::vector<uint32_t> absent;
    for (uint32_t number = first; number - first < count && number <= files_.pages(); ++number) {
      if (!IsPresent(number)) absent.push_back(number);
    }
    if (!absent.empty()) fetcher_.Request(absent);
  }

  void BeginUse() override { ++uses_; }
  void EndUse() override {
    if (--uses_ == 0) fetcher_.Drain();
  }

  Result<bool> IsCurrent() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    RECALL_TRY(AskForNewest());
    return newest_.number == files_.epoch();
  }

  Status Advance() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (files_.epoch() != 0) {
      const auto changed = server_->ChangedPages(files_.epoch(), newest_.number);
      if (!changed) return Note(changed.error());
      for (const uint32_t number : *changed) files_.SetPresent(number, false);
    }
    RECALL_TRY(Note(files_.Resize(newest_.pages)));
    files_.SetEpoch(newest_.number, newest_.pages);
    return Status::Ok();
  }

  Result<bool> TryBeginWrite() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto locked = server_->TryLock();
    if (!locked) return Fail(Note(locked.error()));
    if (!*locked) return false;
    written_.clear();
    const Status asked = AskForNewest();
    writing_ = asked.ok() && newest_.number == files_.epoch();
    if (!writing_) Note(server_->Unlock()).IgnoreError();
    RECALL_TRY(asked);
    return writing_.load();
  }

  void EndWrite() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    writing_ = false;
    written_.clear();
    Note(server_->Unlock()).IgnoreError();  // a broken connection has given the right back
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
    for (uint32_t number = pages + 1; number <= files_.pages(); ++number) {
      files_.SetPresent(number, false);
    }
    written_.erase(written_.upper_bound(pages), written_.end());
  }

  Status Publish() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    published_ = {files_.epoch() + 1, files_.FilePages()};
    const auto read = [this](uint32_t number, std::span<uint8_t> page) {
      return files_.ReadPage(number, page);
    };
    RECALL_TRY(Note(server_->Publish(published_, written_, read)));
    if (published_.number % kEpochsBetweenDeletions == 0) {
      // Published is published: the next writer deletes what is left.
      server_->DeleteSuperseded(kKeptSeconds).IgnoreError();
    }
    return Status::Ok();
  }

  void AcceptPublished() override {
    for (const uint32_t number : written_) files_.SetPresent(number, true);
    files_.SetEpoch(published_.number, published_.pages);
  }

  Status TakeError() override {
    const std::lock_guard<std::mutex> lock(error_mutex_);
    return std::exchange(error_, Status::Ok());
  }

 private:
  // A server that was started again, or a standby that took over, is found here.
  Status AskForNewest() {
    if (server_->broken()) {
      auto connected = PageServer::Connect(address_);
      if (!connected) return Note(connected.error());
      server_ = std::move(connected).value();
    }
    const auto newest = server_->Newest();
    if (!newest) return Note(newest.error());
    newest_ = *newest;
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

  // Connects with the first group, and again after a failure.
  PageFetcher::FetchGroup Connect() {
    const auto server = std::make_shared<std::unique_ptr<PageServer>>();
    return [this, server](const std::vector<uint32_t>& numbers) -> Status {
      if (*server == nullptr) {
        RECALL_ASSIGN(*server, PageServer::Connect(address_));
      }
      const auto store = [this](uint32_t number, std::span<const uint8_t> page) {
        if (!files_.WritePage(number, page)) {
          return Status::IoError(path() + ": a page cannot be written",
                                 "check the free space of the cache directory");
        }
        files_.SetPresent(number, true);
        return Status::Ok();
      };
      const Status fetched = (*server)->Fetch(files_.epoch(), numbers, store);
      if (!fetched.ok()) *server = nullptr;
      return fetched;
    };
  }

  const PostgresAddress address_;
  ReplicaFiles files_;
  std::atomic<int> uses_ = 0;
  std::atomic<bool> writing_ = false;
  std::set<uint32_t> written_;  // changed only by the holder of an EXCLUSIVE lock

  std::mutex mutex_;  // of the following
  std::unique_ptr<PageServer> server_;
  PageServer::Epoch newest_;
  PageServer::Epoch published_;

  std::mutex error_mutex_;
  Status error_;

  PageFetcher fetcher_;  // the last: its threads end first
};

}  // namespace

Result<std::string> OpenPostgresReplica(const PostgresAddress& address,
                                        const std::string& cache_directory) {
  static std::mutex mutex;
  static std::map<std::string, std::string> opened;
  const std::lock_guard<std::mutex> lock(mutex);
  const std::string key = address.conninfo + '\n' + address.store + '\n' + cache_directory;
  if (const auto found = opened.find(key); found != opened.end()) return found->second;
  RECALL_ASSIGN(auto server, PageServer::Connect(address));
  RECALL_ASSIGN(const std::string uuid, server->ReadUuid());
  auto replica = std::make_unique<PageReplica>(address, std::move(server));
  std::error_code failed;
  std::filesystem::create_directories(cache_directory, failed);
  const auto directory = std::filesystem::weakly_canonical(cache_directory, failed) / uuid;
  RECALL_TRY(replica->Open(directory.string()));
  const std::string path = replica->path();
  AddPageSource(path, std::move(replica));
  opened[key] = path;
  return path;
}

Status CreatePostgresStore(const PostgresAddress& address, const std::string& local_path,
                           const std::string& uuid) {
  RECALL_ASSIGN(const auto server, PageServer::Connect(address));
  std::ifstream file(local_path, std::ios::binary | std::ios::ate);
  const auto pages = static_cast<uint32_t>(file.tellg() / PageSource::kPageBytes);
  if (!file || pages == 0) return Status::IoError(local_path + ": cannot be read");
  const auto read = [&file](uint32_t number, std::span<uint8_t> page) {
    file.seekg(static_cast<std::streamoff>(number - 1) * PageSource::kPageBytes);
    return static_cast<bool>(
        file.read(reinterpret_cast<char*>(page.data()), static_cast<std::streamsize>(page.size())));
  };
  return server->Create(uuid, pages, read);
}

}  // namespace recall
