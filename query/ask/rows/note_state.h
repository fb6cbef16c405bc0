#pragma once

#include <string>

#include "storage/documents/document_store.h"

namespace recall {

// "obsolete" or "expired" of a note that is no longer valid at `as_of`, else "".
std::string StateOfInvalidNote(const DocRow& doc, UnixNanos as_of);

}  // namespace recall
