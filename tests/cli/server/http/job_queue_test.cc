#include "cli/server/http/job_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace recall {
namespace {

using Pushed = HttpJobQueue::Pushed;

class SilentReply final : public HttpReply {
 public:
  void Send(HttpResponse) override {}
  void BeginEvents() override {}
  void Event(const std::vector<std::string>&) override {}
  void EndEvents() override {}
  bool client_is_gone() const override { return false; }
  void WhenClientGoes(std::function<void()>) override {}
};

HttpJob JobOf(HttpClientId client, const std::string& path) {
  HttpJob job;
  job.request.head.path = path;
  job.reply = std::make_shared<SilentReply>();
  job.client = client;
  return job;
}

TEST(HttpJobQueue, LeavesRoomForOtherClients) {
  HttpJobQueue queue(4, 2, 4);
  EXPECT_EQ(queue.Push(JobOf(1, "a")), Pushed::kYes);
  EXPECT_EQ(queue.Push(JobOf(1, "b")), Pushed::kYes);
  EXPECT_EQ(queue.Push(JobOf(1, "c")), Pushed::kClientFull);
  EXPECT_EQ(queue.Push(JobOf(2, "d")), Pushed::kYes);
  EXPECT_EQ(queue.Push(JobOf(3, "e")), Pushed::kYes);
  EXPECT_EQ(queue.Push(JobOf(4, "f")), Pushed::kFull);
  // The first one to come is the first one to go, and makes room for another of its client.
  EXPECT_EQ(queue.Pop()->request.head.path, "a");
  EXPECT_EQ(queue.Push(JobOf(1, "g")), Pushed::kYes);
  for (const std::string path : {"b", "d", "e", "g"}) {
    EXPECT_EQ(queue.Pop()->request.head.path, path);
  }
}

TEST(HttpJobQueue, ADroppedJobLeavesItsPlace) {
  HttpJobQueue queue(1, 1, 4);
  const HttpJob job = JobOf(1, "a");
  EXPECT_EQ(queue.Push(job), Pushed::kYes);
  queue.Drop(job.reply.get());
  queue.Drop(job.reply.get());
  EXPECT_EQ(queue.Push(JobOf(1, "b")), Pushed::kYes);
  EXPECT_EQ(queue.Pop()->request.head.path, "b");
  queue.End();
  EXPECT_FALSE(queue.Pop());
}

TEST(HttpJobQueue, ASilentServerHasHalfOfTheWorkers) {
  HttpJobQueue queue(16, 16, 4);
  for (const std::string path : {"1", "2", "3"}) {
    HttpJob job = JobOf(1, path);
    job.waits_for = "server";
    ASSERT_EQ(queue.Push(std::move(job)), Pushed::kYes);
  }
  for (const std::string path : {"a", "b"}) ASSERT_EQ(queue.Push(JobOf(1, path)), Pushed::kYes);
  for (const std::string path : {"1", "2", "a", "b"}) {
    EXPECT_EQ(queue.Pop()->request.head.path, path);
  }
  queue.Done("server");
  EXPECT_EQ(queue.Pop()->request.head.path, "3");
}

TEST(HttpJobQueue, SilentServersLeaveAWorker) {
  HttpJobQueue queue(16, 16, 4);
  for (const std::string server : {"x", "x", "y", "y"}) {
    HttpJob job = JobOf(1, server);
    job.waits_for = server;
    ASSERT_EQ(queue.Push(std::move(job)), Pushed::kYes);
  }
  ASSERT_EQ(queue.Push(JobOf(1, "a")), Pushed::kYes);
  for (const std::string path : {"x", "x", "y", "a"}) {
    EXPECT_EQ(queue.Pop()->request.head.path, path);
  }
  queue.Done("");
  queue.Done("x");
  queue.End();
  EXPECT_EQ(queue.Pop()->request.head.path, "y");
  EXPECT_FALSE(queue.Pop());
}

// With one worker nothing could be answered otherwise.
TEST(HttpJobQueue, OneWorkerAnswersForServersToo) {
  HttpJobQueue queue(16, 16, 1);
  HttpJob job = JobOf(1, "x");
  job.waits_for = "x";
  ASSERT_EQ(queue.Push(std::move(job)), Pushed::kYes);
  EXPECT_EQ(queue.Pop()->request.head.path, "x");
}

}  // namespace
}  // namespace recall
