#pragma once

#include <string_view>

#include "index/source/extract/types/extraction.h"

namespace recall {

// The text of an OpenDocument file (ODF 1.0 to 1.3, OASIS and ISO/IEC 26300), packed (.odt, .odp,
// .ods, their templates) or flat (.fodt, .fodp, .fods). Which of the three functions is called
// makes no difference: the body of the document decides what it is. Drawings (.odg) are read as
// slides.
//
// Text documents: headings by their outline level, the style "Title" as a heading of level 1, lists
// with their levels, preformatted paragraphs as code, tables as rows with tabs. After a paragraph
// or a row come the notes "[1] ...", the comments and the text boxes in it, and the alternative
// texts of pictures. Each header and footer comes once, at the end. Left out: tracked deletions,
// generated indexes (contents, figures, keywords), forms. Spans are kParagraph; paragraphs and
// headings are counted in the order of the file, those in tables and boxes too, those in notes and
// comments not. The name is that of the headings around it, "Guide > Install", at most 160 bytes.
// Headers and footers have the number 0 and the range "header" or "footer".
//
// Presentations: each slide begins with its title as a heading; the speaker's notes are last, with
// the range "notes". Spans are kSlide.
//
// Spreadsheets: each sheet begins with its name as a heading; cells as they are displayed, empty
// rows and columns are not written. Of more than 64 repeated rows or columns one is written.
// Hidden sheets are marked. Comments and shapes follow the sheet. Spans are kSheet.
//
// Meta: title, subject, description, author, keywords, created, modified, language.
//
// Outcomes: kEncrypted for one with a password; kUnsupported for OpenOffice.org 1.x, other kinds of
// document, and if a library is not installed; kTooLarge, kDamaged. A text over the limit is cut,
// with the warning "truncated_output". Warning "damaged_parts": styles.xml or meta.xml cannot be
// read; lists and titles may have lost their kind.
Extraction ExtractOdt(std::string_view bytes, const ExtractLimits& limits);
Extraction ExtractOdp(std::string_view bytes, const ExtractLimits& limits);
Extraction ExtractOds(std::string_view bytes, const ExtractLimits& limits);

}  // namespace recall
