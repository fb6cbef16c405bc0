#pragma once

#include <string>
#include <string_view>

#include "index/search/snapshot/texts_and_facts.h"
#include "storage/base/result.h"

namespace recall {

// Where the files of documents are. `TextsAndFacts` knows the other directories that documents were
// added from.
struct SourcePlaces {
  std::string store_root;  // the directory of the store
  // Files that are neither this directory nor below it, symbolic links followed, do not exist; "":
  // all exist.
  std::string below = {};
};

// Returns: the text of the file, or of the member of an archive, that a document was added from, as
// it is now. `doc_path` as in DocRow. Errors: NotFound if it does not exist; those of ReadTextFile
// and ArchiveReader.
Result<std::string> ReadSourceText(const TextsAndFacts& texts, std::string_view doc_path,
                                   const SourcePlaces& places);

// The same without regard to what the bytes are: those of a document of another format, too. A
// compressed file is unpacked.
Result<std::string> ReadSourceBytes(const TextsAndFacts& texts, std::string_view doc_path,
                                    const SourcePlaces& places);

// Whether the archive that `doc_path`, the path of a member, names exists at any place where
// ReadSourceText looks for it.
Result<bool> ArchiveExists(const TextsAndFacts& texts, std::string_view doc_path,
                           const SourcePlaces& places);

}  // namespace recall
