// Problem. A mailbox of gigabytes is a sequence of messages, each after a line "From ". The same
// words begin lines of texts; writers protect those in several ways, or not at all.
//
// Idea. A window of the file moves forward. A line "From " begins a message if two of three hold:
// an empty line comes before it, it has a date, a line of a header comes after it. Where a
// Content-Length points to such a line or to the end of the file, it is trusted instead.
//
// Invariants. Pieces cover the file without gap or overlap. Memory is the window, 1 MiB, and one
// message of at most the limit.
//
// Cost. Each byte is read once, or twice where a Content-Length is given; linear.

#include "index/source/extract/mail/mbox_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "index/source/extract/mail/mail_header.h"
#include "index/source/extract/mail/mail_words.h"

namespace recall {
namespace {

constexpr size_t kMboxWindowBytes = 1 << 20;
constexpr size_t kMboxLookBytes = 4 << 10;  // a "From " line and the line after it
constexpr size_t kMboxHeaderBytes = 64 << 10;
constexpr size_t kLongestFromLine = 1000;
constexpr uint64_t kNoMboxOffset = UINT64_MAX;

// Returns whether a line "From ..." has the name of a month and a time of day.
bool HasMboxDate(std::string_view line) {
  static constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  bool month = false, time = false;
  for (size_t i = 5; i + 3 <= line.size(); ++i) {
    const auto digit = [&](size_t at) { return line[at] >= '0' && line[at] <= '9'; };
    if (line[i - 1] == ' ' && line[i] >= 'A' && line[i] <= 'S') {
      const size_t at = kMonths.find(line.substr(i, 3));
      month = month || (at != kMonths.npos && at % 3 == 0);
    }
    if (line[i] == ':' && digit(i - 1) && digit(i + 1) && digit(i + 2)) time = true;
  }
  return month && time;
}

// Removes a ">" from the lines of the body that were quoted.
void UnquoteMbox(MboxVariant variant, std::string* message) {
  if (variant == MboxVariant::kCl2 || message->find("\n>") == std::string::npos) return;
  const bool all = variant == MboxVariant::kRd || variant == MboxVariant::kAuto;
  // Only the body is quoted.
  const size_t body = ReadMailHeader(*message).body;
  std::string& text = *message;
  size_t to = body;
  for (size_t at = body; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    size_t marks = at;
    while (marks < end && text[marks] == '>') ++marks;
    const bool quoted = marks > at && (all || marks == at + 1) &&
                        std::string_view(text).substr(marks, 5) == "From ";
    if (quoted) ++at;
    if (to != at)
      std::copy(text.begin() + static_cast<ptrdiff_t>(at),
                text.begin() + static_cast<ptrdiff_t>(end),
                text.begin() + static_cast<ptrdiff_t>(to));
    to += end - at;
    at = end;
  }
  text.resize(to);
}

bool HasFromLine(std::string_view text) {
  return text.starts_with("From ") || text.find("\nFrom ") != text.npos;
}

// Returns the first line of `text` without its end.
std::string_view FirstMboxLine(std::string_view text) {
  std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Whether `text` begins with a line "From " that begins a message.
bool BeginsMboxMessage(std::string_view text, bool after_empty_line) {
  if (!text.starts_with("From ")) return false;
  const size_t end = text.find('\n');
  const std::string_view line = FirstMboxLine(text).substr(0, kLongestFromLine);
  const bool date = HasMboxDate(line);
  const std::string_view next =
      end == text.npos ? std::string_view() : FirstMboxLine(text.substr(end + 1));
  // Gateways write ">From " lines. An empty line ends the header of a message without fields.
  const bool header = IsMailFieldLine(next) || next.starts_with(">From ") ||
                      (end != text.npos && next.empty() && date);
  return (after_empty_line ? 1 : 0) + (date ? 1 : 0) + (header ? 1 : 0) >= 2;
}

}  // namespace

Result<size_t> FileMboxInput::ReadAt(uint64_t offset, char* buffer, size_t size) {
  for (;;) {
    const ssize_t count = ::pread(fd_, buffer, size, static_cast<off_t>(offset));
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) return Fail(Status::IoError(SystemErrorText(errno)));
  }
}

Result<size_t> MemoryMboxInput::ReadAt(uint64_t offset, char* buffer, size_t size) {
  if (offset >= bytes_.size()) return 0;
  return bytes_.copy(buffer, size, offset);
}

MboxReader::MboxReader(MboxInput* input, uint64_t max_message_bytes, MboxVariant variant)
    : input_(input), max_message_bytes_(max_message_bytes), variant_(variant) {}

// Makes the window hold `size` bytes at `offset`, or all up to the end of the file.
Status MboxReader::Fill(uint64_t offset, size_t size) {
  if (offset < buffer_start_ || offset > buffer_start_ + buffer_.size()) {
    buffer_.clear();
    buffer_start_ = offset;
    buffer_at_end_ = false;
  }
  const uint64_t end = buffer_start_ + buffer_.size();
  if (buffer_at_end_ || end - offset >= size) return {};
  buffer_.erase(0, static_cast<size_t>(offset - buffer_start_));
  buffer_start_ = offset;
  const size_t wanted = std::max(size, kMboxWindowBytes);
  size_t have = buffer_.size();
  buffer_.resize(wanted);
  while (have < wanted) {
    auto count = input_->ReadAt(offset + have, buffer_.data() + have, wanted - have);
    if (!count) {
      buffer_.resize(have);
      return count.error();
    }
    if (*count == 0) {
      buffer_at_end_ = true;
      break;
    }
    have += *count;
  }
  buffer_.resize(have);
  return {};
}

std::string_view MboxReader::Window(uint64_t offset) const {
  const std::string_view window = buffer_;
  return window.substr(std::min(static_cast<size_t>(offset - buffer_start_), window.size()));
}

Result<bool> MboxReader::IsFromLine(uint64_t offset, bool after_empty_line) {
  RECALL_TRY(Fill(offset, kMboxLookBytes));
  return BeginsMboxMessage(Window(offset), after_empty_line);
}

// Returns the offset of the first "From " line of a message after `offset`, which is the start of
// another line; the end of the file if there is none. If `copy_`, appends the bytes before it to
// `copied_`.
Result<uint64_t> MboxReader::FindFromLine(uint64_t offset) {
  uint64_t done = offset;  // copied up to here
  const auto copy_until = [&](uint64_t end) {
    if (copy_ && end > done) {
      const std::string_view passed = Window(done).substr(0, static_cast<size_t>(end - done));
      copied_ += passed;
      if (copied_.size() > max_message_bytes_) {
        copy_ = false;
        copied_ = std::string();
      }
    }
    done = std::max(done, end);
  };
  for (uint64_t at = offset;;) {
    RECALL_TRY(Fill(at, kMboxLookBytes));
    const std::string_view window = Window(at);
    const size_t found = window.find("\nFrom ");
    if (found == window.npos) {
      if (buffer_at_end_) {
        copy_until(at + window.size());
        return at + window.size();
      }
      // The next window begins before words that this one may have cut, and before their line end.
      const uint64_t next = at + window.size() - 8;
      copy_until(next);
      at = next;
      continue;
    }
    const uint64_t line = at + found + 1;
    const std::string_view before = window.substr(0, found);
    const bool empty_line =
        before.ends_with('\n') || before.ends_with("\n\r") || (found == 0 && at == offset);
    copy_until(line);
    RECALL_ASSIGN(const bool is_from, IsFromLine(line, empty_line));
    if (is_from) return line;
    at = line;
  }
}

// Whether a message may end at `offset`: the file ends there, or a "From " line follows, perhaps
// after an empty line.
Result<bool> MboxReader::IsMessageEnd(uint64_t offset) {
  std::string look(kMboxLookBytes, '\0');
  size_t have = 0;
  while (have < look.size()) {
    RECALL_ASSIGN(const size_t count,
                  input_->ReadAt(offset + have, look.data() + have, look.size() - have));
    if (count == 0) break;
    have += count;
  }
  std::string_view rest = std::string_view(look).substr(0, have);
  for (int i = 0; i < 2; ++i) {
    if (rest.starts_with("\r\n")) {
      rest.remove_prefix(2);
    } else if (rest.starts_with('\n')) {
      rest.remove_prefix(1);
    }
  }
  if (rest.empty()) {
    if (have > 0 || offset == 0) return true;
    char last;
    RECALL_ASSIGN(const size_t count, input_->ReadAt(offset - 1, &last, 1));
    return count == 1;
  }
  return BeginsMboxMessage(rest, true);
}

// Returns the end of the message whose header begins at `body` by its Content-Length, and sets
// *text to the start of its text. Returns kNoMboxOffset if it has no Content-Length or a wrong one.
Result<uint64_t> MboxReader::EndByLength(uint64_t body, uint64_t* text) {
  RECALL_TRY(Fill(body, kMboxHeaderBytes));
  const MailHeader header = ReadMailHeader(Window(body).substr(0, kMboxHeaderBytes));
  const std::string_view value = TrimMail(header[MailField::kContentLength]);
  uint64_t length = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (value.empty() || error != std::errc() || end != value.data() + value.size() ||
      length > kNoMboxOffset / 2) {
    return kNoMboxOffset;
  }
  *text = body + header.body;
  const uint64_t offset = *text + length;
  RECALL_ASSIGN(const bool is_end, IsMessageEnd(offset));
  return is_end ? offset : kNoMboxOffset;
}

Status MboxReader::ReadBytes(uint64_t start, uint64_t end, std::string* bytes) {
  bytes->resize(static_cast<size_t>(end - start));
  for (size_t have = 0; have < bytes->size();) {
    RECALL_ASSIGN(const size_t count,
                  input_->ReadAt(start + have, bytes->data() + have, bytes->size() - have));
    if (count == 0) {
      bytes->resize(have);
      break;
    }
    have += count;
  }
  return {};
}

// Reads the message whose header begins at `body` and that ends at `end`, by its Content-Length;
// its text begins at `text`. Returns the offset of the next piece, after the line ends that follow.
Result<uint64_t> MboxReader::ReadCounted(uint64_t body, uint64_t text, uint64_t end,
                                         MboxPiece* piece) {
  MboxVariant variant = variant_;
  if (end - body > max_message_bytes_) {
    piece->kind = MboxPieceKind::kTooLarge;
  } else {
    RECALL_TRY(ReadBytes(body, end, &piece->bytes));
    if (variant == MboxVariant::kAuto) {
      const auto at = std::min<size_t>(text - body, piece->bytes.size());
      const bool unquoted = HasFromLine(std::string_view(piece->bytes).substr(at));
      variant = unquoted ? MboxVariant::kCl2 : MboxVariant::kRd;
    }
    UnquoteMbox(variant, &piece->bytes);
  }
  RECALL_TRY(Fill(end, kMboxLookBytes));
  const std::string_view rest = Window(end);
  size_t skip = 0;
  while (skip < rest.size() && skip < 4 && (rest[skip] == '\n' || rest[skip] == '\r')) ++skip;
  return end + skip;
}

// Reads the message whose header begins at `body` up to the next "From " line. Returns the offset
// of that line.
Result<uint64_t> MboxReader::ReadToFromLine(uint64_t body, MboxPiece* piece) {
  copy_ = true;
  copied_.clear();
  uint64_t next = body;
  RECALL_ASSIGN(const bool is_empty, IsFromLine(body, false));
  if (!is_empty) {
    RECALL_ASSIGN(next, FindFromLine(body));
  }
  if (copy_) {
    piece->bytes = std::move(copied_);
    // The empty line before the next "From " line is not part of the message.
    if (piece->bytes.ends_with("\r\n\r\n")) {
      piece->bytes.resize(piece->bytes.size() - 2);
    } else if (piece->bytes.ends_with("\n\n")) {
      piece->bytes.pop_back();
    }
    UnquoteMbox(variant_, &piece->bytes);
  } else {
    piece->kind = MboxPieceKind::kTooLarge;
  }
  copied_ = std::string();
  return next;
}

Result<bool> MboxReader::Next(MboxPiece* piece) {
  *piece = MboxPiece();
  piece->offset = at_;
  RECALL_TRY(Fill(at_, kMboxLookBytes));
  if (Window(at_).empty()) return false;
  RECALL_ASSIGN(const bool is_from, IsFromLine(at_, true));
  uint64_t next = 0;
  if (!is_from) {
    copy_ = false;
    // Blank lines before the first message are no damage, but belong to no message either.
    piece->kind = MboxPieceKind::kDamaged;
    RECALL_ASSIGN(next, FindFromLine(at_));
  } else {
    const std::string_view window = Window(at_);
    const size_t newline = window.find('\n');
    piece->envelope = FirstMboxLine(window).substr(0, kLongestFromLine);
    const uint64_t body = newline == window.npos ? at_ + window.size() : at_ + newline + 1;
    uint64_t text = 0;
    uint64_t end = kNoMboxOffset;
    if (variant_ != MboxVariant::kO && variant_ != MboxVariant::kRd) {
      RECALL_ASSIGN(end, EndByLength(body, &text));
    }
    if (end != kNoMboxOffset) {
      RECALL_ASSIGN(next, ReadCounted(body, text, end, piece));
    } else {
      RECALL_ASSIGN(next, ReadToFromLine(body, piece));
    }
  }
  piece->length = next - at_;
  at_ = next;
  return true;
}

std::string MboxNames::Next(std::string_view message_id) {
  ++count_;
  constexpr size_t kLongestName = 150;
  std::string name;
  for (const char c : message_id.substr(0, kLongestName)) {
    const bool fits =
        c > ' ' && c <= '~' && std::string_view("/\\#:*?\"<>|").find(c) == std::string_view::npos;
    name.push_back(fits ? c : '_');
  }
  // A name of dots alone means a folder.
  if (name.starts_with('.')) name[0] = '_';
  if (name.empty()) {
    const std::string number = std::to_string(count_);
    name = "message-" + std::string(number.size() < 5 ? 5 - number.size() : 0, '0') + number;
  }
  const int64_t same = ++names_[name];
  return same == 1 ? name : name + "#" + std::to_string(same);
}

}  // namespace recall
