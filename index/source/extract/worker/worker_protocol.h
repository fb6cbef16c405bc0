#pragma once

// What a program and its extraction workers say to each other over a socket. The program trusts a
// worker with nothing: a worker reads hostile files, and may be taken over by one.
//
//   program -> worker   a request of kRequestBytes, with the file as a descriptor (SCM_RIGHTS); of
//                       a PDF a pipe with the output of pdftotext, and the file; or, to decrypt
//                       it, the file, and a file of passwords, one a line:
//                         0  magic "RXQ1"
//                         4  format (1 byte), options (1 byte), 0 (2 bytes)
//                         8  the seven numbers of ExtractLimits, 8 bytes each, little-endian
//   worker -> program   size of the answer (8 bytes, little-endian), the answer:
//                         outcome (1 byte), peak memory in KiB, reason, text,
//                         record of the locator spans (locator_record.h),
//                         count of meta keys, for each: key, count of values, values
//                         count of warnings, warnings
//                         count of files, for each: name, bytes
//                       numbers are LEB128, a text is its size and its bytes.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/source/extract/types/document_format.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

struct ExtractRequest {
  DocumentFormat format = DocumentFormat::kPdf;
  bool all_html = false;  // extract all text of a page, not only its main content
  ExtractLimits limits;
  bool decrypt = false;  // of a PDF: answer with the file without encryption, and no text
};

inline constexpr size_t kRequestBytes = 64;
inline constexpr size_t kRequestFiles = 2;  // the most descriptors
std::array<char, kRequestBytes> EncodeExtractRequest(const ExtractRequest& request);
// Returns nothing if the bytes are not a request.
std::optional<ExtractRequest> DecodeExtractRequest(std::string_view bytes);

struct ExtractAnswer {
  Extraction extraction;
  int64_t peak_kib = 0;  // the most memory that the worker has used so far
};

// Encodes an answer without the size that precedes it.
std::string EncodeExtractAnswer(const ExtractAnswer& answer);
// Reads any bytes. Nothing unless all of it is as extraction.h says and within the limits: UTF-8
// without NUL, spans that ascend, few and short facts. Texts for people are cut to 1,000 bytes.
std::optional<ExtractAnswer> DecodeExtractAnswer(std::string_view bytes,
                                                 const ExtractLimits& limits);

// Returns the size of the largest answer within the limits.
uint64_t MostAnswerBytes(const ExtractLimits& limits);

}  // namespace recall
