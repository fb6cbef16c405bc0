#pragma once

#include <string_view>

#include "index/source/extract/types/extraction.h"

namespace recall {

// The text of Office Open XML documents (ECMA-376, transitional and strict). Parts are found by the
// relations of the package, never by their names. Facts: "title", "author", "subject", "keywords",
// "created", "modified", "language". An encrypted document is kEncrypted; a document of the older
// binary formats, and one of another kind than asked for, is kUnsupported. A part that the text
// does not need and that cannot be read gives the warning "damaged_parts".

// .docx, .docm, .dotx, .dotm. In: paragraphs, headings by style or outline level, list items,
// tables, text boxes, alternative texts of pictures, inserted text; footnotes, endnotes and
// comments after the paragraph that refers to them; each header and footer once, at the end. Out:
// deleted text, codes of fields. Locators: kParagraph, the number of the paragraph in the body,
// where paragraphs in tables count; name: the titles of the headings around it, "Guide > Install",
// at most 160 bytes. Headers and footers: number 0, range "header" or "footer".
Extraction ExtractDocx(std::string_view bytes, const ExtractLimits& limits);

// .pptx, .pptm, .potx, .ppsx. In: slides in the order of the presentation, the title first; tables,
// texts of diagrams and charts, alternative texts, comments, notes; hidden slides, which are
// marked. Out: layouts, masters, numbers, dates and footers of slides. Locators: kSlide; range
// "notes" for notes.
Extraction ExtractPptx(std::string_view bytes, const ExtractLimits& limits);

// .xlsx, .xlsm, .xltx. In: sheets in the order of the workbook, cells as they are shown, with the
// stored values of formulas; comments, texts of drawings and charts; hidden sheets, which are
// marked. Locators: kSheet, with the name of the sheet and the range of a few rows.
Extraction ExtractXlsx(std::string_view bytes, const ExtractLimits& limits);

}  // namespace recall
