// The problem: the tokens of a text are not the sum of those of its lines, and a budget must hold
// to the token.
//
// The idea: a map of n entries is written and counted as a whole. n is doubled until the text has
// too many tokens, then found by binary search; a few of the next entries are tried one by one,
// because a long signature may have been the last.
//
// Invariants: the text that is returned was counted. Nothing but the entries and the budget decides
// what is in it.
//
// Cost: log2(n) texts of at most twice the budget, and kMostFurtherTries texts.

#include "query/ask/map/map_packer.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

namespace recall {
namespace {

constexpr size_t kTokensOfEntry = 32;
constexpr size_t kMostFurtherTries = 16;

class MapPacker final {
 public:
  MapPacker(size_t count, const std::function<Result<MapEntry>(size_t rank)>& read,
            const std::function<std::string(uint32_t document)>& path, TokenCounter& counter,
            int64_t budget)
      : count_(count), read_(read), path_(path), counter_(counter), budget_(budget) {}

  Result<PackedMap> Pack() {
    size_t fits = 0;
    size_t too_many = count_ + 1;
    size_t wanted = static_cast<size_t>(budget_) / kTokensOfEntry + 1;
    while (fits < count_ && too_many > count_) {
      wanted = std::min(wanted, count_);
      RECALL_ASSIGN(const bool is_kept, TryFirst(wanted));
      (is_kept ? fits : too_many) = wanted;
      wanted *= 2;
    }
    while (too_many - fits > 1) {
      const size_t middle = fits + (too_many - fits) / 2;
      RECALL_ASSIGN(const bool is_kept, TryFirst(middle));
      (is_kept ? fits : too_many) = middle;
    }
    const size_t end = std::min(count_, fits + 1 + kMostFurtherTries);
    for (size_t rank = fits + 1; rank < end; ++rank) {
      std::vector<size_t> ranks = best_.ranks;
      ranks.push_back(rank);
      RECALL_TRY(Try(std::move(ranks)));
    }
    return std::move(best_);
  }

 private:
  Result<bool> TryFirst(size_t count) {
    std::vector<size_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), size_t{0});
    return Try(std::move(ranks));
  }

  // Keeps the map of these entries if it fits.
  Result<bool> Try(std::vector<size_t> ranks) {
    while (entries_.size() <= ranks.back()) {
      RECALL_ASSIGN(MapEntry entry, read_(entries_.size()));
      entries_.push_back(std::move(entry));
    }
    PackedMap tried;
    tried.text = Write(ranks);
    tried.used_tokens = counter_.Count(tried.text);
    if (tried.used_tokens > budget_) return false;
    tried.ranks = std::move(ranks);
    best_ = std::move(tried);
    return true;
  }

  std::string Write(const std::vector<size_t>& ranks) const {
    std::vector<uint32_t> documents;  // the document of the best entry first
    std::map<uint32_t, std::map<uint32_t, std::string_view>> lines;
    for (const size_t rank : ranks) {
      const MapEntry& entry = entries_[rank];
      auto& of_document = lines[entry.document];
      if (of_document.empty()) documents.push_back(entry.document);
      for (const SignatureLine& line : entry.lines) of_document.emplace(line.number, line.text);
    }
    std::string text;
    for (const uint32_t document : documents) {
      text += (text.empty() ? "" : "\n") + path_(document) + "\n";
      const size_t digits = std::to_string(lines[document].rbegin()->first).size();
      for (const auto& [number, line] : lines[document]) {
        const std::string shown = std::to_string(number);
        text += std::string(digits - shown.size(), ' ') + shown + ": " + std::string(line) + "\n";
      }
    }
    return text;
  }

  const size_t count_;
  const std::function<Result<MapEntry>(size_t rank)>& read_;
  const std::function<std::string(uint32_t document)>& path_;
  TokenCounter& counter_;
  const int64_t budget_;
  std::vector<MapEntry> entries_;  // by rank
  PackedMap best_;
};

}  // namespace

Result<PackedMap> PackMap(size_t count, const std::function<Result<MapEntry>(size_t rank)>& read,
                          const std::function<std::string(uint32_t document)>& path,
                          TokenCounter& counter, int64_t budget) {
  return MapPacker(count, read, path, counter, budget).Pack();
}

}  // namespace recall
