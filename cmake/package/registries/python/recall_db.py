"""The program `recall`, installed by pip. `python -m recall_db` is `recall`; the package `recall` opens stores."""

from recall._program import main, program_path

DISTRIBUTION = "recall-db"
__all__ = ["DISTRIBUTION", "main", "program_path"]

if __name__ == "__main__":
    main()
