#pragma once

// Answers that were given recently, so that a question that is asked again costs no search. The key
// of an answer has the commit in it, so the commit of any process makes it unreachable. An answer
// that was compared with files is found as long as these are what they were.

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/database/database.h"

namespace recall {

struct AnswerCacheLimits {
  size_t most_answers = 100;  // the least recently used one is dropped
  size_t most_bytes_of_answer = size_t{1} << 20;
  int64_t lifetime_micros = 30'000'000;  // an answer may depend on the time of day
};

// Thread-safe.
class AnswerCache final {
 public:
  using Answer = std::shared_ptr<const std::string>;

  explicit AnswerCache(AnswerCacheLimits limits = {}) : limits_(limits) {}

  // Returns: the answer with this key; null if there is none, or if files that it was compared with
  // have changed since. `now`: as of SteadyMicros.
  Answer Find(const std::string& key, int64_t now);
  // Whether there is an answer, whatever became of its files. Does not count as a use.
  bool Contains(const std::string& key, int64_t now) const;
  // Keeps an answer, unless it is too large.
  void Insert(const std::string& key, std::string answer, int64_t now,
              std::vector<CheckedFile> files = {});
  // How often Find has found an answer, and how often not.
  struct Uses {
    uint64_t hits = 0;
    uint64_t misses = 0;
  };
  Uses uses() const;

 private:
  struct Entry {
    std::string key;
    Answer answer;
    int64_t expires = 0;
    std::shared_ptr<const std::vector<CheckedFile>> files;
  };
  using Entries = std::list<Entry>;  // the most recently used one first

  const AnswerCacheLimits limits_;
  mutable std::mutex mutex_;  // guards the following
  Entries entries_;
  std::unordered_map<std::string, Entries::iterator> places_;
  Uses uses_;
};

}  // namespace recall
