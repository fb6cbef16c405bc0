#pragma once

#include <string>
#include <unordered_set>

#include "index/source/extract/container/zip_container.h"
#include "storage/base/result.h"

namespace recall {

// Returns the entries that are encrypted according to META-INF/encryption.xml. Fonts that are only
// obfuscated (by the methods of IDPF and of Adobe) are not among them. Errors: those of
// XmlTree::ReadEntry.
Result<std::unordered_set<std::string>> EncryptedEntries(ZipContainer* container, int max_depth);

// Returns the name of the system that protects the book, for people: "Adobe ADEPT"; "unknown" if
// none of its files is there.
std::string ProtectionName(const ZipContainer& container);

}  // namespace recall
