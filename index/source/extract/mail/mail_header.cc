#include "index/source/extract/mail/mail_header.h"

#include <algorithm>

#include "index/source/extract/mail/mail_words.h"

namespace recall {
namespace {

constexpr size_t kLongestMailFieldName = 128;

// By MailField.
constexpr std::string_view kMailFieldNames[kMailFieldCount] = {"from",
                                                               "sender",
                                                               "to",
                                                               "cc",
                                                               "date",
                                                               "subject",
                                                               "message-id",
                                                               "in-reply-to",
                                                               "references",
                                                               "list-id",
                                                               "content-type",
                                                               "content-transfer-encoding",
                                                               "content-disposition",
                                                               "content-id",
                                                               "content-length",
                                                               "received",
                                                               "return-path",
                                                               "mime-version"};

// Returns the position of the colon after the name of a field at the start of a line, which may
// have spaces before it; npos if the line has no name.
size_t MailFieldNameEnd(std::string_view line) {
  const size_t colon = line.substr(0, kLongestMailFieldName).find(':');
  if (colon == line.npos || colon == 0) return line.npos;
  size_t end = colon;
  while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t')) --end;
  if (end == 0) return line.npos;
  for (const char c : line.substr(0, end)) {
    if (c <= ' ' || c > '~') return line.npos;
  }
  return colon;
}

std::string_view HeaderLineAt(std::string_view text, size_t at, size_t* next) {
  const size_t end = std::min(text.find('\n', at), text.size());
  *next = std::min(end + 1, text.size());
  std::string_view line = text.substr(at, end - at);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Skips the lines that mailboxes add before a header. Returns the position after them.
size_t SkipFromLines(std::string_view bytes) {
  size_t at = 0;
  size_t next = 0;
  for (int skipped = 0; at < bytes.size() && skipped < 4; ++skipped) {
    const std::string_view line = HeaderLineAt(bytes, at, &next);
    if (!line.starts_with("From ") && !line.starts_with(">From ")) break;
    at = next;
  }
  return at;
}

// Sets the first value of a field. Returns the field; -1 if it is not read, or is there already.
int AddMailField(std::string_view line, size_t colon, MailHeader* header) {
  ++header->fields;
  const std::string_view name = TrimMail(line.substr(0, colon));
  for (size_t i = 0; i < kMailFieldCount; ++i) {
    if (header->present[i] || !IsMailWord(name, kMailFieldNames[i])) continue;
    header->present[i] = true;
    header->values[i] = line.substr(colon + 1);
    return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

bool IsMailFieldLine(std::string_view line) { return MailFieldNameEnd(line) != line.npos; }

MailHeader ReadMailHeader(std::string_view bytes) {
  MailHeader header;
  size_t at = SkipFromLines(bytes);
  size_t next = 0;
  int field = -1;  // the one that the next line may continue; -1: one that is not read
  for (; at < bytes.size(); at = next) {
    const std::string_view line = HeaderLineAt(bytes, at, &next);
    if (line.empty()) {
      header.body = next;
      return header;
    }
    // A boundary, or the next message of a mailbox.
    if (line.starts_with("--") || line.starts_with("From ")) break;
    const size_t colon = MailFieldNameEnd(line);
    const bool continued = (line[0] == ' ' || line[0] == '\t') && header.fields > 0;
    if (!continued && colon != line.npos) {
      field = AddMailField(line, colon, &header);
      continue;
    }
    if (!continued) {
      size_t after;
      const std::string_view following = HeaderLineAt(bytes, next, &after);
      if (header.fields == 0 || !IsMailFieldLine(following)) break;
    }
    if (field >= 0) {
      std::string_view& value = header.values[static_cast<size_t>(field)];
      value = std::string_view(value.data(),
                               static_cast<size_t>(line.data() + line.size() - value.data()));
    }
  }
  header.body = at;
  return header;
}

}  // namespace recall
