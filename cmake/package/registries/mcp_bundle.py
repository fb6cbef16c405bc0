"""What assistants install: an MCP bundle for each machine, server.json, and the plugin for Claude Code."""

import hashlib
import json
import pathlib

from archives import File, text, write_tgz, write_zip
from names import KEYWORDS, LICENSE, NPM, PYPI, SUMMARY
from python_wheel import python_version

TREE = pathlib.Path(__file__).resolve().parents[3]
FOLDER = "${user_config.folder}"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"


def to_json(value):
    return text(json.dumps(value, indent=2) + "\n")


def bundle_manifest(version, where):
    arguments = ["mcp", "--auto", "--allow-write", "--root", FOLDER, "--store", FOLDER]
    return {
        "manifest_version": "0.3",
        "name": "recall",
        "display_name": "Recall",
        "version": version,
        "description": SUMMARY,
        "long_description": "Searches the documents of a folder, and remembers notes, in one file in that folder. "
        "Nothing leaves the machine, and files are never changed.",
        "author": {"name": "The Recall authors"},
        **({"repository": {"type": "git", "url": where.repository}} if where.known else {}),
        "license": LICENSE,
        "keywords": KEYWORDS,
        "server": {
            "type": "binary",
            "entry_point": "server/recall",
            "mcp_config": {"command": "${__dirname}/server/recall", "args": arguments, "env": {}},
        },
        "tools_generated": True,
        "compatibility": {"platforms": ["linux"]},
        "user_config": {
            "folder": {
                "type": "directory",
                "title": "Folder",
                "description": "Its documents are searched. The file recall.db is made in it.",
                "default": "${DOCUMENTS}",
                "required": True,
            }
        },
    }


def make_bundle(portable, where, out):
    files = {"manifest.json": to_json(bundle_manifest(portable.version, where))}
    files.update({"server/recall": portable.program, **dict(sorted(portable.legal().items()))})
    path = out / f"recall-{portable.version}-linux-{portable.machine}.mcpb"
    write_zip(path, files)
    return path


def make_server_json(version, bundles, where, out):
    # A folder is asked for: the working directory of an assistant may be the home directory.
    folder = {"description": "The folder to search", "format": "filepath", "isRequired": True}
    arguments = [{"type": "positional", "value": "mcp"}, {"type": "positional", "value": "--auto"}]
    for flag in ("--root", "--store"):
        arguments.append({"type": "named", "name": flag, "value": "{folder}", "variables": {"folder": folder}})
    started = {"transport": {"type": "stdio"}, "packageArguments": arguments}
    packages = [
        {"registryType": "npm", "identifier": NPM, "version": version, "runtimeHint": "npx", **started},
        {"registryType": "pypi", "identifier": PYPI, "version": python_version(version), "runtimeHint": "uvx", **started},
    ]
    for bundle in bundles:
        packages.append(
            {
                "registryType": "mcpb",
                "identifier": f"{where.release}/{bundle.name}",
                "version": version,
                "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
                "transport": {"type": "stdio"},
            }
        )
    server = {
        "$schema": SCHEMA,
        "name": where.mcp_server,
        "title": "Recall",
        "description": SUMMARY,
        **({"repository": {"url": where.repository, "source": "github"}} if where.known else {}),
        "version": version,
        "packages": packages,
    }
    path = out / "server.json"
    path.write_bytes(to_json(server).data)
    return path


def make_plugin(version, out):
    """A marketplace of Claude Code with the plugin, in one folder. The plugin starts the `recall` of PATH."""
    source = TREE / "cli/setup/plugin"
    files = {}
    for path in source.rglob("*"):
        if path.is_file():
            files[f"plugin/{path.relative_to(source)}"] = File(path.read_bytes())
    manifest = "plugin/.claude-plugin/plugin.json"
    files[manifest] = to_json({**json.loads(files[manifest].data), "version": version})
    market = json.loads((TREE / ".claude-plugin/marketplace.json").read_text())
    market["plugins"][0]["source"] = "./plugin"
    files[".claude-plugin/marketplace.json"] = to_json(market)
    name = f"recall-{version}-claude-plugin"
    path = out / f"{name}.tar.gz"
    write_tgz(path, {f"{name}/{file}": files[file] for file in sorted(files)})
    return path
