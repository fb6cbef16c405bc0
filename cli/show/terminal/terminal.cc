#include "cli/show/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "storage/base/thread_locale.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The first character of a text and its length in bytes; the length is 0 if the bytes are not
// UTF-8.
struct Decoded {
  uint32_t code = 0;
  size_t length = 0;
};

Decoded DecodeFirst(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  uint32_t code = lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return {};
  return {code, length};
}

bool IsControl(uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

bool IsReordering(uint32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string Escape(std::string_view text, bool keep_layout) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [code, length] = DecodeFirst(text);
    char buffer[16];
    if (length == 0) {
      out += kReplacement;
    } else if (code == '\n' || code == '\t') {
      out += keep_layout ? std::string(1, text[0]) : code == '\n' ? "\\n" : "\\t";
    } else if (IsControl(code) || IsReordering(code)) {
      std::snprintf(buffer, sizeof(buffer), code < 0x100 ? "\\x%02x" : "\\u%04x", code);
      out += buffer;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

// The columns that a terminal gives to a character: by the C library's table for UTF-8, whatever
// the locale of the process is; 1 where there is no such table.
size_t ColumnsOf(uint32_t code) {
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
  if (utf8 == locale_t{}) return 1;
  const locale_t before = ::uselocale(utf8);
  const int width = ::wcwidth(static_cast<wchar_t>(code));
  ::uselocale(before);
  return width < 0 ? 0 : static_cast<size_t>(width);
}

// The file:// address of an absolute path. RFC 3986 lets these characters stand for themselves.
std::string FileAddress(const std::string& host, const std::string& path) {
  std::string address = "file://" + host;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    char buffer[4];
    std::snprintf(buffer, sizeof(buffer), "%%%02X", static_cast<unsigned>(static_cast<uint8_t>(c)));
    address += plain ? std::string(1, c) : std::string(buffer);
  }
  return address;
}

}  // namespace

bool IsTerminal(int fd) { return ::isatty(fd) == 1; }

size_t TerminalColumns(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

// The first variable that is set and not empty decides (POSIX, "Environment Variables").
bool IsUtf8Locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale(value);
    std::ranges::transform(locale, locale.begin(), [](unsigned char c) { return std::tolower(c); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

size_t TerminalRows(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

bool UseColor(ColorMode mode, int fd) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  if (term != nullptr && std::string_view(term) == "dumb") return false;
  return IsTerminal(fd);
}

TextStyle StyleOf(int fd, ColorMode mode) {
  const bool terminal = IsTerminal(fd);
  TextStyle style;
  style.color = UseColor(mode, fd);
  style.escape = terminal;
  style.columns = terminal ? TerminalColumns(fd) : 0;
  style.terminal = terminal;
  style.utf8 = IsUtf8Locale();
  return style;
}

size_t DisplayColumns(std::string_view utf8) {
  size_t columns = 0;
  while (!utf8.empty()) {
    const auto [code, length] = DecodeFirst(utf8);
    columns += length == 0 ? 1 : ColumnsOf(code);
    utf8.remove_prefix(std::max<size_t>(length, 1));
  }
  return columns;
}

size_t FirstCharacter(std::string_view utf8) {
  if (utf8.empty()) return 0;
  const auto special = [](uint32_t code) { return IsControl(code) || IsReordering(code); };
  const auto [first, first_length] = DecodeFirst(utf8);
  size_t length = std::max<size_t>(first_length, 1);
  if (first_length == 0 || special(first)) return length;
  while (length < utf8.size()) {
    const auto [code, more] = DecodeFirst(utf8.substr(length));
    if (more == 0 || special(code) || ColumnsOf(code) > 0) break;
    length += more;
  }
  return length;
}

std::string CutToColumns(std::string_view utf8, size_t columns, bool keep_end) {
  size_t used = DisplayColumns(utf8);
  if (used <= columns) return std::string(utf8);
  if (columns == 0) return "";
  constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
  if (keep_end) {
    while (used + 1 > columns) {
      const auto [code, length] = DecodeFirst(utf8);
      used -= length == 0 ? 1 : ColumnsOf(code);
      utf8.remove_prefix(std::max<size_t>(length, 1));
    }
    return std::string(kEllipsis) + std::string(utf8);
  }
  std::string cut;
  for (used = 1; !utf8.empty();) {
    const auto [code, length] = DecodeFirst(utf8);
    used += length == 0 ? 1 : ColumnsOf(code);
    if (used > columns) break;
    cut += utf8.substr(0, std::max<size_t>(length, 1));
    utf8.remove_prefix(std::max<size_t>(length, 1));
  }
  return cut + std::string(kEllipsis);
}

std::string TextStyle::Link(std::string_view target, std::string_view text) const {
  if (!hyperlinks || target.empty()) return std::string(text);
  return "\x1b]8;;" + std::string(target) + "\x1b\\" + std::string(text) + "\x1b]8;;\x1b\\";
}

std::string TextStyle::DocPathText(const std::string& doc_path) const {
  if (from.empty()) return EscapeLine(doc_path);
  const fs::path file = fs::path(store_directory) / doc_path;
  const fs::path relative = file.lexically_relative(from);
  // From a directory that shares nothing with the file, the absolute path is easier to read.
  const bool apart = fs::path(doc_path).is_absolute() && relative.native().starts_with("../");
  return EscapeLine(relative.empty() || apart ? doc_path : relative.native());
}

std::string TextStyle::DocLink(const std::string& doc_path) const {
  if (!hyperlinks) return "";
  const std::string file = (fs::path(store_directory) / doc_path).native();
  std::error_code error;
  if (fs::exists(file, error)) return FileAddress(host, file);
  const std::string archive = file.substr(0, file.find("!/"));
  return archive != file && fs::exists(archive, error) ? FileAddress(host, archive) : "";
}

TextStyle StyleOf(int fd, ColorMode color, ColorMode hyperlinks) {
  TextStyle style = StyleOf(fd, color);
  style.hyperlinks = hyperlinks == ColorMode::kAuto ? style.color && UseColor(hyperlinks, fd)
                                                    : hyperlinks == ColorMode::kAlways;
  char host[HOST_NAME_MAX + 1] = "";
  if (style.hyperlinks && ::gethostname(host, sizeof(host) - 1) == 0) style.host = host;
  return style;
}

std::string TextStyle::Paint(std::string_view code, std::string_view text) const {
  if (!color) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string EscapeControls(std::string_view text) { return Escape(text, true); }

std::string EscapeLine(std::string_view text) { return Escape(text, false); }

std::string EscapeJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const auto [code, length] = DecodeFirst(json);
    if (code >= 0x7F && (IsControl(code) || IsReordering(code))) {
      char buffer[16];
      std::snprintf(buffer, sizeof(buffer), "\\u%04x", code);
      out += buffer;
    } else {
      out += json.substr(0, std::max<size_t>(length, 1));
    }
    json.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

}  // namespace recall
