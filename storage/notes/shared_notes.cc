#include "storage/notes/shared_notes.h"

#include <algorithm>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// A row: this text and the path, and as the value three words: `text`, `pulled` and `written`, as
// hexadecimal digits with ',' between them, or "-".
constexpr std::string_view kSharedKeyBegin = "shared_note:";
constexpr std::string_view kSharedKeyAfterAll = "shared_note;";
constexpr size_t kMostWritten = 16;
constexpr size_t kWords = 3;

std::string WordOf(const std::vector<Digest>& digests) {
  std::string word;
  for (const Digest& digest : digests) word += (word.empty() ? "" : ",") + ToHex(digest);
  return word.empty() ? "-" : word;
}

std::optional<Digest> DigestOf(std::string_view digits) {
  const auto bytes = FromHex(digits);
  Digest digest{};
  if (!bytes || bytes->size() != digest.size()) return std::nullopt;
  std::ranges::copy(*bytes, digest.begin());
  return digest;
}

std::optional<std::vector<Digest>> DigestsOf(std::string_view word) {
  std::vector<Digest> digests;
  if (word == "-") return digests;
  for (bool last = false; !last;) {
    const size_t end = word.find(',');
    const auto digest = DigestOf(word.substr(0, end));
    if (!digest) return std::nullopt;
    digests.push_back(*digest);
    last = end == word.npos;
    if (!last) word.remove_prefix(end + 1);
  }
  return digests;
}

std::optional<SharedNote> ParseSharedNote(std::string_view value) {
  std::vector<Digest> lists[kWords];
  for (size_t i = 0; i < kWords; ++i) {
    const size_t end = value.find(' ');
    if ((end == value.npos) != (i + 1 == kWords)) return std::nullopt;
    auto list = DigestsOf(value.substr(0, end));
    if (!list) return std::nullopt;
    lists[i] = *std::move(list);
    value.remove_prefix(end == value.npos ? value.size() : end + 1);
  }
  SharedNote note{.pulled = std::move(lists[1]), .written = std::move(lists[2])};
  if (!lists[0].empty()) note.text = lists[0].front();
  return note;
}

}  // namespace

bool SharedNote::Knows(const Digest& version) const {
  return std::ranges::find(pulled, version) != pulled.end() ||
         std::ranges::find(written, version) != written.end();
}

void SharedNote::Write(const Digest& version) {
  if (Knows(version)) return;
  written.push_back(version);
  if (written.size() > kMostWritten) written.erase(written.begin());
}

Result<std::map<std::string, SharedNote>> ReadSharedNotes(Connection& connection) {
  RECALL_ASSIGN(
      Statement * cached,
      connection.Cached("SELECT key, value FROM meta WHERE key >= ?1 AND key < ?2 ORDER BY key"));
  const StatementScope get(cached);
  get->BindText(1, kSharedKeyBegin);
  get->BindText(2, kSharedKeyAfterAll);
  std::map<std::string, SharedNote> notes;
  for (;;) {
    RECALL_ASSIGN(const bool row, get->Step());
    if (!row) return notes;
    std::optional<SharedNote> note = ParseSharedNote(get->ColumnText(1));
    if (!note) continue;
    notes.emplace(get->ColumnText(0).substr(kSharedKeyBegin.size()), *std::move(note));
  }
}

Status WriteSharedNote(Connection& connection, std::string_view path, const SharedNote& note) {
  RECALL_ASSIGN(Statement * put,
                connection.Cached("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)"));
  // Binding does not copy.
  const std::string key = std::string(kSharedKeyBegin) + std::string(path);
  const std::string text = note.text ? ToHex(*note.text) : "-";
  const std::string value = text + " " + WordOf(note.pulled) + " " + WordOf(note.written);
  put->BindText(1, key);
  put->BindText(2, value);
  return put->Run();
}

}  // namespace recall
