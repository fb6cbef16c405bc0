// MboxReader: the pieces of any bytes cover them without a gap, each within the limit, and reading
// from the offset of a piece gives the same piece. MboxNames: names are unique and fit into a path.
// Input: a byte for the variant; the mailbox.

#include <set>

#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "index/source/extract/mail/mail_extract.h"
#include "index/source/extract/mail/mbox_reader.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  ByteReader bytes(input);
  const auto variant = static_cast<MboxVariant>(bytes.Read<uint8_t>() % 5);
  const std::string_view box = AsText(TakeRest(bytes));
  constexpr uint64_t kLimit = 1000;
  MemoryMboxInput file(box);
  MboxReader reader(&file, kLimit, variant);
  MboxNames names;
  std::set<std::string> given;
  uint64_t at = 0;
  for (MboxPiece piece;;) {
    const auto more = reader.Next(&piece);
    RECALL_CHECK(more.has_value());
    if (!*more) break;
    RECALL_CHECK(piece.offset == at && piece.length > 0);
    at += piece.length;
    RECALL_CHECK(piece.bytes.size() <= kLimit && piece.bytes.size() <= piece.length);
    RECALL_CHECK(piece.kind == MboxPieceKind::kMessage || piece.bytes.empty());
    // A piece does not depend on what precedes it.
    MboxPiece again;
    MemoryMboxInput rest(box.substr(piece.offset));
    MboxReader other(&rest, kLimit, variant);
    RECALL_CHECK(other.Next(&again).value_or(false));
    RECALL_CHECK(again.kind == piece.kind && again.length == piece.length &&
                 again.bytes == piece.bytes);
    const std::string name = names.Next(MailMessageId(piece.bytes));
    RECALL_CHECK(given.insert(name).second && IsValidUtf8(name));
    RECALL_CHECK(!name.empty() && name[0] != '.' && name.find('/') == std::string::npos);
  }
  RECALL_CHECK(at == box.size());
}

}  // namespace recall
