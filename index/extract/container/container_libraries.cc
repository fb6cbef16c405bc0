#include "index/extract/container/container_libraries.h"

#include <dlfcn.h>

namespace recall {
namespace {

template <typename Function>
bool LoadContainerFunction(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(::dlsym(library, name));
  return *function != nullptr;
}

const InflateLibrary* LoadInflateLibrary() {
  void* const library = ::dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  static InflateLibrary zlib;
  const bool all = LoadContainerFunction(library, "inflateInit2_", &zlib.init) &&
                   LoadContainerFunction(library, "inflate", &zlib.inflate) &&
                   LoadContainerFunction(library, "inflateEnd", &zlib.end) &&
                   LoadContainerFunction(library, "crc32", &zlib.crc32);
  return all ? &zlib : nullptr;
}

const ExpatLibrary* LoadExpatLibrary() {
  void* const library = ::dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  static ExpatLibrary expat;
  const bool all =
      LoadContainerFunction(library, "XML_ParserCreateNS", &expat.create) &&
      LoadContainerFunction(library, "XML_ParserFree", &expat.free) &&
      LoadContainerFunction(library, "XML_SetUserData", &expat.set_user_data) &&
      LoadContainerFunction(library, "XML_SetElementHandler", &expat.set_element_handler) &&
      LoadContainerFunction(library, "XML_SetCharacterDataHandler",
                            &expat.set_character_data_handler) &&
      LoadContainerFunction(library, "XML_SetEntityDeclHandler", &expat.set_entity_decl_handler) &&
      LoadContainerFunction(library, "XML_SetSkippedEntityHandler",
                            &expat.set_skipped_entity_handler) &&
      LoadContainerFunction(library, "XML_SetHashSalt", &expat.set_hash_salt) &&
      LoadContainerFunction(library, "XML_Parse", &expat.parse) &&
      LoadContainerFunction(library, "XML_StopParser", &expat.stop) &&
      LoadContainerFunction(library, "XML_GetErrorCode", &expat.error_code) &&
      LoadContainerFunction(library, "XML_ErrorString", &expat.error_string) &&
      LoadContainerFunction(library, "XML_GetCurrentLineNumber", &expat.line) &&
      LoadContainerFunction(library, "XML_GetCurrentByteIndex", &expat.byte_index);
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
