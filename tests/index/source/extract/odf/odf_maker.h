#pragma once

#include <string>
#include <string_view>

#include "tests/index/source/extract/zip_maker.h"

namespace recall {

inline constexpr std::string_view kOdfDeclarations =
    " xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\""
    " xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\""
    " xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\""
    " xmlns:draw=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\""
    " xmlns:presentation=\"urn:oasis:names:tc:opendocument:xmlns:presentation:1.0\""
    " xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\""
    " xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\""
    " xmlns:meta=\"urn:oasis:names:tc:opendocument:xmlns:meta:1.0\""
    " xmlns:chart=\"urn:oasis:names:tc:opendocument:xmlns:chart:1.0\""
    " xmlns:math=\"http://www.w3.org/1998/Math/MathML\""
    " xmlns:xlink=\"http://www.w3.org/1999/xlink\""
    " xmlns:dc=\"http://purl.org/dc/elements/1.1/\"";

// An XML document of a package: root is "document-content" and the like.
inline std::string OdfXml(std::string_view root, std::string_view inside) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><office:" + std::string(root) +
         std::string(kOdfDeclarations) + ">" + std::string(inside) +
         "</office:" + std::string(root) + ">";
}

// A package with this body: kind is "text", "presentation" or "spreadsheet".
inline std::string MakeOdf(std::string_view kind, std::string_view body,
                           std::string_view automatic_styles = "",
                           std::vector<MadeZipEntry> others = {}) {
  const std::string tag = "office:" + std::string(kind);
  others.insert(others.begin(),
                {"mimetype", "application/vnd.oasis.opendocument." + std::string(kind)});
  others.push_back(
      {"content.xml",
       OdfXml("document-content", "<office:automatic-styles>" + std::string(automatic_styles) +
                                      "</office:automatic-styles><office:body><" + tag + ">" +
                                      std::string(body) + "</" + tag + "></office:body>")});
  return MakeZip(others);
}

}  // namespace recall
