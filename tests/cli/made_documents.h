#pragma once

#include <string>
#include <vector>

#include "tests/index/source/extract/zip_maker.h"

namespace recall {

// A PDF with a line of text in Helvetica on each page; a page of "" has none.
inline std::string MakePdf(const std::vector<std::string>& pages) {
  std::vector<std::string> objects = {"<< /Type /Catalog /Pages 2 0 R >>"};
  std::string kids;
  for (size_t i = 0; i < pages.size(); ++i) kids += std::to_string(4 + 2 * i) + " 0 R ";
  objects.push_back("<< /Type /Pages /Kids [ " + kids + "] /Count " + std::to_string(pages.size()) +
                    " >>");
  objects.push_back("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (size_t i = 0; i < pages.size(); ++i) {
    objects.push_back("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents " +
                      std::to_string(5 + 2 * i) + " 0 R /Resources << /Font << /F1 3 0 R >> >> >>");
    const std::string stream =
        pages[i].empty() ? "" : "BT /F1 12 Tf 72 700 Td (" + pages[i] + ") Tj ET";
    objects.push_back("<< /Length " + std::to_string(stream.size()) + " >>\nstream\n" + stream +
                      "\nendstream");
  }
  std::string pdf = "%PDF-1.4\n";
  std::string table;
  for (size_t i = 0; i < objects.size(); ++i) {
    const std::string offset = std::to_string(pdf.size());
    table += std::string(10 - offset.size(), '0') + offset + " 00000 n \n";
    pdf += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const std::string start = std::to_string(pdf.size());
  const std::string size = std::to_string(objects.size() + 1);
  return pdf + "xref\n0 " + size + "\n0000000000 65535 f \n" + table + "trailer\n<< /Size " + size +
         " /Root 1 0 R >>\nstartxref\n" + start + "\n%%EOF\n";
}

// A notebook of Markdown and code cells: a text that begins with "#" is Markdown.
inline std::string MakeNotebook(const std::vector<std::string>& cells) {
  std::string json = R"({"nbformat": 4, "nbformat_minor": 5, "metadata": )"
                     R"({"kernelspec": {"name": "python3", "language": "python"}}, "cells": [)";
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool markdown = cells[i].starts_with('#');
    json += std::string(i > 0 ? "," : "") + R"({"cell_type": ")" +
            (markdown ? "markdown" : "code") + R"(", "id": "c)" + std::to_string(i + 1) +
            R"(", "metadata": {}, "source": ")" + cells[i] + "\"" +
            (markdown ? "}" : R"(, "outputs": [], "execution_count": null})");
  }
  return json + "]}";
}

// A DOCX file of paragraphs; one that begins with "# " is a heading.
inline std::string MakeDocx(const std::vector<std::string>& paragraphs) {
  std::string body;
  for (const std::string& paragraph : paragraphs) {
    const bool heading = paragraph.starts_with("# ");
    body += "<w:p>";
    if (heading) body += R"(<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>)";
    body += "<w:r><w:t>" + paragraph.substr(heading ? 2 : 0) + "</w:t></w:r></w:p>";
  }
  return MakeZip({
      {"[Content_Types].xml",
       R"(<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>)"},
      {"_rels/.rels",
       R"(<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">)"
       R"(<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/)"
       R"(relationships/officeDocument" Target="word/document.xml"/></Relationships>)"},
      {"word/document.xml",
       R"(<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">)"
       "<w:body>" +
           body + "</w:body></w:document>"},
      {"word/styles.xml",
       R"(<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">)"
       R"(<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>)"
       "</w:styles>"},
      {"word/_rels/document.xml.rels",
       R"(<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">)"
       R"(<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/)"
       R"(relationships/styles" Target="styles.xml"/></Relationships>)"},
  });
}

}  // namespace recall
