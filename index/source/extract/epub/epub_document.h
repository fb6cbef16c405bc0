#pragma once

#include <string_view>

#include "index/source/extract/types/extraction.h"

namespace recall {

// The text of an EPUB book (versions 2 and 3): its documents in the order of the spine, each once,
// those that are not "linear" too. A document without a heading begins with its title in the
// navigation, if it has one there. Spans are kChapter: the number is the place in the spine, from
// 1; the name is the id of the nearest element before the text that has one. Left out: pictures but
// for their alternative texts, media, scripts, lists of contents and of pages in the documents.
//
// Meta: title, author (several), language, publisher, date, modified, identifier (several),
// keywords, description.
//
// Outcomes: kUnsupported for a book with DRM, which means that META-INF/encryption.xml names a
// document of the spine, and if a library is not installed; kEncrypted, kTooLarge, kDamaged.
// A document that cannot be read does not make the book unreadable, unless all are so. Text over
// the limit is cut. Warnings: "missing_chapters", "damaged_chapters", "unread_chapters" (pictures
// in the spine, unknown charsets, too many elements), "damaged_navigation", "truncated_output".
Extraction ExtractEpub(std::string_view bytes, const ExtractLimits& limits);

}  // namespace recall
