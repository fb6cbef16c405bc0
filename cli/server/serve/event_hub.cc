#include "cli/server/serve/event_hub.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

std::vector<std::string> LinesOf(std::string_view event, const Json& data) {
  return {"event: " + std::string(event), "data: " + PrintJson(data)};
}

// Its id is the commit, so that a client that comes back says which one it has seen.
std::vector<std::string> LinesOf(const EventHub::Commits::value_type& commit) {
  std::vector<std::string> lines =
      LinesOf("commit", {{"snapshot", commit.second}, {"store", commit.first}});
  lines.push_back("id: " + commit.second);
  return lines;
}

}  // namespace

void EventHub::Add(std::shared_ptr<HttpReply> client, std::string last_id) {
  client->BeginEvents();
  const std::lock_guard lock(mutex_);
  if (stopped_) return client->EndEvents();
  clients_.push_back({std::move(client), std::move(last_id)});
  changed_.notify_all();
}

void EventHub::Publish(std::string_view event, const Json& data) {
  const std::lock_guard lock(mutex_);
  if (clients_.empty()) return;
  const std::vector<std::string> lines = LinesOf(event, data);
  for (const Client& client : clients_) client.reply->Event(lines);
}

bool EventHub::has_clients() const {
  const std::lock_guard lock(mutex_);
  return !clients_.empty();
}

void EventHub::PublishCommits(const Commits& commits, size_t stores) {
  const std::lock_guard lock(mutex_);
  const bool one_store = stores == 1 && commits.size() == 1;
  for (Client& client : clients_) {
    const bool is_new = std::exchange(client.is_new, false);
    const bool missed = is_new && !client.last_id.empty() &&
                        !(one_store && commits.begin()->second == client.last_id);
    if (missed) client.reply->Event(LinesOf("lost", Json::object()));
    for (const auto& commit : commits) {
      const auto known = commits_.find(commit.first);
      if (is_new || known == commits_.end() || known->second != commit.second) {
        client.reply->Event(LinesOf(commit));
      }
    }
  }
  commits_ = commits;
}

void EventHub::KeepAlive() {
  const std::lock_guard lock(mutex_);
  std::erase_if(clients_, [](const Client& client) { return client.reply->client_is_gone(); });
  for (const Client& client : clients_) client.reply->Event({":"});
}

void EventHub::Stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (const Client& client : clients_) client.reply->EndEvents();
  clients_.clear();
  changed_.notify_all();
}

bool EventHub::WaitForClient() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || !clients_.empty(); });
  return !stopped_;
}

bool EventHub::Pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  const auto news = [&] { return stopped_ || std::ranges::any_of(clients_, &Client::is_new); };
  changed_.wait_for(lock, time, news);
  return !stopped_;
}

}  // namespace recall
