#pragma once

#include <string_view>

#include "cli/server/mcp/json_rpc.h"

namespace recall {

// The JSON Schema of an object, from a short notation of its members:
//
//   members = [ member { ";" member } ]
//   member  = name [ "*" ] ":" type [ "'" description "'" ]      "*": required
//   type    = "text" [ "(" name { "|" name } ")" ] | ( "integer" | "number" ) [ low ".." [ high ] ]
//           | "flag" | "[" type "]" | "{" members "}"
//
// as in "query*: text; k: integer 1..20 'results'; names: [text]". Requires: a valid notation.
Json SchemaFrom(std::string_view notation);

}  // namespace recall
