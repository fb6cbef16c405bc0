#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/types/extraction.h"

namespace recall {

// A PDF file without encryption, or why there is none.
struct DecryptedPdf {
  ExtractOutcome outcome = ExtractOutcome::kText;
  std::string reason;  // "" for kText; contains no password
  std::string bytes;   // for kText
};

// Decrypts a file of the standard security handler (ISO 32000-2, 7.6: RC4 and AES, revisions 2 to
// 6) with the first of the passwords, in UTF-8, that is the user's or the owner's. The result has
// the objects that count, and a new table of them. Outcomes: kEncrypted if no password fits;
// kUnsupported for another handler or revision; kDamaged if facts are missing, or the file is not
// encrypted; kTooLarge for more than limits.max_unpacked_bytes. Linear in the file, for each
// password constant.
DecryptedPdf DecryptPdf(std::string_view file, const std::vector<std::string>& passwords,
                        const ExtractLimits& limits);

}  // namespace recall
