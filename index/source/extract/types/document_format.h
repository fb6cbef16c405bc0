#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// The formats of files from which text is extracted.
enum class DocumentFormat : uint8_t {
  kPdf,
  kHtml,
  kDocx,
  kPptx,
  kXlsx,
  kOdt,
  kOdp,
  kOds,
  kEpub,
  kMail,
  kNotebook,
};

// "pdf", "html", "docx", ..., "mail", "notebook".
std::string_view FormatName(DocumentFormat format);

// Returns the version of our extractor of a format. It must be raised whenever the same file would
// give another text.
int ExtractorVersion(DocumentFormat format);

// The format of a file; nothing for one that is text itself or of no known format. Content decides;
// the name decides between formats that look alike:
//
//   PDF       "%PDF-" within the first 1024 bytes
//   packages  a ZIP archive: its member `mimetype` (ODF, EPUB), or its parts (OOXML); a file named
//             .docx and so on that is an OLE compound file is of the format, too (encrypted)
//   HTML      a document type, or an element html, head or body at the beginning, and the suffix
//             .html, .htm or .xhtml: a template or a fragment stays as it is; a header field at
//             the beginning, and the suffix .mhtml or .mht
//   flat ODF  the suffix .fodt, .fodp or .fods, and the element office:document
//   notebook  the suffix .ipynb
//   mail      a message in TNEF, as winmail.dat is; the suffix .eml or .emlx; in a folder `cur` or
//             `new`, a name such as a Maildir has, and a header field at the beginning
//
// Cost: the first and the last 64 KiB are read.
std::optional<DocumentFormat> DetectFormat(std::string_view path, std::string_view bytes);

// Whether a file of this name can be of a format that is not text, so that all of it must be read
// before it is refused.
bool MayHaveFormat(std::string_view path);

}  // namespace recall
