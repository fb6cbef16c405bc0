#pragma once

// The Model Context Protocol (modelcontextprotocol.io), of both eras: one dispatcher, and around it
// an envelope that differs.
//
// Legacy (2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25): `initialize` agrees on a revision for
// the connection; results are plain.
// Modern (2026-07-28): each request has its revision and the capabilities of its client in
// `params._meta`; results have `resultType` and the name of the server, and those that clients may
// keep have `ttlMs` and `cacheScope`. `server/discover` takes the place of `initialize`.

#include <span>
#include <string>
#include <string_view>

#include "cli/server/mcp/json_rpc.h"
#include "cli/server/mcp/service.h"

namespace recall {

inline constexpr std::string_view kModernRevision = "2026-07-28";

// The legacy revisions, oldest first.
std::span<const std::string_view> LegacyRevisions();

// Determines the era of a request. `agreed` is the revision that `initialize` agreed on, or ""
// before it. Errors: kInvalidParams for a modern request without a required member;
// kUnsupportedProtocolVersion.
tl::expected<McpContext, RpcError> ContextOf(const RpcMessage& request, const std::string& agreed);

// Returns: the revision that `initialize` agrees on with a legacy client: the one it asks for if it
// is supported, otherwise the newest.
std::string AgreedRevision(const Json& initialize_params);

// Answers a request, with the envelope of its era.
RpcAnswer Dispatch(McpService& service, const RpcMessage& request, McpExchange& exchange);

}  // namespace recall
