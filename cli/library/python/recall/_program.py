"""The program `recall` that came with this package."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, NoReturn, Optional


def find_program() -> "Optional[str]":
    """Its absolute path, or None."""
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # `pip install --target DIR` puts it into DIR/bin, and else it is in bin beside lib/pythonX.Y/site-packages.
    for place in (packages, os.path.join(packages, "..", "..", "..")):
        path = os.path.normpath(os.path.join(place, "bin", "recall"))
        if os.path.isfile(path):
            return path
    return None


def program_path() -> str:
    """The absolute path of the program. Raises FileNotFoundError if it was removed."""
    path = find_program() or _recorded()
    if path is None:
        raise FileNotFoundError("the program recall is not where pip has installed it; reinstall recall-db")
    return path


def _recorded() -> "Optional[str]":
    """Where pip says that it is, which is elsewhere if a system has directories of its own."""
    from importlib import metadata

    try:
        files = metadata.files("recall-db") or []
    except metadata.PackageNotFoundError:
        return None
    places: "List[str]" = [str(file.locate()) for file in files if file.parts[-2:] == ("bin", "recall")]
    return next((os.path.realpath(place) for place in places if os.path.isfile(place)), None)


def main() -> "NoReturn":
    """Becomes the program."""
    os.execv(program_path(), ["recall", *sys.argv[1:]])
