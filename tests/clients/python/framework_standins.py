"""The interfaces of LangChain and LlamaIndex that the adapters use, as far as their documents describe them.

Written from the published references; with the packages installed, the adapters use those. What a base class does here
is what callers of it rely on: a retriever of LangChain is asked by `invoke`, one of LlamaIndex by `retrieve`.
"""

import abc
import sys
import types
from typing import Any, List, Optional


class Document:
    def __init__(self, page_content: str, *, id: Optional[str] = None, metadata: Optional[dict] = None) -> None:
        self.page_content, self.id, self.metadata = page_content, id, metadata or {}


class Embeddings(abc.ABC):
    @abc.abstractmethod
    def embed_documents(self, texts: List[str]) -> List[List[float]]:
        ...

    @abc.abstractmethod
    def embed_query(self, text: str) -> List[float]:
        ...


class VectorStoreRetriever:
    def __init__(self, vectorstore: "VectorStore", search_type: str, search_kwargs: dict) -> None:
        self.vectorstore, self.search_type, self.search_kwargs = vectorstore, search_type, search_kwargs

    def invoke(self, input: str) -> List[Document]:
        if self.search_type == "similarity_score_threshold":
            return [
                document
                for document, _ in self.vectorstore.similarity_search_with_relevance_scores(input, **self.search_kwargs)
            ]
        if self.search_type == "mmr":
            return self.vectorstore.max_marginal_relevance_search(input, **self.search_kwargs)
        return self.vectorstore.similarity_search(input, **self.search_kwargs)


class VectorStore(abc.ABC):
    @classmethod
    @abc.abstractmethod
    def from_texts(
        cls,
        texts: List[str],
        embedding: Embeddings,
        metadatas: Optional[List[dict]] = None,
        *,
        ids: Optional[List[str]] = None,
        **kwargs: Any,
    ) -> "VectorStore":
        ...

    @abc.abstractmethod
    def similarity_search(self, query: str, k: int = 4, **kwargs: Any) -> List[Document]:
        ...

    def add_documents(self, documents: List[Document], **kwargs: Any) -> List[str]:
        kwargs.setdefault("ids", [document.id for document in documents])
        return self.add_texts(
            [document.page_content for document in documents], [document.metadata for document in documents], **kwargs
        )

    def similarity_search_with_relevance_scores(
        self, query: str, k: int = 4, *, score_threshold: float = 0.0, **kwargs: Any
    ) -> List[tuple]:
        relevance = self._select_relevance_score_fn()
        scored = [
            (document, relevance(score)) for document, score in self.similarity_search_with_score(query, k, **kwargs)
        ]
        return [(document, score) for document, score in scored if score >= score_threshold]

    def as_retriever(
        self, *, search_type: str = "similarity", search_kwargs: Optional[dict] = None
    ) -> VectorStoreRetriever:
        return VectorStoreRetriever(self, search_type, search_kwargs or {})


class QueryBundle:
    def __init__(self, query_str: str, *, embedding: Optional[List[float]] = None) -> None:
        self.query_str, self.embedding = query_str, embedding


class TextNode:
    def __init__(self, *, id_: str, text: str, metadata: dict) -> None:
        self.id_, self.text, self.metadata = id_, text, metadata


class NodeWithScore:
    def __init__(self, *, node: TextNode, score: Optional[float]) -> None:
        self.node, self.score = node, score


class BaseRetriever(abc.ABC):
    def __init__(
        self,
        callback_manager: Any = None,
        object_map: Optional[dict] = None,
        objects: Optional[list] = None,
        verbose: bool = False,
    ) -> None:
        self.callback_manager, self.verbose = callback_manager, verbose

    @abc.abstractmethod
    def _retrieve(self, query_bundle: QueryBundle) -> List[NodeWithScore]:
        ...

    def retrieve(self, str_or_query_bundle: Any) -> List[NodeWithScore]:
        asked = str_or_query_bundle
        return self._retrieve(QueryBundle(asked) if isinstance(asked, str) else asked)


MODULES = {
    "langchain_core.documents": (Document,),
    "langchain_core.embeddings": (Embeddings,),
    "langchain_core.vectorstores": (VectorStore,),
    "llama_index.core.retrievers": (BaseRetriever,),
    "llama_index.core.schema": (NodeWithScore, QueryBundle, TextNode),
}


def install() -> None:
    """Makes modules of these names that are not installed."""
    for name, classes in MODULES.items():
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            sys.modules.setdefault(".".join(parts[:length]), types.ModuleType(".".join(parts[:length])))
        for cls in classes:
            setattr(sys.modules[name], cls.__name__, cls)
