#pragma once

#include <string>
#include <string_view>

namespace recall {

// The bytes behind a content transfer encoding of MIME (RFC 2045, section 6). Decoders never fail:
// what is not of the encoding is skipped (base64) or stays as it is (quoted-printable).

// Base64; characters outside of its alphabet are skipped. Text that goes on after padding is
// decoded as well, since some gateways concatenate.
std::string DecodeMailBase64(std::string_view text);

// Returns where the base64 of a body ends. What comes after it is the footer that the program of a
// mailing list appends without a look at the encoding. Linear in the bytes.
size_t MailBase64End(std::string_view text);

// Quoted-printable. Line ends stay as they are; white space at the end of a line is removed.
std::string DecodeQuotedPrintable(std::string_view text);

// The "Q" encoding of header words (RFC 2047, section 4.2).
std::string DecodeQWord(std::string_view text);

// A file in uuencode (POSIX, uuencode).
struct UuFile {
  std::string name;
  std::string bytes;
};

// Reads a file whose "begin" line starts at `*at`. Returns: true, and *at is after the "end" line;
// false: there is none, and *at is where the search may go on: after the lines that were looked at.
bool ReadUuFile(std::string_view text, size_t* at, UuFile* file);

// Decodes `text` by the value of a Content-Transfer-Encoding field. Other encodings than these, and
// none, give the text itself, without a copy. The footer behind base64 is left out. The result is
// `text` or of *storage.
std::string_view DecodeMailTransfer(std::string_view text, std::string_view encoding,
                                    std::string* storage);

}  // namespace recall
