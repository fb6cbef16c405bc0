#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// Unpacks the RTF of a message (MS-OXRTFCP). Returns: nothing if the bytes are not that, or unpack
// to more than `max_bytes`; what there is of a stream that is cut off. Linear.
std::optional<std::string> UnpackRtf(std::string_view bytes, uint64_t max_bytes);

// What a message in RTF says.
struct RtfText {
  std::string text;      // UTF-8; a paragraph ends with "\n"
  bool is_html = false;  // `text` is the HTML that the RTF was made from (MS-OXRTFEX)
};

// Reads the text of RTF: without formats, pictures, fonts, and groups of properties such as the
// author. Bytes are of the charset of their font, else of the document. Any bytes are accepted;
// reading ends soon after the text exceeds `max_bytes`. Linear.
RtfText ReadRtf(std::string_view rtf, uint64_t max_bytes);

// The name of a Windows code page as AppendInCharset takes it; "" if there is none.
std::string CharsetOfCodePage(int64_t code_page);

}  // namespace recall
