#pragma once

#include <expat.h>
#include <zlib.h>

namespace recall {

// The functions of zlib that are used. It is loaded when the first ZIP container or zlib stream is
// read.
struct InflateLibrary {
  decltype(&::inflateInit2_) init;
  decltype(&::inflate) inflate;
  decltype(&::inflateEnd) end;
  decltype(&::crc32) crc32;

  // Returns: the library, which is never unloaded; null if it is not installed (Debian: zlib1g).
  // Thread-safe.
  static const InflateLibrary* Get();
};

// The functions of expat that are used. It is loaded when the first XML is read.
struct ExpatLibrary {
  decltype(&::XML_ParserCreateNS) create;
  decltype(&::XML_ParserFree) free;
  decltype(&::XML_SetUserData) set_user_data;
  decltype(&::XML_SetElementHandler) set_element_handler;
  decltype(&::XML_SetCharacterDataHandler) set_character_data_handler;
  decltype(&::XML_SetEntityDeclHandler) set_entity_decl_handler;
  decltype(&::XML_SetSkippedEntityHandler) set_skipped_entity_handler;
  decltype(&::XML_SetHashSalt) set_hash_salt;
  decltype(&::XML_Parse) parse;
  decltype(&::XML_StopParser) stop;
  decltype(&::XML_GetErrorCode) error_code;
  decltype(&::XML_ErrorString) error_string;
  decltype(&::XML_GetCurrentLineNumber) line;
  decltype(&::XML_GetCurrentByteIndex) byte_index;

  // Returns: the library, which is never unloaded; null if it is not installed (Debian: libexpat1).
  // Thread-safe.
  static const ExpatLibrary* Get();
};

}  // namespace recall
