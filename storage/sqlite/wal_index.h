#pragma once

#include <cstdint>
#include <optional>

namespace recall {

class Connection;

struct WalState {
  uint32_t frames = 0;  // pages that the last commit left in the WAL
  uint32_t copied = 0;  // how many of them the main file contains
  bool all_copied() const { return copied >= frames; }
};

// Reads the present state of the WAL from its index, in memory shared by all connections
// (https://sqlite.org/walformat.html, section 2). Returns nothing if the connection has no WAL, if
// the index is being changed, or if the format must not be relied on (SqliteFeatures).
std::optional<WalState> ReadWalState(Connection& connection);

}  // namespace recall
