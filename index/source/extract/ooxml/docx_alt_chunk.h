#pragma once

#include <string_view>

#include "index/source/extract/markdown/markdown_writer.h"
#include "index/source/extract/types/extraction.h"
#include "storage/base/result.h"

namespace recall {

// Writes what a part that Word imports when it opens the document (w:altChunk) says: a page in
// HTML, a web archive (MHTML), or plain text. `part`: its name, of which the extension tells text.
// Text in another charset is decoded. Errors: Unsupported for other formats, such as RTF or another
// .docx; InvalidArgument for a .txt that is no text. Linear in the bytes.
Status WriteAltChunk(std::string_view part, std::string_view bytes, const ExtractLimits& limits,
                     MarkdownWriter* writer);

}  // namespace recall
