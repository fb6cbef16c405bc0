#pragma once

#include <string>
#include <unordered_set>

#include "index/source/extract/container/zip_container.h"
#include "storage/base/result.h"

namespace recall {

// The entries that META-INF/encryption.xml says are encrypted. Fonts that are only obfuscated
// (by the methods of IDPF and of Adobe) are not among them. Errors: those of XmlTree::ReadEntry.
Result<std::unordered_set<std::string>> EncryptedEntries(ZipContainer* container, int max_depth);

// The name of the system that protects the book, for people: "Adobe ADEPT"; "unknown" if its files
// do not tell.
std::string ProtectionName(const ZipContainer& container);

}  // namespace recall
