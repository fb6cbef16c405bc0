#include "cli/server/http/http_server.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "tests/cli/server/http/raw_client.h"
#include "tests/cli/server/http/running_server.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// One request is answered, and one waits.
HttpServerOptions OneWorker() {
  HttpServerOptions options;
  options.workers = 1;
  options.most_waiting = 1;
  return options;
}
HttpServerOptions OneConnection() {
  HttpServerOptions options;
  options.most_connections = 1;
  return options;
}
HttpServerOptions ImpatientStop() {
  HttpServerOptions options;
  options.stop_time = std::chrono::milliseconds(1);
  return options;
}

class HttpServerTest : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(UnixSocketAndTcp, HttpServerTest, ::testing::Bool());

TEST_P(HttpServerTest, AnswersOneRequestAfterTheOtherOnAConnection) {
  RunningServer running(Echo);
  RawClient client = running.Connect(GetParam());
  for (const std::string body : {"one", "", "three"}) {
    ASSERT_TRUE(client.Post("/a", body));
    const std::string response = client.ReadResponse();
    EXPECT_EQ(StatusOf(response), 200);
    EXPECT_EQ(BodyOf(response), "/a " + body);
    EXPECT_FALSE(Has(response, "Connection: close"));
  }
}

TEST_P(HttpServerTest, TellsTheHandlerWhatWasSent) {
  std::promise<HttpHead> seen;
  RunningServer running([&](const HttpRequest& request, const auto& reply) {
    seen.set_value(request.head);
    reply->Send(Text(""));
  });
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Send("GET /p%20q?x=1&y HTTP/1.1\r\nHost: h\r\nX-Name:   two words \r\n\r\n"));
  EXPECT_EQ(StatusOf(client.ReadResponse()), 200);
  const HttpHead head = seen.get_future().get();
  EXPECT_EQ(head.method, "GET");
  EXPECT_EQ(head.path, "/p%20q");
  EXPECT_EQ(head.query, "x=1&y");
  EXPECT_EQ(head.Header("x-name"), "two words");
  EXPECT_EQ(head.Header("absent"), "");
  EXPECT_EQ(head.over_tcp, GetParam());
}

TEST_P(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  RunningServer running(Echo);
  RawClient client = running.Connect(GetParam());
  std::string requests;
  for (int i = 0; i < 20; ++i) {
    requests += "POST /" + std::to_string(i) + " HTTP/1.1\r\nContent-Length: 1\r\n\r\nx";
  }
  ASSERT_TRUE(client.Send(requests));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(BodyOf(client.ReadResponse()), "/" + std::to_string(i) + " x");
  }
}

// The first answer takes longer than it takes the second request to arrive.
TEST_P(HttpServerTest, AnswersARequestThatArrivesDuringTheAnswerToAnother) {
  Gate gate;
  std::promise<void> started;
  RunningServer running([&](const HttpRequest& request, const auto& reply) {
    if (request.head.path == "/slow") {
      started.set_value();
      gate.Wait();
    }
    Echo(request, reply);
  });
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Post("/slow", "1"));
  started.get_future().wait();
  ASSERT_TRUE(client.Post("/next", "2"));
  // The server handles what happens in the order in which it happens.
  RawClient other = running.Connect(GetParam());
  ASSERT_TRUE(other.Post("/other", ""));
  EXPECT_EQ(BodyOf(other.ReadResponse()), "/other ");
  gate.Open();
  EXPECT_EQ(BodyOf(client.ReadResponse()), "/slow 1");
  EXPECT_EQ(BodyOf(client.ReadResponse()), "/next 2");
}

TEST_P(HttpServerTest, ReadsChunkedBodies) {
  RunningServer running(Echo);
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(
      client.Send("POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
  EXPECT_EQ(BodyOf(client.ReadResponse()), "/c abcde");
}

TEST_P(HttpServerTest, ClosesTheConnectionIfTheClientWantsIt) {
  RunningServer running(Echo);
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Post("/a", "x", "Connection: close\r\n"));
  const std::string response = client.ReadToEnd();
  EXPECT_EQ(BodyOf(response), "/a x");
  EXPECT_TRUE(Has(response, "Connection: close"));
}

TEST_P(HttpServerTest, RefusesATooLargeHeadWith431) {
  RunningServer running(Echo);
  RawClient client = running.Connect(GetParam());
  client.Send("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n");
  const std::string response = client.ReadToEnd();
  EXPECT_EQ(StatusOf(response), 431);
  EXPECT_NE(BodyOf(response).find("\"code\":\"limit_exceeded\""), std::string::npos);
}

// A client that sends all before it reads must get the refusal, not a reset connection.
TEST_P(HttpServerTest, RefusesATooLargeBodyWith413WhileTheClientStillSends) {
  RunningServer running(Echo);
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Post("/a", std::string(size_t{8} << 20, 'x')));
  const std::string response = client.ReadResponse();
  EXPECT_EQ(StatusOf(response), 413);
  EXPECT_TRUE(Has(response, "Connection: close"));
}

TEST_P(HttpServerTest, RefusesATooLargeChunkedBodyWith413) {
  RunningServer running(Echo);
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Send("POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"));
  const std::string chunk = "10000\r\n" + std::string(0x10000, 'x') + "\r\n";
  for (int i = 0; i < 32; ++i) client.Send(chunk);
  EXPECT_EQ(StatusOf(client.ReadResponse()), 413);
}

TEST_P(HttpServerTest, RefusesWhatIsNotHttpWith400) {
  for (const std::string bytes :
       {"NONSENSE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nNo colon\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"}) {
    RunningServer running(Echo);
    RawClient client = running.Connect(GetParam());
    ASSERT_TRUE(client.Send(bytes));
    EXPECT_EQ(StatusOf(client.ReadToEnd()), 400) << bytes;
  }
}

// A proxy could read these as other requests than the server does.
TEST_P(HttpServerTest, RefusesAmbiguousRequestsWith400) {
  for (const std::string fields :
       {"Transfer-Encoding: chunked, identity", "Transfer-Encoding: identity, chunked",
        "Transfer-Encoding: xchunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5", "Content-Length: 5\r\nContent-Length: 5",
        "Host: localhost", "Origin: http://a\r\nOrigin: http://b"}) {
    std::atomic<int> answered = 0;
    RunningServer running([&](const auto& request, const auto& reply) {
      ++answered;
      Echo(request, reply);
    });
    RawClient client = running.Connect(GetParam());
    client.Send("POST /a HTTP/1.1\r\nHost: localhost\r\n" + fields +
                "\r\n\r\n5\r\nhello\r\n0\r\n\r\nGET /b HTTP/1.1\r\n\r\n");
    EXPECT_EQ(StatusOf(client.ReadToEnd()), 400) << fields;
    EXPECT_EQ(answered, 0) << fields;
  }
}

TEST_P(HttpServerTest, RefusesByTheHeadBeforeTheBodyIsSent) {
  std::atomic<int> answered = 0;
  RunningServer running([&](const auto& request, const auto& reply) {
    ++answered;
    Echo(request, reply);
  });
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Send("POST /refused HTTP/1.1\r\nContent-Length: 1000\r\n\r\n"));
  const std::string response = client.ReadResponse();
  EXPECT_EQ(StatusOf(response), 403);
  EXPECT_TRUE(Has(response, "Connection: close"));
  EXPECT_EQ(answered, 0);
}

TEST_P(HttpServerTest, AsksForTheBodyOfAClientThatExpectsIt) {
  RunningServer running(Echo);
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Send("POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
  EXPECT_EQ(client.ReadResponse(), "HTTP/1.1 100 Continue\r\n\r\n");
  ASSERT_TRUE(client.Send("ok"));
  EXPECT_EQ(BodyOf(client.ReadResponse()), "/a ok");
}

TEST_P(HttpServerTest, SendsEventsAsTheyCome) {
  Gate gate;
  RunningServer running([&](const auto&, const auto& reply) {
    reply->BeginEvents();
    reply->Event({"event: message", "data: 1"});
    gate.Wait();
    reply->Event({"data: 2"});
    reply->EndEvents();
  });
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Post("/", ""));
  const std::string head = client.ReadResponse();
  EXPECT_EQ(StatusOf(head), 200);
  EXPECT_TRUE(Has(head, "Content-Type: text/event-stream"));
  gate.Open();
  EXPECT_EQ(client.ReadToEnd(), "event: message\ndata: 1\n\ndata: 2\n\n");
}

TEST_P(HttpServerTest, TellsWhoAnswersThatTheClientIsGone) {
  std::promise<void> started;
  std::promise<bool> gone;
  RunningServer running([&](const auto&, const std::shared_ptr<HttpReply>& reply) {
    reply->WhenClientGoes([&gone, reply] { gone.set_value(reply->client_is_gone()); });
    started.set_value();
  });
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Post("/", "x"));
  started.get_future().wait();
  client.Close();
  EXPECT_TRUE(gone.get_future().get());
}

TEST_P(HttpServerTest, DisconnectsAClientThatDoesNotReadItsEvents) {
  std::promise<bool> gone;
  RunningServer running([&](const auto&, const auto& reply) {
    reply->BeginEvents();
    const std::string line(1 << 16, 'x');
    for (int i = 0; i < 100'000 && !reply->client_is_gone(); ++i) reply->Event({line});
    gone.set_value(reply->client_is_gone());
  });
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Post("/", ""));
  EXPECT_TRUE(gone.get_future().get());
}

TEST_P(HttpServerTest, SendsNoBodyWithTheAnswerToHead) {
  RunningServer running(Echo);
  RawClient client = running.Connect(GetParam());
  ASSERT_TRUE(client.Send("HEAD /h HTTP/1.1\r\n\r\nGET /g HTTP/1.1\r\nConnection: close\r\n\r\n"));
  const std::string both = client.ReadToEnd();
  EXPECT_EQ(both.find("/h"), std::string::npos) << both;
  EXPECT_NE(both.find("/g"), std::string::npos) << both;
}

// Otherwise the second answer would be taken for that of the next request.
TEST(HttpServer, IgnoresASecondAnswerToARequest) {
  RunningServer running([](const auto& request, const auto& reply) {
    Echo(request, reply);
    Echo(request, reply);
  });
  RawClient client = running.Connect();
  for (const std::string path : {"/1", "/2", "/3"}) {
    ASSERT_TRUE(client.Post(path, ""));
    EXPECT_EQ(BodyOf(client.ReadResponse()), path + " ");
  }
}

TEST(HttpServer, AnswersThatMemoryIsLacking) {
  RunningServer running([](const HttpRequest& request, const auto& reply) {
    if (request.head.path == "/events") {
      reply->BeginEvents();
      reply->Event({"data: 1"});
    }
    throw std::bad_alloc();
  });
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Post("/", ""));
  EXPECT_EQ(StatusOf(client.ReadResponse()), 503);
  // A stream that has begun just ends.
  ASSERT_TRUE(client.Post("/events", ""));
  client.ReadResponse();
  EXPECT_EQ(client.ReadToEnd(), "data: 1\n\n");
}

// The index of the client that has something to read.
size_t WaitForAny(const RawClient& a, const RawClient& b) {
  pollfd polled[] = {{a.fd(), POLLIN, 0}, {b.fd(), POLLIN, 0}};
  EXPECT_GT(::poll(polled, 2, 60'000), 0);
  return polled[0].revents != 0 ? 0 : 1;
}

TEST(HttpServer, AnswersWith503IfTooManyRequestsWait) {
  Gate gate;
  std::promise<void> started;
  RunningServer running(
      [&](const HttpRequest& request, const auto& reply) {
        if (request.head.path == "/first") {
          started.set_value();
          gate.Wait();
        }
        Echo(request, reply);
      },
      OneWorker());
  RawClient first = running.Connect();
  ASSERT_TRUE(first.Post("/first", ""));
  started.get_future().wait();
  // One of these may wait.
  RawClient two[] = {running.Connect(), running.Connect(true)};
  ASSERT_TRUE(two[0].Post("/", ""));
  ASSERT_TRUE(two[1].Post("/", ""));
  const size_t refused = WaitForAny(two[0], two[1]);
  const std::string response = two[refused].ReadResponse();
  EXPECT_EQ(StatusOf(response), 503);
  EXPECT_TRUE(Has(response, "Retry-After: 1"));
  gate.Open();
  EXPECT_EQ(StatusOf(first.ReadResponse()), 200);
  EXPECT_EQ(StatusOf(two[1 - refused].ReadResponse()), 200);
  // The connection of a refused request stays open.
  ASSERT_TRUE(two[refused].Post("/again", ""));
  EXPECT_EQ(StatusOf(two[refused].ReadResponse()), 200);
}

TEST(HttpServer, DoesNotAnswerAWaitingRequestWhoseClientIsGone) {
  Gate gate;
  std::promise<void> started;
  std::atomic<int> answered = 0;
  RunningServer running(
      [&](const HttpRequest& request, const auto& reply) {
        ++answered;
        if (request.head.path == "/first") {
          started.set_value();
          gate.Wait();
        }
        Echo(request, reply);
      },
      OneWorker());
  RawClient first = running.Connect();
  ASSERT_TRUE(first.Post("/first", ""));
  started.get_future().wait();
  RawClient two[] = {running.Connect(), running.Connect()};
  ASSERT_TRUE(two[0].Post("/", ""));
  ASSERT_TRUE(two[1].Post("/", ""));
  const size_t refused = WaitForAny(two[0], two[1]);
  two[refused].ReadResponse();
  two[1 - refused].Close();
  // The server handles what happens in the order in which it happens.
  ASSERT_TRUE(two[refused].Send("GET /at-once HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(StatusOf(two[refused].ReadResponse()), 200);
  // The place of the request is free.
  ASSERT_TRUE(two[refused].Post("/waits", ""));
  gate.Open();
  EXPECT_EQ(StatusOf(first.ReadResponse()), 200);
  EXPECT_EQ(BodyOf(two[refused].ReadResponse()), "/waits ");
  EXPECT_EQ(answered, 2);
}

TEST(HttpServer, RefusesAConnectionIfTooManyAreBusy) {
  Gate gate;
  std::promise<void> started;
  RunningServer running(
      [&](const auto& request, const auto& reply) {
        started.set_value();
        gate.Wait();
        Echo(request, reply);
      },
      OneConnection());
  RawClient first = running.Connect();
  ASSERT_TRUE(first.Post("/", ""));
  started.get_future().wait();
  RawClient second = running.Connect(true);
  const std::string response = second.ReadResponse();
  EXPECT_EQ(StatusOf(response), 503);
  EXPECT_TRUE(Has(response, "Connection: close"));
  gate.Open();
  EXPECT_EQ(StatusOf(first.ReadResponse()), 200);
}

// Otherwise clients that send nothing could keep all others out.
TEST(HttpServer, ClosesTheConnectionThatHasWaitedLongestIfTooManyAreOpen) {
  RunningServer running(Echo, OneConnection());
  RawClient half = running.Connect();
  ASSERT_TRUE(half.Send("GET / HTTP/1.1\r\nHost:"));
  for (int i = 0; i < 3; ++i) {
    RawClient next = running.Connect(i % 2 == 1);
    ASSERT_TRUE(next.Post("/", "x"));
    EXPECT_EQ(BodyOf(next.ReadResponse()), "/ x");
    EXPECT_EQ(half.ReadToEnd(), "");
    half = std::move(next);
  }
}

TEST(HttpServer, StopAnswersRequestsInFlightAndClosesIdleConnections) {
  Gate gate;
  std::promise<void> started;
  RunningServer running([&](const HttpRequest& request, const auto& reply) {
    if (request.head.path == "/slow") {
      started.set_value();
      gate.Wait();
    }
    Echo(request, reply);
  });
  RawClient idle = running.Connect();
  ASSERT_TRUE(idle.Post("/", ""));
  idle.ReadResponse();
  RawClient slow = running.Connect(true);
  ASSERT_TRUE(slow.Post("/slow", "x"));
  // Its head is read, its body is not.
  RawClient sending = running.Connect();
  ASSERT_TRUE(
      sending.Send("POST /b HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
  sending.ReadResponse();
  started.get_future().wait();

  running.server().Stop();
  EXPECT_EQ(idle.ReadToEnd(), "");
  EXPECT_TRUE(running.server().stopping());
  ASSERT_TRUE(sending.Send("ok"));
  EXPECT_EQ(BodyOf(sending.ReadToEnd()), "/b ok");
  gate.Open();
  const std::string response = slow.ReadToEnd();
  EXPECT_EQ(BodyOf(response), "/slow x");
  EXPECT_TRUE(Has(response, "Connection: close"));
  running.Join();
}

// Answers only when the client is gone.
void AnswerLate(const std::shared_ptr<HttpReply>& reply, std::promise<void>& started) {
  std::promise<void> gone;
  reply->WhenClientGoes([&] { gone.set_value(); });
  started.set_value();
  gone.get_future().wait();
}

TEST(HttpServer, ASecondStopEndsRequestsInFlight) {
  std::promise<void> started;
  RunningServer running([&](const auto&, const auto& reply) { AnswerLate(reply, started); });
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Post("/", ""));
  started.get_future().wait();
  running.server().Stop();
  running.server().Stop();
  running.Join();
  EXPECT_EQ(client.ReadToEnd(), "");
}

TEST(HttpServer, StopWaitsForRequestsInFlightNoLongerThanItShould) {
  std::promise<void> started;
  RunningServer running([&](const auto&, const auto& reply) { AnswerLate(reply, started); },
                        ImpatientStop());
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Post("/", ""));
  started.get_future().wait();
  running.server().Stop();
  running.Join();
  EXPECT_EQ(client.ReadToEnd(), "");
}

// ---- The Unix socket ----------------------------------------------------------------------------

HttpServerOptions OnSocket(const std::string& path) {
  HttpServerOptions options;
  options.socket_paths = {path};
  return options;
}

bool Exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

TEST(HttpSocket, IsForItsOwnerOnlyAndIsRemovedAtTheEnd) {
  std::string path;
  {
    RunningServer running(Echo);
    path = running.path();
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U);
    EXPECT_TRUE(S_ISSOCK(info.st_mode));
  }
  EXPECT_FALSE(Exists(path));
}

TEST(HttpSocket, ASecondServerIsRefusedAndDisturbsNothing) {
  RunningServer running(Echo);
  FunctionHandler handler(Echo);
  const auto second = HttpServer::Listen(OnSocket(running.path()), &handler);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), StatusCode::kAlreadyExists);
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Post("/", ""));
  EXPECT_EQ(StatusOf(client.ReadResponse()), 200);
}

TEST(HttpSocket, OneThatACrashedServerLeftIsReplaced) {
  const TempDir directory;
  const std::string path = directory / "socket";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const int left = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  ::close(left);
  ASSERT_TRUE(Exists(path));
  FunctionHandler handler(Echo);
  EXPECT_OK(HttpServer::Listen(OnSocket(path), &handler));
}

TEST(HttpSocket, AFileIsNotReplaced) {
  const TempDir directory;
  const std::string path = directory / "notes.txt";
  std::ofstream(path) << "text";
  FunctionHandler handler(Echo);
  const auto server = HttpServer::Listen(OnSocket(path), &handler);
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code(), StatusCode::kIoError);
  EXPECT_TRUE(Exists(path));
}

TEST(HttpSocket, ATooLongPathIsAnError) {
  FunctionHandler handler(Echo);
  const auto server = HttpServer::Listen(OnSocket("/tmp/" + std::string(200, 'x')), &handler);
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code(), StatusCode::kInvalidArgument);
}

TEST(HttpServer, APortInUseIsAnError) {
  RunningServer running(Echo);
  FunctionHandler handler(Echo);
  HttpServerOptions options;
  options.port = running.server().port();
  const auto second = HttpServer::Listen(options, &handler);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), StatusCode::kIoError);
}

}  // namespace
}  // namespace recall
