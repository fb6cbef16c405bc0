"""Vector libraries in this process: an exact scan with numpy, FAISS, hnswlib."""

import os
import time

import numpy as np

from common import Missing, Peer, clocked, size_of
from data import DIM, K


class Scan(Peer):
    """The brute-force method that also computes the exact neighbours, one question at a time."""

    name = "numpy"
    parts = (4,)
    label = "numpy, exact, one matrix product"

    def build(self):
        self.version = np.__version__
        return None

    def ask_inside(self, i):
        def ask():
            scores = self.work.vectors @ self.work.questions[i]
            best = np.argpartition(-scores, K)[:K]
            return best[np.argsort(-scores[best])].tolist()

        return clocked(ask)


class Faiss(Peer):
    """Builds with all cores and searches with one thread. For unit vectors, L2 and cosine rank alike."""

    name = "faiss"
    parts = (4,)
    label = "FAISS, flat"

    def __init__(self, work):
        super().__init__(work)
        try:
            import faiss
        except ImportError as error:
            raise Missing("the Python module faiss (python3-faiss)") from error
        self.faiss = faiss
        self.version = faiss.__version__

    def make(self):
        return self.faiss.IndexFlatL2(DIM)

    def build(self):
        self.faiss.omp_set_num_threads(os.cpu_count())
        start = time.perf_counter()
        self.index = self.make()
        if not self.index.is_trained:
            self.index.train(self.work.vectors)
        self.index.add(self.work.vectors)
        seconds = time.perf_counter() - start
        self.faiss.omp_set_num_threads(1)
        place = self.work.place(type(self).__name__)
        self.faiss.write_index(self.index, str(place / "index"))
        self.bytes = size_of(place)
        return seconds

    def ask_inside(self, i):
        question = self.work.questions[i : i + 1]
        milliseconds, (_, found) = clocked(lambda: self.index.search(question, K))
        return milliseconds, found[0].tolist()


class FaissFastScan(Faiss):
    label = "FAISS, PQ64x4 fast scan, 200 rescored"

    def make(self):
        self.codes = self.faiss.index_factory(DIM, "PQ64x4fs")
        return self.refined(200 // K)

    def refined(self, factor):
        index = self.faiss.IndexRefineFlat(self.codes)
        index.k_factor = factor
        return index


class FaissIvf(FaissFastScan):
    label = "FAISS, IVF, PQ64x4 fast scan, 16 lists, 200 rescored"

    def make(self):
        lists = 2 ** round(np.log2(4 * np.sqrt(len(self.work.vectors))))
        self.codes = self.faiss.index_factory(DIM, f"IVF{lists},PQ64x4fs")
        self.codes.nprobe = 16
        return self.refined(200 // K)


class Hnswlib(Peer):
    name = "hnswlib"
    parts = (4,)
    label = "hnswlib, M 16, efConstruction 100, ef 64"

    def __init__(self, work):
        super().__init__(work)
        try:
            import hnswlib
        except ImportError as error:
            raise Missing("the Python module hnswlib (python3-hnswlib)") from error
        self.hnswlib = hnswlib

    def build(self):
        start = time.perf_counter()
        self.index = self.hnswlib.Index(space="cosine", dim=DIM)
        self.index.init_index(len(self.work.vectors), ef_construction=100, M=16)
        self.index.add_items(self.work.vectors)
        seconds = time.perf_counter() - start
        self.index.set_ef(64)
        self.index.set_num_threads(1)
        place = self.work.place("hnswlib")
        self.index.save_index(str(place / "index"))
        self.bytes = size_of(place)
        return seconds

    def ask_inside(self, i):
        question = self.work.questions[i : i + 1]
        milliseconds, (found, _) = clocked(lambda: self.index.knn_query(question, K))
        return milliseconds, found[0].tolist()
