#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/mail/mail_value.h"

namespace recall {

// Returns the addresses of a list, each as "Name <a@b>" or "a@b", decoded. Addresses in groups are
// listed one by one; after 1,000 addresses `notes->cut_header` is set.
std::vector<std::string> DecodeMailAddresses(std::string_view raw, std::string_view charset,
                                             MailNotes* notes);

}  // namespace recall
