// serve_bench RECALL STORE [--samples N] [--rounds N] [--clients N]
//
// What does a search cost through the socket of `recall serve`, beside the same search in one
// process? Takes N questions (50) that `recall bench` samples from STORE, and asks each of them
// by turns in this process, as a server does it (the whole command line, up to the bytes of its
// JSON), and over the Unix socket of a server, without its query cache. Then with several clients
// (8) at a time, and at last the same question again and again, which the cache answers, with the
// server on one CPU and the clients on the others. Prints medians, 99th percentiles and ratios.

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/bench_util.h"
#include "cli/commands/commands.h"
#include "cli/run/execution/command_call.h"

extern char** environ;

namespace recall {
namespace {

struct Options {
  std::string program;
  std::string store;
  size_t samples = 50;
  int rounds = 10;
  size_t clients = 8;
};

// The first line that a program prints, which goes on running.
std::string FirstLine(const std::vector<std::string>& command, pid_t* child, bool whole = false) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  int out[2];
  if (::pipe2(out, O_CLOEXEC) != 0) Die("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  if (posix_spawn(child, argv[0], &actions, nullptr, argv.data(), environ) != 0) Die(argv[0]);
  posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  std::string text;
  char c = 0;
  while (::read(out[0], &c, 1) == 1 && (whole || c != '\n')) text += c;
  ::close(out[0]);
  return text;
}

std::vector<std::string> SampleQuestions(const Options& options) {
  pid_t child = 0;
  const std::string text =
      FirstLine({options.program, "bench", "--store", options.store, "--only", "search",
                 "--samples", std::to_string(options.samples), "--rounds", "1", "--json"},
                &child, /*whole=*/true);
  ::waitpid(child, nullptr, 0);
  return nlohmann::json::parse(text).at("bench").at("questions").at("texts");
}

// Asks a server over one connection.
class Client final {
 public:
  explicit Client(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
      Die("cannot connect");
    }
  }
  ~Client() { ::close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Returns: the body of the answer.
  std::string Ask(const std::string& question, bool cached) {
    const std::string body = nlohmann::json{{"query", question}, {"k", 10}}.dump();
    const std::string request =
        std::string("POST /v1/search HTTP/1.1\r\nHost: recall\r\nContent-Type: application/json") +
        (cached ? "" : "\r\nCache-Control: no-cache") +
        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    if (::send(fd_, request.data(), request.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(request.size())) {
      Die("cannot send");
    }
    size_t head = std::string::npos;
    size_t length = 0;
    read_.clear();
    while (head == std::string::npos || read_.size() < head + length) {
      char part[65536];
      const ssize_t got = ::recv(fd_, part, sizeof(part), 0);
      if (got <= 0) Die("the server closed the connection");
      read_.append(part, static_cast<size_t>(got));
      if (head != std::string::npos) continue;
      const size_t end = read_.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      head = end + 4;
      constexpr std::string_view kLength = "Content-Length: ";
      length = std::strtoul(read_.c_str() + read_.find(kLength) + kLength.size(), nullptr, 10);
    }
    if (!read_.starts_with("HTTP/1.1 200")) Die(read_.c_str());
    return read_.substr(head);
  }

 private:
  int fd_;
  std::string read_;
};

double At(std::vector<double> times, double share) {
  std::ranges::sort(times);
  return times[std::min(times.size() - 1,
                        static_cast<size_t>(share * static_cast<double>(times.size())))] *
         1000;
}

void RunOn(pid_t process, bool first_cpu) {
  cpu_set_t usable;
  ::sched_getaffinity(0, sizeof(usable), &usable);
  const int all = CPU_COUNT(&usable);
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  for (int cpu = 0; cpu < all; ++cpu) {
    if ((cpu == 0) == first_cpu) CPU_SET(cpu, &chosen);
  }
  if (all > 1) ::sched_setaffinity(process, sizeof(chosen), &chosen);
}

void PrintRow(const char* what, const std::vector<double>& times, double reference) {
  const double median = At(times, 0.5);
  std::printf("| %s | %.3f | %.3f | %.2f | %.2f |\n", what, median, At(times, 0.99),
              median / reference, At(times, 0.99) / median);
}

// Asks with several clients at a time. Returns: the seconds of each request.
std::vector<double> AskTogether(const Options& options, const std::string& socket,
                                const std::vector<std::string>& questions, bool cached) {
  std::vector<std::vector<double>> times(options.clients);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < options.clients; ++i) {
    threads.emplace_back([&, i] {
      Client client(socket);
      for (int round = 0; round < options.rounds; ++round) {
        for (const std::string& question : questions) {
          const double start = Now();
          client.Ask(question, cached);
          times[i].push_back(Now() - start);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<double> all;
  for (const auto& own : times) all.insert(all.end(), own.begin(), own.end());
  return all;
}

int Run(const Options& options) {
  const std::vector<std::string> questions = SampleQuestions(options);
  const ScratchDir scratch;
  const std::string socket = scratch.path() + "/s";
  pid_t server = 0;
  FirstLine({options.program, "serve", "--store", options.store, "--socket", socket}, &server);

  CallSettings settings;
  settings.locate.store = options.store;
  CallRunner runner(std::move(settings));
  const CommandInfo* const search = FindCommand("search");
  const auto in_process = [&](const std::string& question) {
    return runner.Run({search, {"--json", "--k=10", "--", question}}).output;
  };
  Client client(socket);
  for (int worker = 0; worker < 8; ++worker) {  // opens the store in all of them
    for (const std::string& question : questions) client.Ask(question, false);
  }
  std::vector<double> own;
  std::vector<double> served;
  for (int round = 0; round <= options.rounds; ++round) {
    for (const std::string& question : questions) {
      double start = Now();
      const std::string expected = in_process(question);
      const double first = Now() - start;
      start = Now();
      const std::string answer = client.Ask(question, false);
      const double second = Now() - start;
      if (answer != expected) Die("the answers differ");
      if (round == 0) continue;
      own.push_back(first);
      served.push_back(second);
    }
  }
  std::printf("%zu questions, %d rounds\n\n", questions.size(), options.rounds);
  std::printf("| how | median ms | p99 ms | median / one process | p99 / median |\n");
  std::printf("| --- | --- | --- | --- | --- |\n");
  const double reference = At(own, 0.5);
  PrintRow("in one process", own, reference);
  PrintRow("socket, 1 client", served, reference);
  PrintRow("socket, several clients", AskTogether(options, socket, questions, false), reference);

  RunOn(server, /*first_cpu=*/true);
  RunOn(0, /*first_cpu=*/false);
  Options cached = options;
  cached.rounds = 4000;
  const std::vector<std::string> same(1, questions.front());
  AskTogether(options, socket, same, true);
  const double start = Now();
  const std::vector<double> times = AskTogether(cached, socket, same, true);
  const double rate = static_cast<double>(times.size()) / (Now() - start);
  PrintRow("from the cache, several clients", times, reference);
  std::printf("\nfrom the cache, server on one CPU: %.0f requests a second\n", rate);
  ::kill(server, SIGTERM);
  ::waitpid(server, nullptr, 0);
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  recall::Options options;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto number = [&] { return ++i < argc ? std::atoi(argv[i]) : 1; };
    if (word == "--samples") {
      options.samples = static_cast<size_t>(number());
    } else if (word == "--rounds") {
      options.rounds = number();
    } else if (word == "--clients") {
      options.clients = static_cast<size_t>(number());
    } else {
      words.emplace_back(word);
    }
  }
  if (words.size() != 2) recall::Die("serve_bench RECALL STORE");
  options.program = words[0];
  options.store = words[1];
  return recall::Run(options);
}
