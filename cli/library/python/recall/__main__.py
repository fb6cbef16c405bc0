"""`python -m recall` is `recall`."""

from ._program import main

if __name__ == "__main__":
    main()
