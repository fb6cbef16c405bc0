#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A stream of an object, with its dictionary but for the length.
inline std::string PdfStreamObject(const std::string& dictionary, const std::string& bytes) {
  return "<< " + dictionary + " /Length " + std::to_string(bytes.size()) + " >>\nstream\n" + bytes +
         "\nendstream";
}

// A PDF file of these objects, numbered from 1, of which the first is the catalog. "": no object.
inline std::string MakePdfOfObjects(const std::vector<std::string>& objects,
                                    const std::string& trailer = "") {
  std::string pdf = "%PDF-1.7\n%\xE2\xE3\xCF\xD3\n";
  std::string table;
  for (size_t i = 0; i < objects.size(); ++i) {
    const std::string offset = std::to_string(pdf.size());
    table += std::string(10 - offset.size(), '0') + offset +
             (objects[i].empty() ? " 00000 f \n" : " 00000 n \n");
    if (!objects[i].empty()) pdf += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const std::string start = std::to_string(pdf.size());
  const std::string size = std::to_string(objects.size() + 1);
  return pdf + "xref\n0 " + size + "\n0000000000 65535 f \n" + table + "trailer\n<< /Size " + size +
         " /Root 1 0 R " + trailer + " >>\nstartxref\n" + start + "\n%%EOF\n";
}

// zlib's form of bytes without compression (RFC 1950, RFC 1951: stored blocks).
inline std::string StoredZlib(std::string_view bytes) {
  std::string out = "\x78\x01";
  unsigned a = 1, b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  do {
    const size_t size = std::min<size_t>(bytes.size(), 0xFFFF);
    out += static_cast<char>(size == bytes.size() ? 1 : 0);
    for (const size_t value : {size, ~size}) {
      out += static_cast<char>(value);
      out += static_cast<char>(value >> 8);
    }
    out += bytes.substr(0, size);
    bytes.remove_prefix(size);
  } while (!bytes.empty());
  for (const unsigned value : {b, a}) {
    out += static_cast<char>(value >> 8);
    out += static_cast<char>(value);
  }
  return out;
}

}  // namespace recall
