#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/source/extract/charset/text_bytes.h"
#include "index/source/extract/process/extractor_pool.h"
#include "storage/base/ids.h"
#include "storage/base/result.h"

namespace recall {

// Reads the text of a file, byte for byte. A file that is compressed as its name says (`.gz`,
// `.zst`, `.xz`) is the text that is unpacked, and `max_bytes` applies to that; `*remark`, if it is
// given, is set if bytes at its end were ignored. Errors: InvalidArgument if it is not text (a NUL
// byte or ill-formed UTF-8; the message contains which and where), LimitExceeded if it is larger
// than `max_bytes`, those of Unpack for a compressed file, NotFound or IoError if it cannot be
// read. Messages do not contain the path, which the caller adds. If the file changes meanwhile, the
// text may be a mixture of old and new.
Result<std::string> ReadTextFile(const std::string& path, uint64_t max_bytes,
                                 std::string* remark = nullptr);

// Checks that `text` is text, as files must be. Errors: InvalidArgument as above.
Status CheckText(std::string_view text);

// The bytes that a decoded text was made of.
struct OriginalOfText {
  std::string charset;
  bool is_given = false;  // as in DecodedText
  uint64_t replaced = 0;
  Digest hash = {};
  int64_t size = 0;
};

// A file as it is, or unpacked if it is compressed.
struct FileContent {
  std::string bytes;
  std::optional<ExtractorChoice> extractor;  // none: `bytes` is text
  std::optional<OriginalOfText> original;    // set if `bytes` is text in another form than the file
  std::string remark;                        // as of ReadTextFile
};

// What reads the bytes of files.
struct ContentReaders {
  const ExtractorPool* extractors = nullptr;  // null: no format is extracted
  std::string_view encoding = {};             // the charset of text that is not UTF-8; "": detected
};

// Reads a text file, or a document of another format of at most `max_document_bytes`. Text in
// other charsets is decoded as by DecodeTextBytes. Errors: those of ReadTextFile.
Result<FileContent> ReadDocumentFile(const std::string& path, const ContentReaders& readers,
                                     uint64_t max_text_bytes, uint64_t max_document_bytes);

// Completes the content of a file of this name, of which `bytes` is set, such as the member of an
// archive, or the content of a compressed file "report.pdf.gz": chooses its extractor, or decodes
// it. Errors: those of DecodeTextBytes.
Status CompleteContent(std::string_view path, const ContentReaders& readers, FileContent* content);

// The bytes of a file, whatever they are; unpacked if it is compressed. Errors: those of
// ReadTextFile.
Result<std::string> ReadFileBytes(const std::string& path, uint64_t max_bytes);

struct ExtractedMetadata {
  std::optional<std::string> object;  // a JSON object with sorted, normalised keys
  // What front matter was not read as YAML or not read at all, and why; "" if all of it was.
  std::string shortfall;
};

// Extracts the metadata at the top of a text, if there is any: YAML front matter between `---`
// lines, else `Key: value` lines below an optional first heading. Front matter that is invalid
// YAML, has more than 10,000 values or more than 32 levels is read as `key: value` lines; beyond 64
// KiB it is not read. Both are reported in `shortfall`. Keys: lower case, runs of space, `_` and
// `-` become one `_`, other ASCII punctuation is dropped; of equal keys the last wins. YAML scalars
// become null, booleans and numbers by YAML 1.2's core schema (dates and numbers like 007 stay
// strings); values of lines are strings.
ExtractedMetadata ExtractMetadata(std::string_view text);

}  // namespace recall
