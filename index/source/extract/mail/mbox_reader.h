#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// The bytes of a mailbox.
class MboxInput {
 public:
  virtual ~MboxInput() = default;
  // Reads up to `size` bytes at `offset`. Returns the number of bytes read; 0 only at the end.
  virtual Result<size_t> ReadAt(uint64_t offset, char* buffer, size_t size) = 0;
};

// The mailbox of an open file, which the caller closes; the position of the file is not used.
class FileMboxInput final : public MboxInput {
 public:
  explicit FileMboxInput(int fd) : fd_(fd) {}
  Result<size_t> ReadAt(uint64_t offset, char* buffer, size_t size) override;

 private:
  int fd_;
};

// A mailbox in memory, which must outlive it.
class MemoryMboxInput final : public MboxInput {
 public:
  explicit MemoryMboxInput(std::string_view bytes) : bytes_(bytes) {}
  Result<size_t> ReadAt(uint64_t offset, char* buffer, size_t size) override;

 private:
  std::string_view bytes_;
};

enum class MboxPieceKind : uint8_t {
  kMessage,
  kTooLarge,  // a message over the limit: `bytes` is empty
  kDamaged,   // bytes before the first "From " line, where no message is
};

// A piece of a mailbox. Pieces follow each other without a gap and cover the file.
struct MboxPiece {
  MboxPieceKind kind = MboxPieceKind::kMessage;
  uint64_t offset = 0;   // of its "From " line
  uint64_t length = 0;   // up to the next one
  std::string envelope;  // the "From " line without its end, at most 1000 bytes
  std::string bytes;     // the message after the "From " line, unquoted
};

// How the lines of a text that begin with "From " were protected.
enum class MboxVariant : uint8_t {
  kAuto,  // kCl2 where a Content-Length is right and the text has an unquoted "From " line; else
          // kRd
  kO,     // ">From " was "From ": one ">" is removed before "From " alone
  kRd,    // one ">" is removed from each line of ">" and "From "
  kCl,    // Content-Length, and quoted as in kO
  kCl2,   // Content-Length, and nothing is quoted
};

// Divides a mailbox (RFC 4155; qmail's mbox(5)) into messages, one at a time. Not thread-safe.
class MboxReader {
 public:
  // `input` must outlive the reader. A message of more than `max_message_bytes` in the file gives
  // a piece without its bytes.
  MboxReader(MboxInput* input, uint64_t max_message_bytes,
             MboxVariant variant = MboxVariant::kAuto);

  // Reads the next piece. Returns false at the end. Errors: those of the input.
  Result<bool> Next(MboxPiece* piece);

 private:
  Status Fill(uint64_t offset, size_t size);
  std::string_view Window(uint64_t offset) const;
  Result<bool> IsFromLine(uint64_t offset, bool after_empty_line);
  Result<uint64_t> FindFromLine(uint64_t offset);
  Result<uint64_t> EndByLength(uint64_t body, uint64_t* text);
  Result<bool> IsMessageEnd(uint64_t offset);
  Result<uint64_t> ReadCounted(uint64_t body, uint64_t text, uint64_t end, MboxPiece* piece);
  Result<uint64_t> ReadToFromLine(uint64_t body, MboxPiece* piece);
  Status ReadBytes(uint64_t start, uint64_t end, std::string* bytes);

  MboxInput* input_;
  const uint64_t max_message_bytes_;
  const MboxVariant variant_;
  uint64_t at_ = 0;  // the start of the next piece
  // A window of the file.
  std::string buffer_;
  uint64_t buffer_start_ = 0;
  bool buffer_at_end_ = false;  // the window ends where the file ends
  bool copy_ = false;           // FindFromLine keeps what it passes in `copied_`
  std::string copied_;
};

// Gives the messages of a mailbox their names, in the order of the mailbox.
class MboxNames {
 public:
  // Returns the name of the next message, one part of a path: its message id, with "_" for "#" and
  // for characters that a path cannot contain. Without an id it is "message-00012", by the place in
  // the mailbox, from 1. The second message of a name gets "#2" after it. Names depend only on the
  // ids so far.
  std::string Next(std::string_view message_id);

 private:
  int64_t count_ = 0;
  std::map<std::string, int64_t> names_;  // the number of messages of each name
};

}  // namespace recall
