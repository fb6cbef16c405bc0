#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/mail/mail_header.h"
#include "index/source/extract/mail/mail_value.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

struct MailMessage;

// A part of a message (RFC 2046). Views are of the bytes of the message, or of `decoded` of a
// message around it.
struct MailPart {
  std::string number;   // "1", "1.2", as in IMAP (RFC 3501, section 6.4.5); "": a multipart message
  std::string type;     // "text/plain", lower case
  std::string charset;  // as written; ""
  std::string protocol, smime_type;           // parameters, lower case; ""
  std::string encoding;                       // of the transfer, as written
  std::string name;                           // of a file; UTF-8; ""
  bool flowed = false, delete_space = false;  // RFC 3676
  bool is_attachment = false;                 // Content-Disposition says so
  bool is_inline = false;                     // Content-Disposition says so
  bool has_content_id = false;
  std::string_view body;                 // of a leaf, encoded
  std::vector<MailPart> children;        // of a multipart
  std::unique_ptr<MailMessage> message;  // of a message/rfc822
};

struct MailMessage {
  MailHeader header;
  MailPart root;
  std::string decoded;  // the bytes of the message, if they were encoded in another
};

// What was found while the parts were read.
struct MailShape {
  ExtractOutcome outcome = ExtractOutcome::kText;  // or kTooLarge
  std::string reason;
  bool unclosed = false;          // a multipart does not end
  bool without_boundary = false;  // a multipart has no parts: it is taken as plain text
  uint64_t unpacked = 0;          // bytes of messages that were encoded in others
};

// Multiparts in multiparts, of all messages in each other.
inline constexpr int kMostMailDepth = 64;

// Reads the parts of a message in one pass over its bytes. A message in messages deeper than
// limits.max_nesting is a part without `message`. kTooLarge: more parts than limits.max_members, a
// depth over kMostMailDepth, or more unpacked bytes than allowed.
std::unique_ptr<MailMessage> ReadMailParts(std::string_view bytes, const ExtractLimits& limits,
                                           MailNotes* notes, MailShape* shape);

}  // namespace recall
