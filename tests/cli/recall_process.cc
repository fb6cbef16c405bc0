#include "tests/cli/recall_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

#include "cli/show/terminal/terminal.h"
#include "tests/cli/json_promises.h"
#include "tests/storage/postgres/postgres_test_server.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe2(fds, O_CLOEXEC), 0); }
  ~Pipe() {
    CloseRead();
    CloseWrite();
  }
  void CloseRead() { Close(&fds[0]); }
  void CloseWrite() { Close(&fds[1]); }
  static void Close(int* fd) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
  int fds[2] = {-1, -1};
};

// A raw pseudo-terminal of 80 columns, which does not change the bytes.
struct Terminal {
  Terminal() {
    master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    EXPECT_GE(master, 0);
    EXPECT_EQ(::grantpt(master), 0);
    EXPECT_EQ(::unlockpt(master), 0);
    slave = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    EXPECT_GE(slave, 0);
    termios mode{};
    ::tcgetattr(slave, &mode);
    ::cfmakeraw(&mode);
    ::tcsetattr(slave, TCSANOW, &mode);
    winsize size{};
    size.ws_col = 80;
    size.ws_row = 24;
    ::ioctl(slave, TIOCSWINSZ, &size);
  }
  ~Terminal() {
    if (master >= 0) ::close(master);
    if (slave >= 0) ::close(slave);
  }
  int master = -1;
  int slave = -1;
};

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct Child {
  std::vector<std::string> args;
  std::vector<std::string> env;
  std::string directory;
  int in = -1;
  int out = -1;  // -1: closed
  int err = -1;
  bool unprivileged = false;
  bool single_thread = false;
  size_t stack_bytes = 0;
};

// Runs in the child after fork. Returns only if exec fails.
void BecomeRecall(Child& child, int program) {
  std::vector<char*> argv = Pointers(child.args);
  std::vector<char*> envp = Pointers(child.env);
  ::dup2(child.in, 0);
  if (child.out >= 0) {
    ::dup2(child.out, 1);
  } else {
    ::close(1);
  }
  ::dup2(child.err, 2);
  if (::chdir(child.directory.c_str()) != 0) return;
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  constexpr uid_t kNobody = 65534;
  if (child.unprivileged && ::getuid() == 0) {
    if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return;
  }
  // After setuid, which would otherwise make exec fail.
  const rlimit one_process{1, 1};
  if (child.single_thread && ::setrlimit(RLIMIT_NPROC, &one_process) != 0) return;
  const rlimit stack{child.stack_bytes, child.stack_bytes};
  if (child.stack_bytes > 0 && ::setrlimit(RLIMIT_STACK, &stack) != 0) return;
  // By descriptor, because user `nobody` may not be able to access the build directory.
  ::fexecve(program, argv.data(), envp.data());
}

pid_t Spawn(Child child) {
  const int program = ::open(RecallBinary().c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_GE(program, 0) << RecallBinary();
  const pid_t pid = ::fork();
  if (pid == 0) {
    BecomeRecall(child, program);
    std::perror("cannot start recall");
    ::_exit(99);
  }
  ::close(program);
  return pid;
}

// Appends the available bytes. Returns: false at the end of the stream.
bool Drain(int fd, std::string* to) {
  char buffer[1 << 16];
  const ssize_t count = ::read(fd, buffer, sizeof(buffer));
  if (count > 0) to->append(buffer, static_cast<size_t>(count));
  return count > 0;
}

// Serves all three streams at the same time, so that no full pipe blocks the child.
void Converse(Pipe& input, std::string_view text, int out, int err, RunResult* result) {
  bool out_open = out >= 0;
  bool err_open = err >= 0;
  while (out_open || err_open || input.fds[1] >= 0) {
    if (text.empty()) input.CloseWrite();
    pollfd polled[] = {{out_open ? out : -1, POLLIN, 0},
                       {err_open ? err : -1, POLLIN, 0},
                       {input.fds[1], POLLOUT, 0}};
    if (::poll(polled, 3, -1) < 0) continue;
    if (polled[0].revents) out_open = Drain(out, &result->out);
    if (polled[1].revents) err_open = Drain(err, &result->err);
    if (polled[2].revents & POLLERR) {
      input.CloseWrite();
    } else if (polled[2].revents) {
      const ssize_t count = ::write(input.fds[1], text.data(), std::min<size_t>(text.size(), 4096));
      if (count > 0) text.remove_prefix(static_cast<size_t>(count));
    }
  }
}

// The address of a new store on a server, which is started with the first one and ends with the
// test program.
std::string NewServerStore() {
  static PostgresTestServer server;
  static int stores = 0;
  return server.Address("t" + std::to_string(++stores));
}

}  // namespace

nlohmann::ordered_json RunResult::Json() const {
  auto json = nlohmann::ordered_json::parse(out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << "not JSON: " << *this;
  return json;
}

std::ostream& operator<<(std::ostream& out, const RunResult& result) {
  return out << "exit " << result.exit << " signal " << result.signal << "\nstdout:\n"
             << result.out << "\nstderr:\n"
             << result.err;
}

std::vector<std::string> KeysOf(const nlohmann::ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

void ExpectSums(const nlohmann::ordered_json& add) {
  int64_t sum = 0;
  for (const char* name : {"added", "updated", "refreshed", "unchanged", "skipped", "failed"}) {
    sum += add[name].get<int64_t>();
  }
  EXPECT_EQ(add["found"], sum) << add;
}

RecallTest::RecallTest() {
  if (std::getenv("RECALL_TEST_SERVER") != nullptr) {
    server_store_ = NewServerStore();
    // For programs that get the environment of the tests: like those of another machine.
    ::setenv("XDG_CACHE_HOME", (home_ / "other-cache").c_str(), 1);
  }
  ::signal(SIGPIPE, SIG_IGN);
  ::chmod(dir_.path().c_str(), 0755);
}

std::vector<std::string> RecallTest::Environment(const RunOptions& options) const {
  std::map<std::string, std::string> variables = options.env;
  variables.try_emplace("HOME", home_.path());
  variables.try_emplace("PATH", "/usr/bin:/bin");
  if (!server_store_.empty()) variables.try_emplace("RECALL_STORE", server_store_);
  for (const char* name :
       {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "LD_LIBRARY_PATH"}) {
    if (const char* value = std::getenv(name)) variables.try_emplace(name, value);
  }
  std::vector<std::string> words;
  for (const auto& [name, value] : variables) words.push_back(name + "=" + value);
  return words;
}

RunResult RecallTest::Run(const std::vector<std::string>& args, RunOptions options) {
  Child child;
  child.args = args;
  child.args.insert(child.args.begin(), "recall");
  child.env = Environment(options);
  child.directory = options.directory.empty() ? directory() : options.directory;
  child.unprivileged = options.unprivileged;
  child.single_thread = options.single_thread;
  child.stack_bytes = options.stack_bytes;

  Pipe in;
  Pipe out;
  Pipe err;
  std::optional<Terminal> terminal;
  child.in = in.fds[0];
  child.out = out.fds[1];
  child.err = err.fds[1];
  if (options.terminal) {
    terminal.emplace();
    child.out = child.err = terminal->slave;
    if (options.typed) {
      child.in = terminal->slave;
      in.CloseWrite();
      in.fds[1] = ::dup(terminal->master);
    }
  }
  if (options.stdout_closed) child.out = -1;
  int file = -1;
  if (!options.stdout_file.empty()) {
    file = ::open(options.stdout_file.c_str(), O_WRONLY | O_CLOEXEC);
    child.out = file;
  }
  if (options.stdout_unread) out.CloseRead();

  const pid_t pid = Spawn(child);
  in.CloseRead();
  out.CloseWrite();
  err.CloseWrite();
  if (file >= 0) ::close(file);
  if (terminal) Pipe::Close(&terminal->slave);
  RunResult streams;
  Converse(in, options.input, terminal ? terminal->master : out.fds[0], err.fds[0], &streams);
  RunResult result = Wait(pid);
  result.out = std::move(streams.out);
  result.err = std::move(streams.err);
  EXPECT_EQ(result.signal, 0) << result;
  EXPECT_NE(result.exit, 99) << "the program did not start: " << result;
  const bool whole = !terminal && !options.stdout_unread && !options.stdout_closed && file < 0;
  if (whole) ExpectPromisedJson(args, result);
  return result;
}

pid_t RecallTest::Start(const std::vector<std::string>& args, const RunOptions& options) {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  Child child;
  child.args = args;
  child.args.insert(child.args.begin(), "recall");
  child.env = Environment(options);
  child.directory = options.directory.empty() ? directory() : options.directory;
  child.in = child.out = child.err = null;
  if (!options.stdout_file.empty()) {
    child.out = ::open(options.stdout_file.c_str(), O_WRONLY | O_CLOEXEC);
    EXPECT_GE(child.out, 0) << options.stdout_file;
  }
  const pid_t pid = Spawn(child);
  if (child.out != null) ::close(child.out);
  ::close(null);
  return pid;
}

RunResult RecallTest::Wait(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  RunResult result;
  if (WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

std::unique_ptr<Conversation> RecallTest::StartConversation(const std::vector<std::string>& args,
                                                            const RunOptions& options) {
  Child child;
  child.args = args;
  child.args.insert(child.args.begin(), "recall");
  child.env = Environment(options);
  child.directory = options.directory.empty() ? directory() : options.directory;
  Pipe in;
  Pipe out;
  child.in = in.fds[0];
  child.out = out.fds[1];
  child.err = 2;
  const pid_t pid = Spawn(child);
  return std::make_unique<Conversation>(pid, std::exchange(in.fds[1], -1),
                                        std::exchange(out.fds[0], -1));
}

std::unique_ptr<TerminalProgram> RecallTest::StartOnTerminal(const std::vector<std::string>& args,
                                                             const RunOptions& options) {
  Terminal terminal;
  Child child;
  child.args = args;
  child.args.insert(child.args.begin(), "recall");
  child.env = Environment(options);
  child.directory = directory();
  child.in = child.out = child.err = terminal.slave;
  child.unprivileged = options.unprivileged;
  // Before the start, so that it knows the first modes.
  auto program = std::make_unique<TerminalProgram>(std::exchange(terminal.master, -1),
                                                   std::exchange(terminal.slave, -1));
  program->set_child(Spawn(child));
  return program;
}

namespace {

std::string ModesOf(int terminal) {
  termios modes{};
  EXPECT_EQ(::tcgetattr(terminal, &modes), 0);
  std::string text;
  for (const tcflag_t flags : {modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag}) {
    text += std::to_string(flags) + " ";
  }
  return text;
}

}  // namespace

TerminalProgram::TerminalProgram(int master, int slave)
    : master_(master), slave_(slave), first_modes_(ModesOf(slave)) {}

TerminalProgram::~TerminalProgram() {
  if (child_ > 0) {
    Signal(SIGKILL);
    Finish();
  }
  Pipe::Close(&slave_);
  Pipe::Close(&master_);
}

void TerminalProgram::See(const std::string& text) {
  while (written_.find(text) == std::string::npos) {
    pollfd output = {master_, POLLIN, 0};
    if (::poll(&output, 1, 20'000) <= 0 || !Drain(master_, &written_)) {
      ADD_FAILURE() << "waited in vain for " << text << ":\n" << EscapeControls(written_);
      return;
    }
  }
}

void TerminalProgram::Type(const std::string& keys) {
  EXPECT_EQ(::write(master_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
}

void TerminalProgram::Signal(int signal) { ::kill(child_, signal); }

// The terminal stays open, so its end does not tell that of the program.
RunResult TerminalProgram::Finish() {
  int status = 0;
  for (;;) {
    pollfd output = {master_, POLLIN, 0};
    if (::poll(&output, 1, 10) > 0) {
      Drain(master_, &written_);
    } else if (::waitpid(child_, &status, WNOHANG) == child_) {
      break;
    }
  }
  child_ = -1;
  RunResult result;
  if (WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = written_;
  return result;
}

bool TerminalProgram::has_first_modes() const { return ModesOf(slave_) == first_modes_; }

Conversation::~Conversation() {
  if (child_ > 0) Finish();
}

void Conversation::Send(const std::string& line) {
  const std::string text = line + "\n";
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t count = ::write(in_, rest.data(), rest.size());
    if (count <= 0) {
      ADD_FAILURE() << "the program has closed its input";
      return;
    }
    rest.remove_prefix(static_cast<size_t>(count));
  }
}

std::string Conversation::NextLine() {
  size_t end = 0;
  while ((end = read_.find('\n')) == std::string::npos) {
    if (!Drain(out_, &read_)) {
      ADD_FAILURE() << "the output has ended: " << read_;
      return "";
    }
  }
  const std::string line = read_.substr(0, end);
  read_.erase(0, end + 1);
  return line;
}

RunResult Conversation::Finish() {
  Pipe::Close(&in_);
  while (Drain(out_, &read_)) {
  }
  Pipe::Close(&out_);
  int status = 0;
  while (::waitpid(child_, &status, 0) == -1 && errno == EINTR) {
  }
  child_ = -1;
  RunResult result;
  if (WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = std::move(read_);
  return result;
}

void RecallTest::Write(const std::string& name, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(Path(name)).parent_path());
  std::ofstream file(Path(name), std::ios::binary);
  file << text;
  ASSERT_TRUE(file.good()) << name;
}

std::string RecallTest::Read(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(Path(name), std::ios::binary).rdbuf();
  return text.str();
}

void RecallTest::Erase(const std::string& name) { std::filesystem::remove_all(Path(name)); }

void RecallTest::MakeSmallStore() {
  Write("docs/guide.md",
        "# Guide\n\nRecall keeps segments in one file.\n\n## Install\n\nRun make install.\n");
  Write("docs/merge.md", "# Merging\n\nSmall segments are merged into larger segments.\n");
  Write("src/main.c", "int main(void) {\n  return mergeSegments(1);\n}\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  // The same chunks in builds with grammars and without.
  const RunResult added = Run({"add", "--code-chunker", "plain"});
  ASSERT_EQ(added.exit, 0) << added;
}

}  // namespace recall
