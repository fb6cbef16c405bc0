"""The program `recall`, installed by pip."""

import importlib.metadata
import pathlib

DISTRIBUTION = "recall-db"


def program_path():
    """The absolute path of the program. Raises FileNotFoundError if it was removed."""
    recorded = importlib.metadata.files(DISTRIBUTION) or []
    places = [pathlib.Path(file.locate()) for file in recorded if file.name == "recall" and file.parent.name == "bin"]
    # `pip install --target DIR` puts it into DIR/bin, which is not where the record says.
    places.append(pathlib.Path(__file__).parent.parent / "bin" / "recall")
    for place in places:
        if place.is_file():
            return str(place.resolve())
    raise FileNotFoundError("the program recall is not where pip has installed it; reinstall " + DISTRIBUTION)
