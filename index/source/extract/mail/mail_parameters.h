#pragma once

#include <map>
#include <string>
#include <string_view>

#include "index/source/extract/mail/mail_value.h"

namespace recall {

// A value with parameters (RFC 2045, section 5.1; RFC 2231): "text/plain; charset=utf-8".
struct MailParameters {
  std::string value;                         // lower case, without space
  std::map<std::string, std::string> named;  // by name in lower case; UTF-8, but
                                             // "boundary" is as it was

  std::string_view operator[](const std::string& name) const {
    const auto found = named.find(name);
    return found == named.end() ? std::string_view() : std::string_view(found->second);
  }
};
MailParameters ReadMailParameters(std::string_view raw, MailNotes* notes);

}  // namespace recall
