#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The fields of a header (RFC 5322, RFC 2045) that are read.
enum class MailField : uint8_t {
  kFrom,
  kSender,
  kTo,
  kCc,
  kDate,
  kSubject,
  kMessageId,
  kInReplyTo,
  kReferences,
  kListId,
  kContentType,
  kTransferEncoding,
  kDisposition,
  kContentId,
  kContentLength,
  kReceived,    // only whether it is there
  kReturnPath,  // the same
  kMimeVersion,
};
inline constexpr size_t kMailFieldCount = 18;

// The raw values of a header: the first of each field, folded, without the end of its last line.
struct MailHeader {
  std::array<std::string_view, kMailFieldCount> values;
  std::array<bool, kMailFieldCount> present{};
  size_t body = 0;    // the offset of the body, after the empty line
  size_t fields = 0;  // of any name

  std::string_view operator[](MailField field) const { return values[static_cast<size_t>(field)]; }
  bool Has(MailField field) const { return present[static_cast<size_t>(field)]; }
};

// Reads the header at the start of `bytes`. A line without a name belongs to the field before it if
// another field follows it; else the body begins there, as it does at a line that begins with "--"
// or "From ". Up to four lines "From " and ">From " at the start, which mailboxes add, are skipped.
// Never fails.
MailHeader ReadMailHeader(std::string_view bytes);

// Whether `line` begins as a field of a header: a name of printable characters and a colon.
bool IsMailFieldLine(std::string_view line);

// Decoded values are cut after this many bytes.
inline constexpr size_t kLongestMailValue = 64 << 10;

// What to tell of the decoding of headers and texts of a message.
struct MailNotes {
  bool unknown_charset = false;
  bool wrong_charset = false;
  bool cut_header = false;
};

// A value for people, in one line: unfolded, encoded words (RFC 2047) decoded, also where they are
// not allowed, such as in quotes. Bytes beyond ASCII are UTF-8 if they are, else of `charset`.
std::string DecodeMailValue(std::string_view raw, std::string_view charset, MailNotes* notes);

// The addresses of a list, each as "Name <a@b>" or "a@b", decoded; groups are taken apart.
std::vector<std::string> DecodeMailAddresses(std::string_view raw, std::string_view charset,
                                             MailNotes* notes);

// "2026-11-27T08:41:18Z" from a date of RFC 5322 or of asctime; "" if it is none. Without a zone it
// is taken as UTC.
std::string MailDateInUtc(std::string_view raw);

// The ids in a value, without "<" and ">"; at most `most`.
std::vector<std::string> MailIds(std::string_view raw, size_t most);

// A value with parameters (RFC 2045, section 5.1; RFC 2231): "text/plain; charset=utf-8".
struct MailParameters {
  std::string value;                         // lower case, without space
  std::map<std::string, std::string> named;  // by name in lower case; UTF-8, but
                                             // "boundary" is as it was

  std::string_view operator[](const std::string& name) const {
    const auto found = named.find(name);
    return found == named.end() ? std::string_view() : std::string_view(found->second);
  }
};
MailParameters ReadMailParameters(std::string_view raw, MailNotes* notes);

}  // namespace recall
