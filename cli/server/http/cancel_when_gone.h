#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "cli/server/http/http_types.h"

namespace recall {

// Calls `cancel`, on another thread, if the client goes away or the time of its request passes
// while this object exists.
class CancelWhenGone final {
 public:
  CancelWhenGone(HttpReply& reply, std::function<void()> cancel)
      : link_(std::make_shared<Link>(std::move(cancel))) {
    reply.WhenClientGoes([link = link_] {
      const std::lock_guard lock(link->mutex);
      if (link->cancel) link->cancel();
    });
  }
  ~CancelWhenGone() {
    const std::lock_guard lock(link_->mutex);
    link_->cancel = nullptr;
  }
  CancelWhenGone(const CancelWhenGone&) = delete;
  CancelWhenGone& operator=(const CancelWhenGone&) = delete;

 private:
  struct Link {
    explicit Link(std::function<void()> action) : cancel(std::move(action)) {}
    std::mutex mutex;
    std::function<void()> cancel;
  };
  const std::shared_ptr<Link> link_;
};

}  // namespace recall
