#include "tests/fault/power_loss.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace recall {
namespace {

constexpr int64_t kSector = 512;

bool Exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

std::string ReadFile(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

std::string ReadPart(const std::string& path, int64_t offset, int64_t size) {
  std::string bytes(static_cast<size_t>(size), '\0');
  std::ifstream file(path, std::ios::binary);
  file.seekg(offset);
  file.read(bytes.data(), size);
  bytes.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

int64_t SizeOf(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : static_cast<int64_t>(size);
}

std::string DirectoryOf(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

void Put(std::string& content, int64_t offset, const char* bytes, int64_t size) {
  const auto end = static_cast<size_t>(offset + size);
  if (content.size() < end) content.resize(end);
  std::copy_n(bytes, size, content.begin() + offset);
}

}  // namespace

UnsyncedChanges::Name& UnsyncedChanges::NameOf(const std::string& path) {
  const auto found = names_.find(path);
  if (found != names_.end()) return found->second;
  Name& name = names_[path];
  if (Exists(path)) name.current = name.durable = std::make_shared<Inode>();
  return name;
}

void UnsyncedChanges::WillWrite(const std::string& path, int64_t offset, const void* bytes,
                                int64_t size) {
  Name& name = NameOf(path);
  if (!name.current) return;
  Change change;
  change.offset = offset;
  change.old_size = SizeOf(path);
  change.old_bytes = ReadPart(path, offset, size);
  change.new_bytes.assign(static_cast<const char*>(bytes), static_cast<size_t>(size));
  name.current->changes.push_back(std::move(change));
}

void UnsyncedChanges::WillTruncate(const std::string& path, int64_t size) {
  Name& name = NameOf(path);
  if (!name.current) return;
  Change change;
  change.truncate = true;
  change.offset = size;
  change.old_size = SizeOf(path);
  change.old_bytes = ReadPart(path, size, std::max<int64_t>(change.old_size - size, 0));
  name.current->changes.push_back(std::move(change));
}

void UnsyncedChanges::WillCreate(const std::string& path) {
  Name& name = NameOf(path);
  if (!name.current) name.current = std::make_shared<Inode>();
}

void UnsyncedChanges::WillDelete(const std::string& path) {
  Name& name = NameOf(path);
  if (name.current) name.current->content = ReadFile(path);
  name.current = nullptr;
}

void UnsyncedChanges::WillLink(const std::string& from, const std::string& to) {
  NameOf(from);
  Name& name = NameOf(to);
  if (name.current) name.current->content = ReadFile(to);
}

void UnsyncedChanges::DidLink(const std::string& from, const std::string& to, bool keeps_old) {
  names_[to].current = names_[from].current;
  if (!keeps_old) names_[from].current = nullptr;
}

void UnsyncedChanges::Synced(const std::string& path) {
  Name& name = NameOf(path);
  if (name.current) name.current->changes.clear();
}

void UnsyncedChanges::SyncedDirectoryOf(const std::string& path) {
  for (auto& [other, name] : names_) {
    if (DirectoryOf(other) == DirectoryOf(path)) name.durable = name.current;
  }
}

// Undoes the unsynced changes of the content that programs see, then applies those that survive.
std::string UnsyncedChanges::OnDisk(const Inode& inode, std::string content, Survivors survivors,
                                    std::mt19937_64& random) {
  if (survivors == Survivors::kAll) return content;
  for (auto change = inode.changes.rbegin(); change != inode.changes.rend(); ++change) {
    content.resize(static_cast<size_t>(change->old_size));
    Put(content, change->offset, change->old_bytes.data(),
        static_cast<int64_t>(change->old_bytes.size()));
    content.resize(static_cast<size_t>(change->old_size));
  }
  if (survivors == Survivors::kNone) return content;
  for (const Change& change : inode.changes) {
    const uint64_t luck = random() % 5;  // lost, complete or partial
    if (luck == 0) continue;
    if (change.truncate) {
      content.resize(static_cast<size_t>(change.offset));
      continue;
    }
    const auto end = change.offset + static_cast<int64_t>(change.new_bytes.size());
    for (int64_t at = change.offset; at < end;) {
      const int64_t next = std::min(end, (at / kSector + 1) * kSector);
      if (luck < 3 || random() % 2 == 0) {
        Put(content, at, change.new_bytes.data() + (at - change.offset), next - at);
      }
      at = next;
    }
  }
  return content;
}

void UnsyncedChanges::Cut(Survivors survivors, uint64_t seed) {
  for (auto& [path, name] : names_) {
    if (name.current) name.current->content = ReadFile(path);
  }
  for (const auto& [path, name] : names_) ::unlink(path.c_str());
  std::map<const Inode*, std::string> written;
  std::mt19937_64 random(seed);
  for (auto& [path, name] : names_) {
    const bool keeps_current =
        survivors == Survivors::kAll || (survivors == Survivors::kSome && random() % 2 == 0);
    const std::shared_ptr<Inode>& inode = keeps_current ? name.current : name.durable;
    if (!inode) continue;
    const auto [first, fresh] = written.emplace(inode.get(), path);
    if (!fresh) {  // a further name of the same file
      std::filesystem::create_hard_link(first->second, path);
      continue;
    }
    std::ofstream(path, std::ios::binary) << OnDisk(*inode, inode->content, survivors, random);
  }
}

}  // namespace recall
