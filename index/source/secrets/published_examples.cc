#include "index/source/secrets/published_examples.h"

#include <algorithm>
#include <iterator>

namespace recall {
namespace {

constexpr std::string_view kExamples[] = {
    // RFC 5849, OAuth 1.0, and its first edition.
    "kd94hf93k423kf44",
    "pfkkdhi9sl3r4s00",
    "hh5s93j4hdidpola",
    "hdhd0244k9j7ao03",
    "nnch734d00sl2jdk",
    "dpf43f3p2l4k3l03",
    "9djdj82h48djs9d2",
    "kkk9d7dh3k39sjv7",
    "dh893hdasih9",
    "jjd999tj88uiths3",
    "0685bd9184jfhq22",
    "ad180jjd733klru7",
    // RFC 6749 and 6750, OAuth 2.0.
    "czZCaGRSa3F0MzpnWDFmQmF0M2JW",
    "2YotnFZFEjr1zCsicMWpAA",
    "tGzv3JOkF0XG5Qx2TlKWIA",
    "SplxlOBeZQQYbYS6WxSbIA",
    "7Fjfp0ZBr1KtDRbnfVdmIw",
    "mF_9.B5f-4.1JqM",
    // RFC 7636 and 7662: proof keys and introspection.
    "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    "23410913-abewfq.123483",
    // RFC 7617: passwords of HTTP.
    "QWxhZGRpbjpvcGVuIHNlc2FtZQ",
    "QWxhZGRpbjpPcGVuU2VzYW1l",
    "dGVzdDoxMjPCow",
    // RFC 7515 and 7519: payload and signatures.
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxl",
    // Pages that explain JSON web tokens: {"sub":"1234567890","name":"John Do...,
    // {"some":"payload"}, {"foo":"bar"} and {"hello":"world"}.
    "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l",
    "eyJzb21lIjoicGF5bG9hZCJ9",
    "eyJmb28iOiJiYXIi",
    "eyJoZWxsbyI6IndvcmxkI",
};

}  // namespace

bool IsPublishedExample(std::string_view text) {
  return text.ends_with("EXAMPLE") ||
         std::any_of(std::begin(kExamples), std::end(kExamples),
                     [&](std::string_view example) { return text.find(example) != text.npos; });
}

}  // namespace recall
