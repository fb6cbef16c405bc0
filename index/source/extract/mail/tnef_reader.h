#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// What Outlook puts beside a message, mostly as `winmail.dat` (MS-OXTNEF). Views are of the bytes
// that were read. Texts are UTF-8 unless they say otherwise; "" where there is none.
struct TnefMessage {
  struct File {
    std::string name;
    std::string_view bytes;
  };

  std::string subject, from, to, cc;
  std::string date;        // "2026-11-27T08:41:18Z"
  std::string message_id;  // without "<" and ">"
  std::string plain;
  std::string_view html;  // in `html_charset`
  std::string_view rtf;   // packed (UnpackRtf)
  std::string html_charset;
  std::vector<File> files;  // a message in the message is a file that IsTnef, named ".tnef"
  bool is_cut = false;      // the bytes end within it, or break its rules
};

// Whether bytes are such a message.
bool IsTnef(std::string_view bytes);

// Reads a message. Returns: nothing if it is none. Reads any bytes, up to where they break the
// rules; linear in them.
std::optional<TnefMessage> ReadTnef(std::string_view bytes);

}  // namespace recall
