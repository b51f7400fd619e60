"""The golden databases: tests/golden/index-VERSION.db, written once by each released version.

Every later version must search it, change it and find it whole (tests/test_golden_database.py).

    python tests/golden_database.py        writes the database of this version, if it is not there
"""

from __future__ import annotations

from pathlib import Path

import cjk_tokenizer

DIRECTORY = Path(__file__).resolve().parent / "golden"
TEXTS = [
    "机器学习很有趣，我在用TypeScript写分词器。",
    "開始ﾃﾞｰﾀ送信。㍿山田の髙島屋で、サーバーを再起動した。",
    "한국어 검색은 교육ㆍ문화 뉴스 1\ufe0f\u20e3 에서",
    "จังหวัดเชียงใหม่ ภาษาไทย ๑๒๓",
    "圖書館在東\n京，會議紀\u200b要🍐👨\u200d👩\u200d👧 naïve café C++",
    "時々いすゞ、か\u3099き、葛\U000e0100城、⽅針、重**要**な",
]
# Table -> arguments of CREATE VIRTUAL TABLE, beside the column x.
TABLES = {
    "plain": "tokenize='cjk'",
    "folds": "tokenize='cjk fold_han 1 fold_kana 1 fold_prolonged 1 fold_iteration 1'",
    "small": "tokenize='cjk unigrams 0', prefix='1 2'",
    "words": "tokenize='cjk segment jieba', detail=full",
    "unigrams": "tokenize='cjk segment unigram', detail=none, columnsize=0",
    "wrapped": "tokenize='porter cjk join_spaces 1 bridge_markup 1'",
    "bare": "tokenize='cjk', content=''",
    "beside": "tokenize='cjk', content='texts', content_rowid='id'",
}


def path() -> Path:
    (version,) = cjk_tokenizer.connect(":memory:").execute("SELECT cjk_version()").fetchone()
    return DIRECTORY / f"index-{version}.db"


def write(target: Path) -> None:
    conn = cjk_tokenizer.connect(str(target))
    conn.execute("CREATE TABLE texts(id INTEGER PRIMARY KEY, x TEXT)")
    conn.executemany("INSERT INTO texts(x) VALUES (?)", [(text,) for text in TEXTS])
    for table, arguments in TABLES.items():
        conn.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(x, {arguments})")
        conn.execute(f"INSERT INTO {table}(rowid, x) SELECT id, x FROM texts")
    conn.commit()
    conn.execute("VACUUM")
    conn.close()


if __name__ == "__main__":
    if path().exists():
        raise SystemExit(f"{path().name} is there: a released index is not written again")
    write(path())
