// Deadlines, shares and shortages of the HTTP server.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <future>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/server/http/body_file.h"
#include "cli/server/http/cancel_when_gone.h"
#include "tests/cli/server/http/failing_memory.h"
#include "tests/cli/server/http/raw_client.h"
#include "tests/cli/server/http/running_server.h"
#include "tests/cli/server/http/serving.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using std::chrono::milliseconds;

// Holds a worker until it is cancelled.
void AnswerWhenCancelled(const HttpRequest&, const std::shared_ptr<HttpReply>& reply) {
  std::promise<void> cancelled;
  {
    const CancelWhenGone cancel(*reply, [&] { cancelled.set_value(); });
    cancelled.get_future().wait();
  }
  reply->Send(Text("too late"));
}

// ---- Deadlines ----------------------------------------------------------------------------------

TEST(HttpDeadline, ARunningRequestIsCancelledAndAnswered504) {
  RunningServer running([](const HttpRequest& request, const auto& reply) {
    request.head.path == "/slow" ? AnswerWhenCancelled(request, reply) : Echo(request, reply);
  });
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Post("/slow", "", "X-Recall-Deadline-Ms: 1\r\n"));
  const std::string response = client.ReadResponse();
  EXPECT_EQ(StatusOf(response), 504);
  EXPECT_NE(BodyOf(response).find("\"code\":\"cancelled\""), std::string::npos) << response;
  // The connection stays, and the answer that comes too late is not that of the next request.
  ASSERT_TRUE(client.Post("/next", "x"));
  EXPECT_EQ(BodyOf(client.ReadResponse()), "/next x");
}

TEST(HttpDeadline, TheHeaderOnlyLowersTheLimitOfTheServer) {
  HttpServerOptions options;
  options.answer_time = milliseconds(1);
  RunningServer running(AnswerWhenCancelled, options);
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Post("/", "", "X-Recall-Deadline-Ms: 600000\r\n"));
  EXPECT_EQ(StatusOf(client.ReadResponse()), 504);
  ASSERT_TRUE(client.Post("/unlimited", "", "X-Recall-Deadline-Ms: 1\r\n"));
  EXPECT_EQ(StatusOf(client.ReadResponse()), 504);
}

TEST(HttpDeadline, AWaitingRequestIsAnsweredWithoutBeingRun) {
  Gate gate;
  std::promise<void> started;
  std::atomic<int> run = 0;
  HttpServerOptions options;
  options.workers = 1;
  options.most_waiting = 1;
  RunningServer running(
      [&](const HttpRequest& request, const auto& reply) {
        if (++run == 1) {
          started.set_value();
          gate.Wait();
        }
        Echo(request, reply);
      },
      options);
  RawClient first = running.Connect();
  ASSERT_TRUE(first.Post("/unlimited", ""));
  started.get_future().wait();
  RawClient second = running.Connect();
  ASSERT_TRUE(second.Post("/waits", "", "X-Recall-Deadline-Ms: 1\r\n"));
  EXPECT_EQ(StatusOf(second.ReadResponse()), 504);
  // Its place is free again.
  ASSERT_TRUE(second.Post("/next", ""));
  gate.Open();
  EXPECT_EQ(StatusOf(first.ReadResponse()), 200);
  EXPECT_EQ(BodyOf(second.ReadResponse()), "/next ");
  EXPECT_EQ(run, 2);
}

TEST(HttpDeadline, ABodyThatDoesNotComeInTimeIsAnswered504) {
  RunningServer running(Echo);
  for (const std::string path : {"/a", "/stored"}) {
    RawClient client = running.Connect(true);
    ASSERT_TRUE(client.Send("POST " + path +
                            " HTTP/1.1\r\nX-Recall-Deadline-Ms: 1\r\nContent-Length: 10\r\n\r\nx"));
    EXPECT_EQ(StatusOf(client.ReadToEnd()), 504) << path;
  }
}

TEST(HttpDeadline, AStreamOfEventsThatHasBegunHasNone) {
  RunningServer running([](const auto&, const std::shared_ptr<HttpReply>& reply) {
    reply->BeginEvents();
    reply->Event({"data: 1"});
    std::thread([reply] {
      std::this_thread::sleep_for(milliseconds(60));
      reply->Event({"data: 2"});
      reply->EndEvents();
    }).detach();
  });
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Post("/", "", "X-Recall-Deadline-Ms: 50\r\n"));
  EXPECT_EQ(StatusOf(client.ReadResponse()), 200);
  EXPECT_EQ(client.ReadToEnd(), "data: 1\n\ndata: 2\n\n");
}

TEST(HttpDeadline, MustBeANumberOfMilliseconds) {
  RunningServer running(Echo);
  for (const std::string value : {"0", "-1", "1.5", "1s", "99999999999"}) {
    RawClient client = running.Connect();
    ASSERT_TRUE(client.Post("/", "", "X-Recall-Deadline-Ms: " + value + "\r\n"));
    EXPECT_EQ(StatusOf(client.ReadResponse()), 400) << value;
  }
}

// ---- Shares -------------------------------------------------------------------------------------

TEST(HttpServer, AClientWithManyRequestsLeavesRoomForOthers) {
  Gate gate;
  std::promise<void> started;
  HttpServerOptions options;
  options.workers = 1;
  options.most_waiting = 10;
  options.most_waiting_of_client = 2;
  RunningServer running(
      [&](const HttpRequest& request, const auto& reply) {
        if (request.head.path == "/first") {
          started.set_value();
          gate.Wait();
        }
        Echo(request, reply);
      },
      options);
  RawClient first = running.Connect();
  ASSERT_TRUE(first.Post("/first", ""));
  started.get_future().wait();
  std::vector<RawClient> greedy;
  for (int i = 0; i < 3; ++i) {
    greedy.push_back(running.Connect(true));
    ASSERT_TRUE(greedy.back().Post("/greedy", ""));
    // The server handles what happens in the order in which it happens.
    if (i == 2) continue;
    RawClient mark = running.Connect(true);
    ASSERT_TRUE(mark.Send("GET /at-once HTTP/1.1\r\n\r\n"));
    EXPECT_EQ(BodyOf(mark.ReadResponse()), "at once");
  }
  const std::string response = greedy[2].ReadResponse();
  EXPECT_EQ(StatusOf(response), 429);
  EXPECT_TRUE(Has(response, "Retry-After: 1"));
  RawClient other = running.Connect();
  ASSERT_TRUE(other.Post("/other", ""));
  gate.Open();
  EXPECT_EQ(StatusOf(other.ReadResponse()), 200);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(StatusOf(greedy[i].ReadResponse()), 200);
}

TEST(HttpServer, BodiesTogetherHaveALimit) {
  HttpServerOptions options;
  options.most_bytes_of_bodies = options.most_body_bytes + 10;
  RunningServer running(Echo, options);
  const std::string expect = "Expect: 100-continue\r\n";
  RawClient large = running.Connect();
  ASSERT_TRUE(large.Send("POST /l HTTP/1.1\r\n" + expect + "Transfer-Encoding: chunked\r\n\r\n"));
  EXPECT_EQ(large.ReadResponse(), "HTTP/1.1 100 Continue\r\n\r\n");
  RawClient second = running.Connect();
  ASSERT_TRUE(second.Post("/s", std::string(11, 'x')));
  EXPECT_EQ(StatusOf(second.ReadResponse()), 503);
  RawClient small = running.Connect();
  ASSERT_TRUE(small.Post("/s", "x"));
  EXPECT_EQ(StatusOf(small.ReadResponse()), 200);
  ASSERT_TRUE(large.Send("0\r\n\r\n"));
  EXPECT_EQ(StatusOf(large.ReadResponse()), 200);
  RawClient third = running.Connect();
  ASSERT_TRUE(third.Post("/s", std::string(11, 'x')));
  EXPECT_EQ(StatusOf(third.ReadResponse()), 200);
}

// ---- Stored bodies ------------------------------------------------------------------------------

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void EchoStored(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  reply->Send(Text(request.stored ? TextOf(request.stored->path()) : "not stored"));
}

TEST(HttpStoredBody, HasAnyLengthAndLeavesNoFile) {
  const TempDir directory;
  HttpServerOptions options;
  options.stored_directory = directory.path();
  RunningServer running(EchoStored, options);
  RawClient client = running.Connect();
  for (const size_t size : {size_t{0}, size_t{1}, size_t{65'536}, size_t{3} << 20}) {
    std::string body(size, 'x');
    for (size_t i = 0; i < size; i += 1000) body[i] = static_cast<char>('a' + i / 1000 % 26);
    ASSERT_TRUE(client.Post("/stored", body));
    EXPECT_EQ(BodyOf(client.ReadResponse()), body) << size;
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(HttpStoredBody, MayBeChunked) {
  RunningServer running(EchoStored);
  RawClient client = running.Connect(true);
  ASSERT_TRUE(client.Send("POST /stored HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"));
  std::string body;
  for (int i = 0; i < 30; ++i) {
    const std::string chunk(0x2fff, static_cast<char>('a' + i % 26));
    ASSERT_TRUE(client.Send("2fff\r\n" + chunk + "\r\n"));
    body += chunk;
  }
  ASSERT_TRUE(client.Send("0\r\n\r\n"));
  EXPECT_EQ(BodyOf(client.ReadResponse()), body);
}

TEST(HttpStoredBody, HasALimit) {
  HttpServerOptions options;
  options.most_stored_bytes = 100'000;
  RunningServer running(EchoStored, options);
  RawClient declared = running.Connect();
  ASSERT_TRUE(declared.Send("POST /stored HTTP/1.1\r\nContent-Length: 100001\r\n\r\n"));
  EXPECT_EQ(StatusOf(declared.ReadToEnd()), 413);
  RawClient chunked = running.Connect();
  ASSERT_TRUE(chunked.Send("POST /stored HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"));
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(chunked.Send("fff0\r\n" + std::string(0xfff0, 'x') + "\r\n"));
  }
  EXPECT_EQ(StatusOf(chunked.ReadToEnd()), 413);
}

TEST(HttpStoredBody, WithoutAPlaceIsAnswered507) {
  HttpServerOptions options;
  options.stored_directory = "/absent";
  RunningServer running(EchoStored, options);
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Post("/stored", "x"));
  const std::string response = client.ReadToEnd();
  EXPECT_EQ(StatusOf(response), 507);
  EXPECT_NE(BodyOf(response).find("\"code\":\"io_error\""), std::string::npos) << response;
}

// A limit on the size of files is to the server as a full disk.
TEST(HttpStoredBody, ThatDoesNotFitOnTheDiskIsAnswered507) {
  RunningServer running(EchoStored);
  RawClient client = running.Connect();
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  client.Post("/stored", std::string(1'000'000, 'x'));
  const std::string response = client.ReadToEnd();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(StatusOf(response), 507);
  RawClient next = running.Connect();
  ASSERT_TRUE(next.Post("/stored", "x"));
  EXPECT_EQ(BodyOf(next.ReadResponse()), "x");
}

TEST(HttpStoredBody, OnlySomeAreReceivedAtATime) {
  HttpServerOptions options;
  options.most_stored_bodies = 1;
  RunningServer running(EchoStored, options);
  RawClient first = running.Connect();
  ASSERT_TRUE(
      first.Send("POST /stored HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
  first.ReadResponse();
  RawClient second = running.Connect();
  ASSERT_TRUE(second.Post("/stored", "x"));
  EXPECT_EQ(StatusOf(second.ReadResponse()), 503);
  ASSERT_TRUE(first.Send("ab"));
  EXPECT_EQ(BodyOf(first.ReadResponse()), "ab");
  RawClient third = running.Connect();
  ASSERT_TRUE(third.Post("/stored", "x"));
  EXPECT_EQ(BodyOf(third.ReadResponse()), "x");
}

// ---- Sockets and stopping -----------------------------------------------------------------------

TEST(HttpServer, TellsOverWhichSocketARequestCame) {
  const TempDir directory;
  HttpServerOptions options;
  options.socket_paths = {directory / "a", directory / "b"};
  options.port = 0;
  FunctionHandler handler([](const HttpRequest& request, const auto& reply) {
    reply->Send(Text(request.head.socket + " " + std::to_string(request.head.port)));
  });
  const auto server = Must(HttpServer::Listen(options, &handler));
  std::thread thread([&] { EXPECT_OK(server->Run()); });
  EXPECT_EQ(server->socket_path(), directory / "a");
  for (const std::string& path : {directory / "a", directory / "b"}) {
    RawClient client = RawClient::ToSocket(path);
    ASSERT_TRUE(client.Post("/", ""));
    EXPECT_EQ(BodyOf(client.ReadResponse()), path + " 0");
  }
  RawClient tcp = RawClient::ToPort(server->port());
  ASSERT_TRUE(tcp.Post("/", ""));
  EXPECT_EQ(BodyOf(tcp.ReadResponse()), " " + std::to_string(server->port()));
  server->Stop();
  thread.join();
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(HttpServer, StopsAfterAnIdleTimeWhateverStreamsAreOpen) {
  HttpServerOptions options;
  options.idle_stop = milliseconds(50);
  std::shared_ptr<HttpReply> stream;
  RunningServer running(
      [&](const HttpRequest& request, const auto& reply) {
        if (request.head.path != "/events") return AnswerWhenCancelled(request, reply);
        reply->BeginEvents();
        stream = reply;
      },
      options);
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Post("/events", ""));
  EXPECT_EQ(StatusOf(client.ReadResponse()), 200);
  // A request that takes longer than the idle time is not interrupted.
  RawClient slow = running.Connect();
  ASSERT_TRUE(slow.Post("/slow", "", "X-Recall-Deadline-Ms: 150\r\n"));
  EXPECT_EQ(StatusOf(slow.ReadResponse()), 504);
  running.handler().StoppingSignal().wait();
  stream->EndEvents();
  running.Join();
  EXPECT_EQ(client.ReadToEnd(), "");
}

// ---- Shortages ----------------------------------------------------------------------------------

// The limit on descriptors, as long as the object exists: those that are open, and a few more.
class FewDescriptors final {
 public:
  explicit FewDescriptors(rlim_t more) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);
    ::close(next);
    const rlimit few{static_cast<rlim_t>(next) + more, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

TEST(HttpServer, ALackOfDescriptorsEndsNeitherTheServerNorItsClients) {
  RunningServer running(Echo);
  RawClient early = running.Connect();
  ASSERT_TRUE(early.Post("/", ""));
  EXPECT_EQ(StatusOf(early.ReadResponse()), 200);
  {
    // The client has a descriptor, and the server has none for it.
    const FewDescriptors few(1);
    RawClient late = running.Connect();
    ASSERT_TRUE(late.Post("/late", ""));
    // The one that has waited longest makes room.
    EXPECT_EQ(early.ReadToEnd(), "");
    EXPECT_EQ(BodyOf(late.ReadResponse()), "/late ");
  }
  RawClient last = running.Connect();
  ASSERT_TRUE(last.Post("/last", ""));
  EXPECT_EQ(BodyOf(last.ReadResponse()), "/last ");
}

// Any allocation on the thread of the sockets may fail. That may cost a client its connection, but
// neither the server nor the clients that come after it.
TEST(HttpServer, ALackOfMemoryEndsOnlyTheConnectionItConcerns) {
  const TempDir directory;
  HttpServerOptions options;
  options.socket_paths = {directory / "socket"};
  options.port = 0;
  FunctionHandler handler([](const HttpRequest& request, const auto& reply) {
    if (request.head.path != "/events") return Echo(request, reply);
    reply->BeginEvents();
    reply->Event({"data: 1"});
    reply->EndEvents();
  });
  const auto server = Must(HttpServer::Listen(options, &handler));
  std::thread thread([&] {
    LetMemoryFailHere();
    EXPECT_OK(server->Run());
  });
  const auto ask = [&](const std::string& path) {
    RawClient client = RawClient::ToSocket(directory / "socket");
    client.Post(path, "some body", "Connection: close\r\n");
    return client.ReadToEnd();
  };
  for (const std::string path : {"/a", "/stored", "/events", "/at-once", "/refused"}) {
    const std::string right = ask(path);
    ASSERT_NE(StatusOf(right), 0) << path;
    bool failed = true;
    for (int64_t before = 0; failed; ++before) {
      {
        const FailingMemory shortage(before);
        const std::string answer = ask(path);
        EXPECT_TRUE(answer == right || right.starts_with(answer)) << path << before << answer;
        failed = shortage.has_failed();
      }
      EXPECT_EQ(ask(path), right) << path << before;
    }
  }
  server->Stop();
  thread.join();
}

}  // namespace
}  // namespace recall
