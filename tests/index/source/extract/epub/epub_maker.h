#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/index/source/extract/zip_maker.h"

namespace recall {

// A book to be made: its package document is "OPS/book.opf".
struct MadeBook {
  std::string metadata;            // elements, with the prefixes dc and opf
  std::vector<std::string> items;  // of the manifest
  std::vector<std::string> spine;  // ids; "nav" for <itemref idref="nav"/>
  std::string toc;                 // the attribute of the spine
  std::vector<std::pair<std::string, std::string>> entries;
};

// A book of XHTML documents, "OPS/c1.xhtml" and so on, in this order.
inline MadeBook BookOfChapters(const std::vector<std::string>& bodies) {
  MadeBook book;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const std::string id = "c" + std::to_string(i + 1);
    book.items.push_back("<item id='" + id + "' href='" + id +
                         ".xhtml' media-type='application/xhtml+xml'/>");
    book.spine.push_back(id);
    book.entries.emplace_back("OPS/" + id + ".xhtml",
                              "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>"
                              "<head><title>t</title></head><body>" +
                                  bodies[i] + "</body></html>");
  }
  return book;
}

inline std::string MakeEpub(const MadeBook& book) {
  std::string opf =
      "<package xmlns='http://www.idpf.org/2007/opf' unique-identifier='own' version='3.0'>"
      "<metadata xmlns:dc='http://purl.org/dc/elements/1.1/' "
      "xmlns:opf='http://www.idpf.org/2007/opf'>" +
      book.metadata + "</metadata><manifest>";
  for (const std::string& item : book.items) opf += item;
  opf += "</manifest><spine" + (book.toc.empty() ? "" : " toc='" + book.toc + "'") + ">";
  for (const std::string& id : book.spine) opf += "<itemref idref='" + id + "'/>";
  opf += "</spine></package>";
  std::vector<MadeZipEntry> entries = {
      {"mimetype", "application/epub+zip"},
      {"META-INF/container.xml",
       "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles><rootfile "
       "full-path='OPS/book.opf' media-type='application/oebps-package+xml'/></rootfiles>"
       "</container>"},
      {"OPS/book.opf", opf},
  };
  for (const auto& [name, text] : book.entries) entries.push_back({name, text});
  return MakeZip(entries);
}

}  // namespace recall
