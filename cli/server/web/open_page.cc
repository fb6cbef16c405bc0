#include "cli/server/web/open_page.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "cli/run/execution/quiet_process.h"
#include "cli/server/web/process_end.h"
#include "storage/base/ids.h"
#include "storage/base/thread_start.h"
#include "storage/base/wake_pipe.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// A page that leads to `url`, which has no character that HTML needs escaped.
std::string RedirectTo(const std::string& url) {
  return "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Recall</title>\n"
         "<meta name=\"referrer\" content=\"no-referrer\">\n"
         "<meta http-equiv=\"refresh\" content=\"0; url=" +
         url + "\">\n<a href=\"" + url + "\">Recall</a>\n";
}

// A file in the user's runtime directory that only the user can read. It is removed with the
// object.
class PrivateFile final {
 public:
  PrivateFile() = default;
  ~PrivateFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;

  Status Write(const std::string& text) {
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    std::error_code error;
    const fs::path directory =
        runtime != nullptr && *runtime != '\0' ? fs::path(runtime) : fs::temp_directory_path(error);
    constexpr std::string_view kSuffix = ".html";
    std::string path = (directory / ("recall-page-XXXXXX" + std::string(kSuffix))).string();
    const int fd = ::mkostemps(path.data(), kSuffix.size(), O_CLOEXEC);  // mode 0600
    if (fd < 0) return Status::IoError("cannot make " + path + ": " + std::strerror(errno));
    path_ = std::move(path);
    const bool written = ::write(fd, text.data(), text.size()) == std::ssize(text);
    const bool closed = ::close(fd) == 0;
    return written && closed ? Status() : Status::IoError("cannot write " + path_);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

}  // namespace

std::string PageUrl(uint16_t port, std::string_view token) {
  std::string url = "http://127.0.0.1:" + std::to_string(port) + "/#token=";
  for (const char c : token) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (plain) {
      url += c;
    } else {
      const auto byte = static_cast<uint8_t>(c);
      url += '%' + ToHex({&byte, 1});
    }
  }
  return url;
}

std::vector<std::vector<std::string>> BrowserCommands(const std::string& browser,
                                                      const std::string& target) {
  std::vector<std::vector<std::string>> commands;
  for (const std::string& entry : Split(browser, ':')) {
    std::vector<std::string> words = Split(entry, ' ');
    bool has_target = false;
    for (std::string& word : words) {
      const size_t place = word.find("%s");
      if (place == std::string::npos) continue;
      word.replace(place, 2, target);
      has_target = true;
    }
    if (words.empty()) continue;
    if (!has_target) words.push_back(target);
    commands.push_back(std::move(words));
  }
  commands.push_back({"xdg-open", target});
  return commands;
}

class OpenedPage::Impl final {
 public:
  explicit Impl(std::function<void(const std::string&)> failed) : failed_(std::move(failed)) {}
  ~Impl() {
    if (watcher_.joinable()) {
      stop_.Wake();
      watcher_.join();
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Status Start(const std::string& url) {
    RECALL_TRY(file_.Write(RedirectTo(url)));
    const char* const browser = std::getenv("BROWSER");
    for (auto& command : BrowserCommands(browser == nullptr ? "" : browser, file_.path())) {
      const auto pid = SpawnQuietly(command[0], command, QuietProcess::kOwnGroup);
      if (!pid) continue;
      Watch(*pid, command[0]);
      return {};
    }
    return Status::NotFound("there is no browser: BROWSER is not set, and xdg-open is missing");
  }

 private:
  // Without a descriptor or thread the page is opened all the same, and a failure is not noticed.
  void Watch(pid_t pid, const std::string& name) {
    pid_ = pid;
    name_ = name;
    if (!stop_.is_open()) return;
    if (auto thread = StartThread([this] { ReportFailure(); })) watcher_ = *std::move(thread);
  }

  void ReportFailure() {
    const std::optional<int> status = AwaitEnd(pid_, stop_.descriptor());
    if (!status || (WIFEXITED(*status) && WEXITSTATUS(*status) == 0)) return;
    failed_("\"" + name_ + "\" failed" +
            (WIFEXITED(*status) ? " with exit code " + std::to_string(WEXITSTATUS(*status)) : ""));
  }

  const std::function<void(const std::string&)> failed_;
  PrivateFile file_;
  pid_t pid_ = -1;
  std::string name_;
  const WakePipe stop_;
  std::thread watcher_;
};

OpenedPage::OpenedPage(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OpenedPage::~OpenedPage() = default;

Result<std::unique_ptr<OpenedPage>> OpenedPage::Open(
    const std::string& url, std::function<void(const std::string&)> failed) {
  auto impl = std::make_unique<Impl>(std::move(failed));
  RECALL_TRY(impl->Start(url));
  return std::unique_ptr<OpenedPage>(new OpenedPage(std::move(impl)));
}

}  // namespace recall
