"""A store of Recall as a vector store of LangChain (langchain-core 0.2 or later), and by it as a retriever.

    from recall.langchain import RecallVectorStore

    documents = RecallVectorStore(recall.open("notes.db", create=True))
    documents.add_texts(["Herons stand still at the pond."], [{"year": 2024}])
    retriever = documents.as_retriever(search_kwargs={"k": 3, "filter": "doc.meta.year = 2024"})

Searches are hybrid: words and vectors. The vectors are those of the store; with `embedding`, those of a model of
LangChain, for a store that was made with ``settings={"embedding": "given", "embedding_dim": ...}``.
"""

import hashlib
import json
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

import recall


class RecallVectorStore(VectorStore):
    """Each text is a document, whose path is its id. What is found are chunks of documents, with their citations."""

    def __init__(self, store: recall.Store, embedding: Optional[Embeddings] = None) -> None:
        self.store = store
        self._embedding = embedding

    @property
    def embeddings(self) -> Optional[Embeddings]:
        return self._embedding

    # ---- Writing ----

    @classmethod
    def from_texts(
        cls,
        texts: List[str],
        embedding: Optional[Embeddings] = None,
        metadatas: Optional[List[Dict[str, Any]]] = None,
        *,
        ids: Optional[List[str]] = None,
        store: Optional[recall.Store] = None,
        path: str = "recall.db",
        **options: Any,
    ) -> "RecallVectorStore":
        """Adds texts to `store`, or to one that is opened, or made, at `path`, with the `options` of `recall.open`."""
        if store is None:
            if embedding is not None:
                dimensions = len(embedding.embed_query("dimensions"))
                options.setdefault("settings", {"embedding": "given", "embedding_dim": dimensions})
            store = recall.open(path, create=True, **options)
        made = cls(store, embedding)
        made.add_texts(texts, metadatas, ids=ids)
        return made

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: Optional[List[Dict[str, Any]]] = None,
        *,
        ids: Optional[List[str]] = None,
        **options: Any,
    ) -> List[str]:
        """Texts without an id get one that is made of text and metadata: the same again is no second document."""
        given = list(texts)
        about: List[Dict[str, Any]] = metadatas or [{} for _ in given]
        named: List[Optional[str]] = [*ids] if ids else [None] * len(given)
        if not len(given) == len(about) == len(named):
            raise ValueError("there must be as many metadatas and ids as texts")
        paths = [path or _path_of(text, meta) for path, text, meta in zip(named, given, about)]
        vectors: Sequence[Any] = self._embedding.embed_documents(given) if self._embedding else [None] * len(given)
        self.store.add(
            recall.Document(path, text, metadata=meta, embedding=vector)
            for path, text, meta, vector in zip(paths, given, about, vectors)
        )
        return paths

    def delete(self, ids: Optional[List[str]] = None, **options: Any) -> Optional[bool]:
        """Whether all of them were there."""
        try:
            self.store.remove(*(ids or []))
        except recall.AbsentError:
            return False
        return True

    # ---- Reading ----

    def get_by_ids(self, ids: Sequence[str], /) -> List[Document]:
        found = []
        for path in ids:
            try:
                passage = self.store.get(path)
            except recall.AbsentError:
                continue
            about = {**passage.metadata, "path": passage.path, "citation": passage.citation}
            found.append(Document(id=passage.path, page_content=passage.text, metadata=about))
        return found

    def similarity_search(self, query: str, k: int = 4, **options: Any) -> List[Document]:
        """`options` are those of `recall.Store.search`."""
        return [document for document, _ in self.similarity_search_with_score(query, k, **options)]

    def similarity_search_with_score(self, query: str, k: int = 4, **options: Any) -> List[Tuple[Document, float]]:
        """Scores are from 0 to 1, and greater is better."""
        if self._embedding is not None:
            options.setdefault("embedding", self._embedding.embed_query(query))
        return list(_scored(self.store.search(query, k, **options)))

    def similarity_search_by_vector(self, embedding: List[float], k: int = 4, **options: Any) -> List[Document]:
        asked: Dict[str, Any] = {**options, "vector": True}
        hits = self.store.search("", k, embedding=embedding, **asked)
        return [document for document, _ in _scored(hits)]

    def max_marginal_relevance_search(
        self, query: str, k: int = 4, fetch_k: int = 20, lambda_mult: float = 0.5, **options: Any
    ) -> List[Document]:
        """As the stage `mmr` of a search, which looks at the best hundred whatever `fetch_k` says."""
        return self.similarity_search(query, k, **{"stages": f"mmr:lambda={lambda_mult}", **options})

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        return lambda score: score


def _path_of(text: str, metadata: Dict[str, Any]) -> str:
    about = json.dumps([text, metadata], sort_keys=True, default=str)
    return "texts/" + hashlib.sha256(about.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _scored(hits: Iterable[recall.Hit]) -> Iterator[Tuple[Document, float]]:
    for hit in hits:
        about = {
            **hit.metadata,
            "path": hit.path,
            "citation": hit.citation,
            "heading": hit.heading,
            "first_line": hit.first_line,
            "last_line": hit.last_line,
            "score": hit.score,
        }
        yield Document(id=hit.path, page_content=hit.text, metadata=about), hit.score
