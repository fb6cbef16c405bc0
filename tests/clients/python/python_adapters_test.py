"""The adapters for LangChain and LlamaIndex, through the interfaces that callers use."""

import unittest

import framework_standins

framework_standins.install()

import recall  # noqa: E402
from python_rig import InDirectory  # noqa: E402
from recall.langchain import RecallVectorStore  # noqa: E402
from recall.llama_index import RecallRetriever  # noqa: E402

TEXTS = ["Herons stand still at the pond.", "Kingfishers dive for fish from a branch.", "Owls hunt at night."]
YEARS = [{"year": 2022}, {"year": 2023}, {"year": 2024}]


class Letters(framework_standins.Embeddings):
    """A model: how often the letters a to h occur."""

    def embed_documents(self, texts: "list[str]") -> "list[list[float]]":
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> "list[float]":
        return [float(text.lower().count(letter)) for letter in "abcdefgh"]


class LangChain(InDirectory):
    def test_a_retriever_finds_documents_with_metadata_and_citations(self) -> None:
        store = self.open()
        documents = RecallVectorStore(store)
        ids = documents.add_texts(TEXTS, YEARS)
        self.assertEqual(documents.add_texts(TEXTS, YEARS), ids, "the same again is no second document")
        self.assertEqual(store.call("stats")["stats"]["doc_count"], 5)
        retriever = documents.as_retriever(search_kwargs={"k": 1, "filter": "doc.meta.year >= 2023"})
        (found,) = retriever.invoke("who hunts at night?")
        self.assertEqual((found.page_content, found.id, found.metadata["year"]), (TEXTS[2], ids[2], 2024))
        self.assertEqual(store.get(found.metadata["citation"]).text, TEXTS[2])
        self.assertIsNone(documents.embeddings)

    def test_documents_are_added_read_and_deleted_by_their_ids(self) -> None:
        documents = RecallVectorStore(self.open())
        given = [
            framework_standins.Document(page_content=TEXTS[0], id="heron", metadata={"year": 2022}),
            framework_standins.Document(page_content=TEXTS[1]),
        ]
        first, second = documents.add_documents(given)
        self.assertEqual(first, "heron")
        self.assertEqual(
            [document.page_content for document in documents.get_by_ids(["heron", "none", second])], TEXTS[:2]
        )
        self.assertTrue(documents.delete(["heron"]))
        self.assertFalse(documents.delete(["heron"]))
        self.assertEqual(documents.get_by_ids(["heron"]), [])
        with self.assertRaises(ValueError):
            documents.add_texts(TEXTS, YEARS[:1])

    def test_scores_and_diversity(self) -> None:
        documents = RecallVectorStore(self.open())
        documents.add_texts(TEXTS)
        scored = documents.similarity_search_with_relevance_scores("herons at the pond", k=3)
        self.assertEqual(scored, sorted(scored, key=lambda pair: -pair[1]))
        self.assertTrue(all(0 <= score <= 1 for _, score in scored))
        retriever = documents.as_retriever(search_type="mmr", search_kwargs={"k": 2, "lambda_mult": 0.3})
        self.assertEqual(len(retriever.invoke("herons at the pond")), 2)
        retriever = documents.as_retriever(
            search_type="similarity_score_threshold", search_kwargs={"k": 5, "score_threshold": scored[0][1]}
        )
        self.assertEqual(len([retriever.invoke("herons at the pond")]), 1)

    def test_vectors_of_a_model_are_those_of_the_store(self) -> None:
        documents = RecallVectorStore.from_texts(
            ["abba", "dead", "egg"], Letters(), ids=["a", "b", "c"], path="given.db"
        )
        self.addCleanup(documents.store.close)
        self.assertEqual(documents.similarity_search("gegge", k=1)[0].id, "c")
        self.assertEqual(documents.similarity_search_by_vector([0, 0, 0, 2, 1, 0, 0, 0], k=1)[0].id, "b")
        self.assertEqual(documents.store.call("stats")["store"]["embedding"], "given")


class LlamaIndex(InDirectory):
    def test_a_retriever_gives_nodes_with_scores(self) -> None:
        store = self.open()
        store.add({"path": f"texts/{year['year']}", "text": text, "metadata": year} for text, year in zip(TEXTS, YEARS))
        retriever = RecallRetriever(store, k=2, filter="doc.meta.year >= 2022", retriever_verbose=True)
        nodes = retriever.retrieve("who hunts at night?")
        self.assertEqual(len(nodes), 2)
        self.assertEqual((nodes[0].node.text, nodes[0].node.metadata["year"]), (TEXTS[2], 2024))
        self.assertEqual(nodes[0].node.id_, store.search("who hunts at night?", 1, documents=["texts/2024"])[0].chunk)
        self.assertGreaterEqual(nodes[0].score, nodes[1].score)
        self.assertTrue(retriever.verbose)

    def test_a_vector_of_the_question_is_used(self) -> None:
        store = recall.open("given.db", create=True, settings={"embedding": "given", "embedding_dim": 8})
        self.addCleanup(store.close)
        store.add([recall.Document(name, name, embedding=Letters().embed_query(name)) for name in ("abba", "dead")])
        asked = framework_standins.QueryBundle("x", embedding=Letters().embed_query("added"))
        self.assertEqual(RecallRetriever(store, k=1).retrieve(asked)[0].node.text, "dead")


if __name__ == "__main__":
    unittest.main()
