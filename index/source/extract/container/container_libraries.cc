#include "index/source/extract/container/container_libraries.h"

#include "storage/base/dynamic_library.h"

namespace recall {
namespace {

const InflateLibrary* LoadInflateLibrary() {
  void* const library = OpenLibrary("libz.so.1");
  if (library == nullptr) return nullptr;
  static InflateLibrary zlib;
  const bool all = LoadSymbol(library, "inflateInit2_", &zlib.init) &&
                   LoadSymbol(library, "inflate", &zlib.inflate) &&
                   LoadSymbol(library, "inflateEnd", &zlib.end) &&
                   LoadSymbol(library, "crc32", &zlib.crc32);
  return all ? &zlib : nullptr;
}

const ExpatLibrary* LoadExpatLibrary() {
  void* const library = OpenLibrary("libexpat.so.1");
  if (library == nullptr) return nullptr;
  static ExpatLibrary expat;
  const bool all =
      LoadSymbol(library, "XML_ParserCreateNS", &expat.create) &&
      LoadSymbol(library, "XML_ParserFree", &expat.free) &&
      LoadSymbol(library, "XML_SetUserData", &expat.set_user_data) &&
      LoadSymbol(library, "XML_SetElementHandler", &expat.set_element_handler) &&
      LoadSymbol(library, "XML_SetCharacterDataHandler", &expat.set_character_data_handler) &&
      LoadSymbol(library, "XML_SetEntityDeclHandler", &expat.set_entity_decl_handler) &&
      LoadSymbol(library, "XML_SetSkippedEntityHandler", &expat.set_skipped_entity_handler) &&
      LoadSymbol(library, "XML_SetHashSalt", &expat.set_hash_salt) &&
      LoadSymbol(library, "XML_Parse", &expat.parse) &&
      LoadSymbol(library, "XML_StopParser", &expat.stop) &&
      LoadSymbol(library, "XML_GetErrorCode", &expat.error_code) &&
      LoadSymbol(library, "XML_ErrorString", &expat.error_string) &&
      LoadSymbol(library, "XML_GetCurrentLineNumber", &expat.line) &&
      LoadSymbol(library, "XML_GetCurrentByteIndex", &expat.byte_index);
  return all ? &expat : nullptr;
}

}  // namespace

const InflateLibrary* InflateLibrary::Get() {
  static const InflateLibrary* const zlib = LoadInflateLibrary();
  return zlib;
}

const ExpatLibrary* ExpatLibrary::Get() {
  static const ExpatLibrary* const expat = LoadExpatLibrary();
  return expat;
}

}  // namespace recall
