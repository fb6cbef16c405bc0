#include "storage/history/snapshot_token.h"

#include <charconv>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr size_t kUuidDigits = 8;

}  // namespace

std::string MakeSnapshotToken(std::string_view uuid, int64_t sequence) {
  return std::string(uuid.substr(0, kUuidDigits)) + "-" + std::to_string(sequence);
}

std::optional<int64_t> ParseSnapshotToken(std::string_view uuid, std::string_view token) {
  const std::string_view store = uuid.substr(0, kUuidDigits);
  if (!token.starts_with(store) || !token.substr(store.size()).starts_with('-')) return {};
  const std::string_view digits = token.substr(store.size() + 1);
  int64_t sequence = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), sequence);
  // A commit has exactly one token: no sign, no leading zeros.
  if (error != std::errc() || MakeSnapshotToken(uuid, sequence) != token || sequence < 0) return {};
  return sequence;
}

Result<std::string> PresentToken(Connection& connection) {
  const auto uuid = connection.QueryText("SELECT value FROM meta WHERE key = 'uuid'");
  const auto commit = connection.QueryInt("SELECT value FROM meta WHERE key = 'commit_sequence'");
  const auto lacks_memory = [](const auto& result) {
    return !result && result.error().code() == StatusCode::kNotEnoughMemory;
  };
  if (lacks_memory(uuid)) return Fail(uuid.error());
  if (lacks_memory(commit)) return Fail(commit.error());
  return uuid && commit ? MakeSnapshotToken(*uuid, *commit) : "";
}

}  // namespace recall
