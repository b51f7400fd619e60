"""A memory for an AI agent in one SQLite file: remember, recall, forget, in any language.

    python examples/agent_memory.py [FILE]

Tells a store some things in Chinese, Japanese, Korean and English, and asks it questions in all
four. Without a FILE the store is in memory and gone afterwards; with one it stays, and a second run
finds what the first one stored.

How it is built: texts lie in a plain table, their chunks in an FTS5 table with `tokenize='cjk'`. No
column holds words, bigrams or anything else but text. A question is asked as the OR of its terms
(cjk_query, mode any), ranked, and what shares too little with the question is dropped
(cjk_relevance), so that the store can say that it does not know. Searching costs what FTS5 costs;
the guard looks at some thirty chunks.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

import cjk_tokenizer

# The rowid of a chunk has its memory in front and its number behind: one range for each memory.
ORDINAL_BITS = 20
LAST_ORDINAL = (1 << ORDINAL_BITS) - 1
# How much of the question must be in a chunk.
LEAST_RELEVANCE = 0.12
# Chunks that are looked at, for each memory that is wanted.
CHUNKS_A_MEMORY = 6

SCHEMA = """
CREATE TABLE IF NOT EXISTS memory(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL,
  language TEXT NOT NULL,
  stored TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE VIRTUAL TABLE IF NOT EXISTS chunk USING fts5(text, tokenize='cjk');
"""


class Hit(NamedTuple):
    """One memory that answers: its text, the place that matched, how relevant that is (0 to 1)."""

    id: int
    text: str
    language: str
    snippet: str
    relevance: float


class Memory:
    """A store of texts in one file; use it as a context manager, or close it."""

    def __init__(self, path: str = ":memory:") -> None:
        self._conn = sqlite3.connect(path)
        cjk_tokenizer.load(self._conn)
        self._conn.executescript(SCHEMA)

    def close(self) -> None:
        self._conn.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def remember(self, text: str) -> int:
        """Store a text; its id."""
        with self._conn:
            added = self._conn.execute(
                "INSERT INTO memory(text, language) VALUES (?1, cjk_detect(?1))", (text,)
            )
            number = added.lastrowid or 0
            self._conn.execute(
                "INSERT INTO chunk(rowid, text) SELECT ? | ordinal, text FROM cjk_chunks(?)",
                (number << ORDINAL_BITS, text),
            )
        return number

    def recall(self, question: str, limit: int = 3) -> list[Hit]:
        """The memories that share most with the question, best first; none when none is close."""
        hits: dict[int, Hit] = {}
        for rowid, snippet, relevance in self._search(question, limit * CHUNKS_A_MEMORY):
            number = rowid >> ORDINAL_BITS
            if relevance >= LEAST_RELEVANCE and number not in hits:
                text, language = self._conn.execute(
                    "SELECT text, language FROM memory WHERE id = ?", (number,)
                ).fetchone()
                hits[number] = Hit(number, text, language, snippet, relevance)
        return sorted(hits.values(), key=lambda hit: -hit.relevance)[:limit]

    def forget(self, number: int) -> bool:
        """Remove a memory; whether there was one of this id."""
        first = number << ORDINAL_BITS
        with self._conn:
            self._conn.execute(
                "DELETE FROM chunk WHERE rowid BETWEEN ? AND ?", (first, first | LAST_ORDINAL)
            )
            removed = self._conn.execute("DELETE FROM memory WHERE id = ?", (number,))
        return removed.rowcount > 0

    def _search(self, question: str, limit: int) -> Iterator[tuple[int, str, float]]:
        """Chunks by rank: (rowid, snippet, relevance). The one place that knows how to search."""
        return self._conn.execute(
            "SELECT rowid, cjk_snippet(chunk, 0, '[', ']', '…', 40), cjk_relevance(?1, text) "
            "FROM chunk WHERE chunk MATCH cjk_query(?1, 'any') ORDER BY rank LIMIT ?2",
            (question, limit),
        )


TOLD = (
    "她对花生过敏，点菜时要提前告诉店家。",
    "项目的数据库每天凌晨两点自动备份到另一台机器。",
    "祖母の梅干しは塩だけで漬けてあるので、とても酸っぱい。",
    "来週の打ち合わせは木曜日の午後三時に変更になりました。",
    "우리 고양이 이름은 보리이고 새벽마다 물컵을 엎는다.",
    "민지는 주말농장에서 고추와 방울토마토를 길렀다.",
    "Maria moved to Lisbon in May and works for a bakery.",
    "このPRをdraftに戻して、SQLiteのテストを直してからレビューに出す。",
)
ASKED = (
    "她对什么过敏？",
    "数据库什么时候备份",
    "打ち合わせは何曜日ですか",
    "고양이 이름이 뭐예요?",
    "Where does Maria live?",
    "SQLiteのテストはどうなった？",
    "谁会弹古筝？",
)


def main() -> None:
    with closing(Memory(*sys.argv[1:2])) as memory:
        for text in TOLD:
            if not any(hit.text == text for hit in memory.recall(text)):
                memory.remember(text)
        for question in ASKED:
            print(question)
            for hit in memory.recall(question):
                print(f"  {hit.language} {hit.relevance:.2f}  {hit.snippet}")


if __name__ == "__main__":
    main()
