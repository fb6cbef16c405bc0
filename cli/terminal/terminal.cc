#include "cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace recall {
namespace {

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
  return {UseColor(mode, fd), terminal, terminal ? TerminalColumns(fd) : 0, terminal,
          IsUtf8Locale()};
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
