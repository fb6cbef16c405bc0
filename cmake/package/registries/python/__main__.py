"""`python -m recall_db` is `recall`."""

import os
import sys

from recall_db import program_path


def main():
    path = program_path()
    os.execv(path, ["recall", *sys.argv[1:]])


if __name__ == "__main__":
    main()
