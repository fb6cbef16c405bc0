#pragma once

// What a program and its workers say to each other about source code. As with documents
// (worker_protocol.h), the program trusts a worker with nothing.
//
//   program -> worker   a request of kRequestBytes, with the text as a descriptor (SCM_RIGHTS):
//                         0  magic "RXO1"
//                         4  the name of the grammar, filled up with 0
//   worker -> program   size of the answer (8 bytes, little-endian), the answer:
//                         outcome (1 byte), peak memory in KiB
//                         of kOutline also:
//                         count of definitions, for each: start byte less that of the one before
//                           it, bytes of comments, bytes of code, kind (1 byte), parent + 1, name
//                         count of cuts, for each: byte less that of the one before it, depth
//                       numbers are LEB128, a text is its size and its bytes.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/source/chunk/code_outline.h"
#include "index/source/extract/worker/worker_protocol.h"

namespace recall {

enum class OutlineOutcome : uint8_t {
  kOutline,
  kNone,  // ParseOutline has returned nothing
  // The worker parses nothing:
  kUnconfined,  // there is no sandbox
  kNoLibrary,   // libtree-sitter is not installed
};

struct OutlineAnswer {
  OutlineOutcome outcome = OutlineOutcome::kNone;
  CodeOutline outline;   // of kOutline
  int64_t peak_kib = 0;  // the most memory that the worker has used so far
};

// Requires: the name of the grammar has at most kRequestBytes - 4 bytes.
std::array<char, kRequestBytes> EncodeOutlineRequest(std::string_view grammar);
// Returns the name of the grammar; nothing if the bytes are not a request.
std::optional<std::string> DecodeOutlineRequest(std::string_view bytes);

// Encodes an answer without the size that precedes it.
std::string EncodeOutlineAnswer(const OutlineAnswer& answer);
// Reads any bytes. `text_bytes`: of the text that was to be parsed, with `grammar`. Nothing unless
// the outline is sound (index/source/code/outline_check.h).
std::optional<OutlineAnswer> DecodeOutlineAnswer(std::string_view bytes, std::string_view grammar,
                                                 uint64_t text_bytes);

// Returns the size of the largest answer about a text.
uint64_t MostOutlineAnswerBytes(uint64_t text_bytes);

}  // namespace recall
