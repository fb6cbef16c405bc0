#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

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
  kReceived,    // read only for its presence
  kReturnPath,  // read only for its presence
  kMimeVersion,
};
inline constexpr size_t kMailFieldCount = 18;

// The raw values of a header. A field has the first value of its name, still folded, without the
// end of its last line.
struct MailHeader {
  std::array<std::string_view, kMailFieldCount> values;
  std::array<bool, kMailFieldCount> present{};
  size_t body = 0;    // the offset of the body, after the empty line
  size_t fields = 0;  // the number of fields of any name

  std::string_view operator[](MailField field) const { return values[static_cast<size_t>(field)]; }
  bool Has(MailField field) const { return present[static_cast<size_t>(field)]; }
};

// Reads the header at the start of `bytes`; any bytes are accepted. A line without a name belongs
// to the field before it if another field follows it; else the body begins there, as it does at a
// line that begins with "--" or "From ". Skips up to four lines "From " and ">From " at the start,
// which mailboxes add.
MailHeader ReadMailHeader(std::string_view bytes);

// Returns whether `line` begins as a field of a header: a name of printable characters and a colon.
bool IsMailFieldLine(std::string_view line);

}  // namespace recall
