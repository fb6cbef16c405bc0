#pragma once

#include <string_view>

#include "index/source/extract/html/html_writer.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

enum class HtmlContent : uint8_t {
  kMain,  // without menus, headers, footers and what else surrounds the content of a page
  kAll,   // all visible text
};

// Reads a page: HTML or XHTML, in any charset of html_charset.h. The text is Markdown
// (html_writer.h); locators are kElement with the id of the nearest element before that has one.
// Meta: html_meta.h, and "extraction_score" ("0.93") for kMain. Warnings: "fallback_all_text" where
// the main content could not be told from the rest, and all visible text was taken.
//
// Outcomes: kText; kNoText for a page without visible text; kTooLarge; kUnsupported without
// libgumbo. No page is damaged: the HTML standard gives each sequence
// of bytes a meaning.
Extraction ExtractHtml(std::string_view bytes, const ExtractLimits& limits, HtmlContent content);

// Appends all visible text of a page that is part of a document (a chapter, the body of a message)
// to extraction->text, with spans whose locators `locate` makes, and its links to
// extraction->meta["links"]. Lists of contents that are written as headings are left out, since
// the document has these headings again (html_contents_list.h). `charset`: known from elsewhere, or
// "". limits.max_text_bytes is for the whole of extraction->text. `title`, if not null: is set to
// the page's title, or "".
//
// Returns: kText, also if the page has no text, with the text added; or kTooLarge, kUnsupported,
// with `extraction->reason` set, and the text as far as it came.
ExtractOutcome AppendHtmlPage(std::string_view bytes, std::string_view charset,
                              const ExtractLimits& limits, const ElementLocator& locate,
                              Extraction* extraction, std::string* title);

}  // namespace recall
