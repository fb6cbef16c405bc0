#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "index/source/extract/mail/mail_html.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// The text of one mail message (RFC 5322, MIME): an .eml file, a file of a Maildir, a message of a
// mailbox. It begins with "# Subject" and lines From, To, Cc and Date; then the texts of the parts
// in order. Of alternatives the plain text is taken, else the HTML, by `html`. Messages in the
// message follow as its parts, with a deeper heading; those nested deeper than limits.max_nesting,
// and attached ones, are files. Quotes stay; lines of "format=flowed" are joined. Left out:
// inline images, signatures, encrypted parts.
// What Outlook puts beside a message (TNEF, `winmail.dat`) is read, too: its attachments are files,
// its text is taken if the message has none, or a stub of it. A file may be one alone.
//
// Locators: kMessage; the name is the message id without "<" and ">", the range the number of the
// part ("1.2"), or "header", for a message in it "2.header".
// Meta: "from", "to", "cc" (an address each), "date" (UTC), "subject", "message_id", "in_reply_to",
// "references", "thread" (the first of References, else of In-Reply-To, else the own id),
// "list_id".
// Files: attachments, and files in uuencode in a text. A file without a name is "part-1.2.pdf".
// Warnings: "charset_unknown", "charset_wrong" (bytes are not of it: they became U+FFFD, or
// the text is read as what it is),
// "encrypted_part", "files_left_out" (limits.max_files, max_unpacked_bytes), "header_cut" (a value
// over 64 KiB), "parts_broken" (a multipart without a boundary; its text is taken as it is),
// "parts_unclosed" (cut off, or TNEF that is),
// "signed_opaque" (S/MIME whose text is within the signature).
//
// Outcomes: kDamaged: no header of a message; kEncrypted: the only content is encrypted (meta is
// given); kTooLarge: max_text_bytes, max_members (parts), kMostMailDepth.
Extraction ExtractMail(std::string_view bytes, const ExtractLimits& limits,
                       MailHtmlFunction html = &MailHtmlText);

// The message id of a message, without "<" and ">"; "" if it has none. Reads its header alone.
std::string MailMessageId(std::string_view message);

}  // namespace recall
