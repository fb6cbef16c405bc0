// Keys come as bytes of the terminal, decoded by curses. Ctrl-C and Ctrl-Z are keys, because the
// terminal is in raw mode; signals that other processes send are noted by their handler, and Wait
// looks for them beside the keys. A crash is different: its handler may call little,
// so it writes the strings of terminfo and sets the modes that were saved for it.

#include "cli/show/browse/terminal_screen.h"

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "storage/base/base64.h"
#include "storage/base/bytes.h"
#include "storage/base/code_point.h"
#include "storage/base/thread_locale.h"
#include "storage/base/wake_pipe.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

constexpr wint_t kEscape = 0x1B;
constexpr int kEscapeMillis = 25;  // how long the rest of the sequence of a key may take
constexpr std::string_view kPasteOn = "\x1b[?2004h";
constexpr std::string_view kPasteOff = "\x1b[?2004l";
// Codes of keys that terminfo does not name, beyond those of curses.
enum OwnKey : int {
  kPasteBegins = KEY_MAX + 1,
  kPasteEnds,
  kAltP,
  kAltN,
  kAltJ,
  kAltK,
  kAltA,
  kAltE,
  kAltI,
  kAltO,
  kShiftUp,
  kShiftDown,
  kShiftLeft,
  kShiftRight
};

// ---- Crashes and signals ------------------------------------------------------------------------

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};

// What a handler needs; static, because it has no argument.
struct {
  int output = -1;
  termios modes{};
  char reset[256] = "";
  size_t reset_size = 0;
  struct sigaction before[std::size(kCrashes)] = {};
  const WakePipe* wake = nullptr;
} saved;

std::atomic<uint32_t> noted_signals = 0;  // a bit each
static_assert(std::atomic<uint32_t>::is_always_lock_free, "signal handlers need it");

void NoteSignal(int signal) {
  noted_signals |= uint32_t{1} << signal;
  saved.wake->Wake();
}

// Restores the terminal, then leaves the signal to what handled it before.
void HandleCrash(int signal) {
  [[maybe_unused]] const ssize_t written = ::write(saved.output, saved.reset, saved.reset_size);
  ::tcsetattr(saved.output, TCSANOW, &saved.modes);
  for (size_t i = 0; i < std::size(kCrashes); ++i) {
    ::sigaction(kCrashes[i], &saved.before[i], nullptr);
  }
  ::raise(signal);
}

// Sets the handler of some signals as long as it exists.
template <size_t N>
class Handlers final {
 public:
  Handlers(const int (&signals)[N], void (*handler)(int), struct sigaction* before)
      : signals_(signals), before_(before) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < N; ++i) ::sigaction(signals_[i], &action, &before_[i]);
  }
  ~Handlers() {
    for (size_t i = 0; i < N; ++i) ::sigaction(signals_[i], &before_[i], nullptr);
  }
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;

 private:
  const int (&signals_)[N];
  struct sigaction* before_;
};

void AppendCapability(const char* name, std::string* text) {
  const char* const value = ::tigetstr(name);
  if (value != nullptr && value != reinterpret_cast<const char*>(-1)) *text += value;
}

// ---- Keys ---------------------------------------------------------------------------------------

struct KeyCode {
  wint_t code;
  Key key;
};

constexpr wint_t Control(char letter) { return static_cast<wint_t>(letter & 0x1F); }

// What curses reports as KEY_CODE_YES.
constexpr KeyCode kFunctionKeys[] = {
    {KEY_ENTER, Key::kEnter},
    {KEY_BACKSPACE, Key::kBackspace},
    {KEY_DC, Key::kDelete},
    {KEY_LEFT, Key::kLeft},
    {KEY_RIGHT, Key::kRight},
    {KEY_HOME, Key::kHome},
    {KEY_END, Key::kEnd},
    {KEY_UP, Key::kUp},
    {KEY_DOWN, Key::kDown},
    {KEY_PPAGE, Key::kPageUp},
    {KEY_NPAGE, Key::kPageDown},
    {KEY_SR, Key::kPreviewUp},
    {kShiftUp, Key::kPreviewUp},
    {kAltP, Key::kPreviewUp},
    {KEY_SF, Key::kPreviewDown},
    {kShiftDown, Key::kPreviewDown},
    {kAltN, Key::kPreviewDown},
    {KEY_SLEFT, Key::kPreviousTurn},
    {kShiftLeft, Key::kPreviousTurn},
    {kAltK, Key::kPreviousTurn},
    {KEY_SRIGHT, Key::kNextTurn},
    {kShiftRight, Key::kNextTurn},
    {kAltJ, Key::kNextTurn},
    {KEY_F(1), Key::kHelp},
    {KEY_F(2), Key::kExplain},
    {KEY_F(3), Key::kFilter},
    {KEY_F(4), Key::kLinks},
    {KEY_F(5), Key::kView},
    {KEY_F(6), Key::kReview},
    {KEY_F(7), Key::kOutline},
    {kAltO, Key::kOutline},
    {KEY_F(8), Key::kEditNote},
    {kAltE, Key::kEditNote},
    {KEY_F(9), Key::kNewNote},
    {kAltI, Key::kNewNote},
    {KEY_BTAB, Key::kMarkUp},
    {kAltA, Key::kMarkAll},
};

// What curses reports as characters.
constexpr KeyCode kControlKeys[] = {
    {'\r', Key::kEnter},
    {'\n', Key::kEnter},
    {'\t', Key::kMark},
    {kEscape, Key::kEscape},
    {0x7F, Key::kBackspace},
    {Control('H'), Key::kBackspace},
    {Control('A'), Key::kHome},
    {Control('B'), Key::kLeft},
    {Control('C'), Key::kLeave},
    {Control('D'), Key::kDelete},
    {Control('E'), Key::kEnd},
    {Control('F'), Key::kFilter},
    {Control('G'), Key::kCite},
    {Control('K'), Key::kDeleteToEnd},
    {Control('N'), Key::kNextHit},
    {Control('P'), Key::kPreviousHit},
    {Control('R'), Key::kHistory},
    {Control('S'), Key::kOpenAll},
    {Control('Y'), Key::kCopy},
    {Control('O'), Key::kLinks},
    {Control('V'), Key::kView},
    {Control('T'), Key::kReview},
    {Control('U'), Key::kDeleteToStart},
    {Control('W'), Key::kDeleteWord},
    {Control('X'), Key::kExplain},
};

std::optional<Key> KeyOf(std::span<const KeyCode> keys, wint_t code) {
  const auto found = std::ranges::find(keys, code, &KeyCode::code);
  return found == keys.end() ? std::nullopt : std::optional(found->key);
}

}  // namespace

class TerminalScreen::Impl final {
 public:
  static Result<std::unique_ptr<Impl>> Open(const Options& options) {
    auto impl = std::unique_ptr<Impl>(new Impl(options));
    RECALL_TRY(impl->Begin());
    return impl;
  }

  ~Impl() {
    if (screen_ != nullptr) {
      Leave();
      ::delscreen(screen_);
    }
    if (out_ != nullptr) std::fclose(out_);
    if (in_ != nullptr) std::fclose(in_);
    ::uselocale(locale_before_);
    if (locale_ != locale_t{}) ::freelocale(locale_);
  }

  WindowSize size() const {
    return {static_cast<size_t>(getmaxy(::stdscr)), static_cast<size_t>(getmaxx(::stdscr))};
  }

  void Show(const Screen& screen) {
    ::werase(::stdscr);
    for (size_t row = 0; row < screen.rows.size(); ++row) {
      ::wmove(::stdscr, static_cast<int>(row), 0);
      for (const Span& span : screen.rows[row]) {
        ::wattrset(::stdscr, static_cast<int>(AttributesOf(span)));
        ::waddnstr(::stdscr, span.text.data(), static_cast<int>(span.text.size()));
      }
    }
    ::wattrset(::stdscr, 0);
    ::wmove(::stdscr, static_cast<int>(screen.cursor_row), static_cast<int>(screen.cursor_column));
    ::wrefresh(::stdscr);
  }

  std::optional<TerminalEvent> Wait(std::optional<int64_t> micros) {
    if (auto key = NextKey()) return key;
    pollfd sources[] = {{options_.input, POLLIN, 0}, {wake_.descriptor(), POLLIN, 0}};
    // Rounded up: a wait of nothing would be a busy one.
    const int limit = micros ? static_cast<int>((*micros + 999) / 1000) : -1;
    if (::poll(sources, std::size(sources), limit) <= 0) return std::nullopt;
    if (sources[1].revents != 0) {
      wake_.Clear();
      return AfterSignals(noted_signals.exchange(0));
    }
    if (auto key = NextKey()) return key;
    if ((sources[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) return Ended{};
    return std::nullopt;
  }

  void Wake() { wake_.Wake(); }

  // OSC 52, which terminals without a clipboard ignore.
  void Copy(std::string_view text) {
    std::string sequence = "\x1b]52;c;";
    AppendBase64(AsBytes(text), &sequence);
    Put(sequence + "\x07");
  }

  void Leave() {
    if (!entered_) return;
    entered_ = false;
    Put(kPasteOff);
    ::def_prog_mode();
    ::endwin();
    std::fflush(out_);
  }

  void Enter() {
    if (entered_) return;
    entered_ = true;
    ::reset_prog_mode();
    Put(kPasteOn);
    FitWindow();
  }

 private:
  explicit Impl(const Options& options) : options_(options) {}

  Status Begin() {
    in_ = OpenStream(options_.input, "r");
    out_ = OpenStream(options_.output, "w");
    if (!wake_.is_open() || in_ == nullptr || out_ == nullptr ||
        ::tcgetattr(options_.output, &saved.modes) != 0) {
      return CannotUse();
    }
    // All text is UTF-8. The locale is that of this thread alone; searching must not depend on one.
    locale_ = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
    if (locale_ != locale_t{}) ::uselocale(locale_);

    // Before curses, which does not handle signals that have a handler.
    saved.wake = &wake_;
    signal_handlers_.emplace(kSignals, NoteSignal, signals_before_);
    const char* const type = std::getenv("TERM");
    screen_ = ::newterm(nullptr, out_, in_);
    if (screen_ == nullptr) {
      return Status::IoError(
          "the terminal '" + std::string(type == nullptr ? "" : type) + "' cannot show a screen",
          "set TERM to the kind of your terminal; `recall search` needs none");
    }
    PrepareForCrash();
    ::use_legacy_coding(0);  // not by the locale of the process, which is "C"
    ::raw();
    ::noecho();
    ::nonl();
    ::keypad(::stdscr, TRUE);
    ::nodelay(::stdscr, TRUE);
    ::set_escdelay(kEscapeMillis);
    DefineKeys();
    UseColors();
    entered_ = true;
    Put(kPasteOn);
    return {};
  }

  static void DefineKeys() {
    struct Sequence {
      const char* bytes;
      int code;
    };
    static constexpr Sequence kSequences[] = {
        {"\x1b[200~", kPasteBegins},
        {"\x1b[201~", kPasteEnds},
        {"\x1bp", kAltP},
        {"\x1bn", kAltN},
        {"\x1bj", kAltJ},
        {"\x1bk", kAltK},
        {"\033a", kAltA},  // "\x1ba" would be one character
        {"\033e", kAltE},
        {"\x1bi", kAltI},
        {"\x1bo", kAltO},
        {"\x1b[Z", KEY_BTAB},
        {"\x1b[1;2A", kShiftUp},
        {"\x1b[1;2B", kShiftDown},
        {"\x1b[1;2C", kShiftRight},
        {"\x1b[1;2D", kShiftLeft},
        // For terminals in which the cursor keys do not send what terminfo says.
        {"\x1b[A", KEY_UP},
        {"\x1b[B", KEY_DOWN},
        {"\x1b[C", KEY_RIGHT},
        {"\x1b[D", KEY_LEFT},
    };
    for (const Sequence& sequence : kSequences) ::define_key(sequence.bytes, sequence.code);
  }

  void UseColors() {
    colored_ = options_.color && ::has_colors() && ::start_color() == OK;
    if (!colored_) return;
    ::use_default_colors();
    ::init_pair(1, COLOR_CYAN, -1);
    ::init_pair(2, COLOR_GREEN, -1);
    ::init_pair(3, COLOR_YELLOW, -1);
    ::init_pair(4, COLOR_RED, -1);
    ::init_pair(5, COLOR_MAGENTA, -1);
  }

  static Status CannotUse() {
    return Status::IoError("cannot use the terminal: " + std::string(std::strerror(errno)));
  }

  static FILE* OpenStream(int descriptor, const char* mode) {
    FileDescriptor copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
    FILE* const stream = copy.get() < 0 ? nullptr : ::fdopen(copy.get(), mode);
    if (stream != nullptr) copy.Release();
    return stream;
  }

  void PrepareForCrash() {
    std::string reset(kPasteOff);
    for (const char* name : {"sgr0", "rmkx", "cnorm", "rmcup"}) AppendCapability(name, &reset);
    saved.reset_size = std::min(reset.size(), sizeof(saved.reset));
    std::memcpy(saved.reset, reset.data(), saved.reset_size);
    saved.output = options_.output;
    crash_handlers_.emplace(kCrashes, HandleCrash, saved.before);
  }

  // Past what curses knows, in the order of its own output.
  void Put(std::string_view sequence) {
    std::fwrite(sequence.data(), 1, sequence.size(), out_);
    std::fflush(out_);
  }

  void FitWindow() {
    winsize size{};
    if (::ioctl(options_.output, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
      ::resizeterm(size.ws_row, size.ws_col);
    }
    ::clearok(::curscr, TRUE);
  }

  // Lets the shell have the terminal. `group`: the processes of the same job are stopped, too, as
  // the terminal does it for Ctrl-Z.
  void Stop(bool group) {
    Leave();
    struct sigaction stops = {};
    struct sigaction handled = {};
    stops.sa_handler = SIG_DFL;
    ::sigemptyset(&stops.sa_mask);
    ::sigaction(SIGTSTP, &stops, &handled);
    ::kill(group ? 0 : ::getpid(), SIGTSTP);
    ::sigaction(SIGTSTP, &handled, nullptr);
    Enter();
  }

  TerminalEvent AfterSignals(uint32_t noted) {
    const auto has = [noted](int signal) { return (noted >> signal & 1) != 0; };
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
      if (has(signal)) return Ended{};
    }
    if (has(SIGTSTP)) {
      Stop(false);
    } else if (has(SIGCONT) || has(SIGWINCH)) {
      ::reset_prog_mode();
      FitWindow();
    }
    return Woken{};
  }

  // The next key that was pressed; text that was pasted as one.
  std::optional<TerminalEvent> NextKey() {
    std::optional<std::string> pasted;
    for (;;) {
      wint_t code = 0;
      const int kind = ::wget_wch(::stdscr, &code);
      if (kind == ERR) {
        if (!pasted) return std::nullopt;
        pollfd source = {options_.input, POLLIN, 0};
        if (::poll(&source, 1, 1000) <= 0) return KeyPress{Key::kText, *pasted};
        continue;
      }
      if (kind == KEY_CODE_YES && code == kPasteBegins) {
        pasted.emplace();
        continue;
      }
      if (kind == KEY_CODE_YES && code == kPasteEnds) {
        if (pasted) return KeyPress{Key::kText, *pasted};
        continue;
      }
      if (pasted) {
        if (kind == OK) AppendUtf8(code, &*pasted);
        continue;
      }
      if (kind == OK && code == ('Z' & 0x1F)) {
        Stop(true);
        return Woken{};
      }
      if (kind == OK && code == ('L' & 0x1F)) {
        ::clearok(::curscr, TRUE);
        return Woken{};
      }
      if (kind == OK && code == kEscape && SkipUnknownKey()) continue;
      if (const auto key =
              KeyOf(kind == KEY_CODE_YES ? std::span<const KeyCode>(kFunctionKeys) : kControlKeys,
                    code)) {
        return KeyPress{*key};
      }
      if (kind == OK && code >= 0x20) {
        KeyPress typed{Key::kText, {}};
        AppendUtf8(code, &typed.text);
        return typed;
      }
    }
  }

  // After the escape character: takes the rest of the sequence of a key that curses does not know,
  // such as one with Alt. Returns: false if there is none, so that it was the key Escape.
  static bool SkipUnknownKey() {
    wint_t code = 0;
    if (::wget_wch(::stdscr, &code) != OK || code == kEscape) return false;
    if (code != '[' && code != 'O') return true;
    while (::wget_wch(::stdscr, &code) == OK && (code < 0x40 || code > 0x7E)) continue;
    return true;
  }

  attr_t AttributesOf(const Span& span) const {
    // A bar of one colour, in which matches are told by their form.
    if (span.chosen && span.paint == Paint::kMatch) return A_REVERSE | A_BOLD | A_UNDERLINE;
    if (span.chosen) return A_REVERSE;
    attr_t attributes = A_NORMAL;
    const auto color = [&](short pair, attr_t otherwise) {
      return colored_ ? static_cast<attr_t>(COLOR_PAIR(pair)) : otherwise;
    };
    switch (span.paint) {
      case Paint::kPlain:
        break;
      case Paint::kDim:
        attributes |= A_DIM;
        break;
      case Paint::kStrong:
        attributes |= A_BOLD;
        break;
      case Paint::kPath:
        attributes |= color(1, A_NORMAL);
        break;
      case Paint::kScore:
        attributes |= color(2, A_NORMAL);
        break;
      case Paint::kLiteral:
        attributes |= color(5, A_NORMAL);
        break;
      case Paint::kMatch:
        attributes |= A_BOLD | color(3, A_UNDERLINE);
        break;
      case Paint::kError:
        attributes |= A_BOLD | color(4, A_NORMAL);
        break;
    }
    return attributes;
  }

  const Options options_;
  const WakePipe wake_;
  FILE* in_ = nullptr;
  FILE* out_ = nullptr;
  locale_t locale_{};
  const locale_t locale_before_ = ::uselocale(locale_t{});
  SCREEN* screen_ = nullptr;
  bool entered_ = false;
  bool colored_ = false;
  struct sigaction signals_before_[std::size(kSignals)] = {};
  std::optional<Handlers<std::size(kSignals)>> signal_handlers_;
  std::optional<Handlers<std::size(kCrashes)>> crash_handlers_;
};

bool TerminalScreen::IsBuiltIn() { return true; }

TerminalScreen::TerminalScreen(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TerminalScreen::~TerminalScreen() = default;

Result<std::unique_ptr<TerminalScreen>> TerminalScreen::Open(const Options& options) {
  RECALL_ASSIGN(auto impl, Impl::Open(options));
  return std::unique_ptr<TerminalScreen>(new TerminalScreen(std::move(impl)));
}

WindowSize TerminalScreen::size() const { return impl_->size(); }
void TerminalScreen::Show(const Screen& screen) { impl_->Show(screen); }
std::optional<TerminalEvent> TerminalScreen::Wait(std::optional<int64_t> micros) {
  return impl_->Wait(micros);
}
void TerminalScreen::Wake() { impl_->Wake(); }
void TerminalScreen::Copy(std::string_view text) { impl_->Copy(text); }
void TerminalScreen::Leave() { impl_->Leave(); }
void TerminalScreen::Enter() { impl_->Enter(); }

}  // namespace recall
