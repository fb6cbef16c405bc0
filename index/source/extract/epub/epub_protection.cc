#include "index/source/extract/epub/epub_protection.h"

#include <string_view>

#include "index/source/extract/container/xml_tree.h"
#include "index/source/extract/epub/epub_names.h"

namespace recall {
namespace {

constexpr std::string_view kEpubEncryptionEntry = "META-INF/encryption.xml";

bool IsFontObfuscation(std::string_view algorithm) {
  return algorithm == "http://www.idpf.org/2008/embedding" ||
         algorithm == "http://ns.adobe.com/pdf/enc#RC";
}

}  // namespace

Result<std::unordered_set<std::string>> EncryptedEntries(ZipContainer* container, int max_depth) {
  std::unordered_set<std::string> encrypted;
  if (container->Find(kEpubEncryptionEntry) == nullptr) return encrypted;
  RECALL_ASSIGN(const XmlTree tree,
                XmlTree::ReadEntry(container, kEpubEncryptionEntry, EpubNamespaces(), max_depth));
  const XmlNode root = tree.root();
  for (XmlNode node = root; node; node = node.NextInDocument(root)) {
    if (node.name() != "enc:EncryptedData") continue;
    if (IsFontObfuscation(node.Child("enc:EncryptionMethod").Attribute("Algorithm"))) continue;
    // References are relative to the root of the container.
    std::string entry = ResolveEntryName(
        "", node.Child("enc:CipherData").Child("enc:CipherReference").Attribute("URI"));
    if (!entry.empty()) encrypted.insert(std::move(entry));
  }
  return encrypted;
}

std::string ProtectionName(const ZipContainer& container) {
  if (container.Find("META-INF/license.lcpl") != nullptr) return "Readium LCP";
  if (container.Find("META-INF/sinf.xml") != nullptr) return "Apple FairPlay";
  if (container.Find("META-INF/rights.xml") != nullptr) return "Adobe ADEPT";
  return "unknown";
}

}  // namespace recall
