"""A store of Recall as a retriever of LlamaIndex (llama-index-core 0.10 or later).

    from recall.llama_index import RecallRetriever

    retriever = RecallRetriever(recall.open("notes.db"), k=5, filter="doc.tag = 'docs'")
    engine = RetrieverQueryEngine.from_args(retriever)
"""

from typing import Any, List

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

import recall


class RecallRetriever(BaseRetriever):
    """Nodes are chunks of documents, with their citations. Scores are from 0 to 1."""

    def __init__(self, store: recall.Store, k: int = 8, **options: Any) -> None:
        """`options`: those of `recall.Store.search`, and with ``retriever_`` before them those of BaseRetriever."""
        prefix = "retriever_"
        base = {name[len(prefix) :]: value for name, value in options.items() if name.startswith(prefix)}
        self._store = store
        self._k = k
        self._options = {name: value for name, value in options.items() if not name.startswith(prefix)}
        super().__init__(**base)

    def _retrieve(self, query_bundle: QueryBundle) -> List[NodeWithScore]:
        options = dict(self._options)
        if query_bundle.embedding is not None:
            options["embedding"] = query_bundle.embedding
        hits = self._store.search(query_bundle.query_str, self._k, **options)
        return [NodeWithScore(node=_node_of(hit), score=hit.score) for hit in hits]


def _node_of(hit: recall.Hit) -> TextNode:
    about = {
        **hit.metadata,
        "path": hit.path,
        "citation": hit.citation,
        "heading": hit.heading,
        "first_line": hit.first_line,
        "last_line": hit.last_line,
    }
    return TextNode(id_=hit.chunk, text=hit.text, metadata=about)
