#include "storage/history/snapshot_token.h"

#include <charconv>
#include <cstdio>

#include "storage/base/split_mix.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr size_t kUuidDigits = 8;

}  // namespace

uint16_t CommitMark(UnixNanos committed_at) {
  return static_cast<uint16_t>(SplitMix64(static_cast<uint64_t>(committed_at)).Next() >> 48);
}

std::string MakeSnapshotToken(std::string_view uuid, const CommitName& name) {
  std::string token =
      std::string(uuid.substr(0, kUuidDigits)) + "-" + std::to_string(name.sequence);
  if (!name.mark) return token;
  char digits[8];
  std::snprintf(digits, sizeof(digits), "-%04x", *name.mark);
  return token + digits;
}

std::optional<CommitName> ParseSnapshotToken(std::string_view uuid, std::string_view token) {
  const std::string_view store = uuid.substr(0, kUuidDigits);
  if (!token.starts_with(store) || !token.substr(store.size()).starts_with('-')) return {};
  const char* const last = token.data() + token.size();
  CommitName name;
  auto [end, error] = std::from_chars(token.data() + store.size() + 1, last, name.sequence);
  if (error != std::errc() || name.sequence < 0) return {};
  if (end != last && *end == '-') {
    uint16_t mark = 0;
    error = std::from_chars(end + 1, last, mark, 16).ec;
    if (error != std::errc()) return {};
    name.mark = mark;
  }
  // A name has exactly one token: no sign, no leading zeros.
  if (MakeSnapshotToken(uuid, name) != token) return {};
  return name;
}

bool NamesSameCommit(std::string_view token, std::string_view other) {
  const std::string_view store = token.substr(0, kUuidDigits);
  const auto name = ParseSnapshotToken(store, token);
  const auto second = ParseSnapshotToken(store, other);
  if (!name || !second) return token == other;
  return name->sequence == second->sequence &&
         (!name->mark || !second->mark || *name->mark == *second->mark);
}

Result<std::string> PresentToken(Connection& connection) {
  const auto uuid = connection.QueryText("SELECT value FROM meta WHERE key = 'uuid'");
  const auto commit = connection.QueryInt("SELECT value FROM meta WHERE key = 'commit_sequence'");
  const auto lacks_memory = [](const auto& result) {
    return !result && result.error().code() == StatusCode::kNotEnoughMemory;
  };
  if (lacks_memory(uuid)) return Fail(uuid.error());
  if (lacks_memory(commit)) return Fail(commit.error());
  return uuid && commit ? MakeSnapshotToken(*uuid, CommitName{*commit}) : "";
}

}  // namespace recall
