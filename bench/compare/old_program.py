"""The benchmark program of an earlier commit."""

import os
import shutil
import subprocess

from runs import RunError

TARGET = "recall_bench"


def _git(root, *arguments):
    done = subprocess.run(["git", "-C", root, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=True)
    return done.stdout.strip()


def program_of(root, old, benchmarks):
    """The path of the program of `old`, which is a program or a commit. A commit is built in a worktree, by its name in
    build/against. `benchmarks` is "new" for the benchmarks of this tree with the sources of the commit, or "old" for
    its own."""
    if os.path.isfile(old) and os.access(old, os.X_OK):
        return os.path.abspath(old)
    try:
        commit = _git(root, "rev-parse", "--verify", "--quiet", old + "^{commit}")
    except subprocess.CalledProcessError as error:
        raise RunError(f"{old} is neither a program nor a commit") from error
    tree = os.path.join(root, "build", "against", commit[:12])
    try:
        _check_out(root, tree, commit, benchmarks)
        if not os.path.exists(os.path.join(tree, "bench", "micro")):
            raise RunError(f"{old} has no {TARGET}: use --benchmarks new")
        return _build(root, tree)
    except subprocess.CalledProcessError as error:
        hint = ""
        if benchmarks == "new":
            hint = "; --benchmarks old builds those of the commit, where these do not compile with its sources"
        told = (error.stderr or "").strip()
        raise RunError(f"{' '.join(error.cmd[:4])}... failed for {old} in {tree}{hint}: {told}") from error


def _check_out(root, tree, commit, benchmarks):
    if not os.path.exists(os.path.join(tree, ".git")):
        _git(root, "worktree", "prune")
        _git(root, "worktree", "add", "--quiet", "--detach", tree, commit)
    folder = os.path.join(tree, "bench")
    if benchmarks == "new":
        shutil.rmtree(folder)
        shutil.copytree(os.path.join(root, "bench"), folder)  # keeps times, so the same is not compiled again
    else:
        _git(tree, "checkout", "--quiet", "--force", "HEAD", "--", "bench")
        _git(tree, "clean", "--quiet", "--force", "-d", "bench")


def _build(root, tree):
    grammars = os.path.join(tree, "build", "grammars")
    if not os.path.lexists(grammars):
        os.makedirs(os.path.dirname(grammars), exist_ok=True)
        # Below the tree, so that the compiler cache knows their objects.
        os.symlink(os.path.join(root, "build", "grammars"), grammars)
    configure = ["cmake", "--preset", "release", "-DRECALL_BUILD_BENCH=ON"]
    subprocess.run(configure, cwd=tree, stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", TARGET], cwd=tree, stdout=2, check=True)
    return os.path.join(tree, "build", "release", "bench", TARGET)
