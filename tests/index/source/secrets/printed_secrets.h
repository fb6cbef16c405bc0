#pragma once

#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// How the secret of a form is written.
enum class SecretWriting { kPlain, kBase64, kHexDump, kXxd, kOctalDump };

// How a tool, a file or a person writes a secret: `{S}` in `text` is one of `shape` (SecretShape).
struct PrintedSecret {
  std::string_view name;
  std::string_view text;
  std::string_view shape;
  SecretWriting writing = SecretWriting::kPlain;
};

const std::vector<PrintedSecret>& PrintedSecrets();

// Forms that rules were mended by.
std::span<const PrintedSecret> KnownForms();

// Forms that were drawn at random from one list with KnownForms, and that no rule was written for
// when they were first counted.
std::span<const PrintedSecret> FormsApart();

// Forms that were written down, and counted, after that.
std::span<const PrintedSecret> LaterForms();

// Forms by a writer who had seen neither these tables nor the rules of tools.
std::span<const PrintedSecret> FormsUnseen();

// A text with a secret in it.
struct PrintedText {
  std::string text;
  std::string secret;  // as it is written
};

// The places that a printed text stands in: alone, indented among other lines, in lines with
// numbers, as a string of JSON, and as a string of JSON within such a string.
constexpr int kPrintedPlaces = 5;
constexpr int kFirstJsonPlace = 3;  // from here on the text is a line of JSON

PrintedText MakeUpPrinted(const PrintedSecret& form, int place, std::mt19937_64& random);

// Whether a part of the secret is in the text that tells much of it: 8 successive characters.
bool TellsSecret(std::string_view text, std::string_view secret);

}  // namespace recall
