"""The names under which the packages are made, and the addresses in them (docs/decisions/0086-registries.md)."""

import re
from dataclasses import dataclass

SUMMARY = "Local search database for documents, notes, sessions and code, in one file"
LICENSE = "Apache-2.0"
KEYWORDS = ["search", "mcp", "memory", "rag", "sqlite"]
NPM = "@recall-db/recall"
NPM_LIBRARY = "@recall-db/librecall"
PYPI = "recall-db"
NPM_CPU = {"x86_64": "x64", "aarch64": "arm64"}  # as process.arch says


@dataclass(frozen=True)
class Addresses:
    """Placeholders where it is not known who publishes."""

    repository: str
    release: str  # the directory that the files of the release are downloaded from
    owner: str

    @property
    def known(self):
        return self.repository != "REPOSITORY_URL"

    @property
    def mcp_server(self):
        """The name in the registry of MCP servers, which asks for proof that the owner publishes."""
        return f"io.github.{self.owner}/recall"


def addresses(repository, version):
    if not repository:
        return Addresses("REPOSITORY_URL", "RELEASE_URL", "OWNER")
    repository = repository.rstrip("/").removesuffix(".git")
    match = re.fullmatch(r"https://github\.com/([A-Za-z0-9-]+)/[A-Za-z0-9._-]+", repository)
    if not match:
        raise ValueError(f"{repository} is not https://github.com/OWNER/NAME")
    return Addresses(repository, f"{repository}/releases/download/v{version}", match[1])
