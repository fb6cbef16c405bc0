#include "cli/run/execution/answer_cache.h"

#include <utility>

namespace recall {

AnswerCache::Answer AnswerCache::Find(const std::string& key, int64_t now) {
  Answer answer;
  std::shared_ptr<const std::vector<CheckedFile>> files;
  {
    const std::lock_guard lock(mutex_);
    const auto place = places_.find(key);
    if (place != places_.end() && place->second->expires > now) {
      entries_.splice(entries_.begin(), entries_, place->second);
      answer = place->second->answer;
      files = place->second->files;
    }
  }
  if (answer && !AreAsChecked(*files)) answer = nullptr;
  const std::lock_guard lock(mutex_);
  ++(answer ? uses_.hits : uses_.misses);
  return answer;
}

AnswerCache::Uses AnswerCache::uses() const {
  const std::lock_guard lock(mutex_);
  return uses_;
}

bool AnswerCache::Contains(const std::string& key, int64_t now) const {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(key);
  return place != places_.end() && place->second->expires > now;
}

void AnswerCache::Insert(const std::string& key, std::string answer, int64_t now,
                         std::vector<CheckedFile> files) {
  if (answer.size() > limits_.most_bytes_of_answer || limits_.most_answers == 0) return;
  const std::lock_guard lock(mutex_);
  if (const auto place = places_.find(key); place != places_.end()) {
    entries_.erase(place->second);
    places_.erase(place);
  }
  if (entries_.size() == limits_.most_answers) {
    places_.erase(entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({key, std::make_shared<const std::string>(std::move(answer)),
                       now + limits_.lifetime_micros,
                       std::make_shared<const std::vector<CheckedFile>>(std::move(files))});
  places_.emplace(key, entries_.begin());
}

}  // namespace recall
