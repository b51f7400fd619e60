"""MATCH finds exactly the rows whose folded text contains the folded query.

For every query that is one substring of one run, from one unit to 2,500. Real text is compared with
SQLite's own instr() over text that `plain_fold` folded; generated text is made of units whose
spellings are known, so what contains what is known without any folding.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fts import HOSTS, add_rows, column, hits, make_table, open_host, quoted
from hypothesis import given
from hypothesis import strategies as st
from plain_fold import CJK_LETTERS, THAI_LETTERS, clusters, fold, runs

pytestmark = pytest.mark.usefixtures("library")

REAL_TEXTS = [
    "zh-niutrans_modern.txt",
    "zh-wiki_cmrc.txt",
    "zh_hant-twlaw.txt",
    "zh_mixed-javaguide.txt",
    "ja-aozora.txt",
    "ja_mixed-vue_docs.txt",
    "ko-nsmc_reviews.txt",
    "ko_mixed-react_docs.txt",
]
LENGTHS = [1, 2, 3, 4, 5, 7, 10, 20, 50, 100, 250, 500, 1000, 2499, 2500]
BORDER = "\x1f"


@pytest.fixture(params=HOSTS)
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    conn = open_host(request.param)
    yield conn
    conn.close()


@pytest.fixture(scope="module")
def new_sqlite() -> Iterator[Any]:
    conn = open_host("apsw")
    yield conn
    conn.close()


def read_sample(path: Path, n_bytes: int, n_places: int = 12) -> list[str]:
    """Lines from several places of a file."""
    data = path.read_bytes()
    step = len(data) // n_places
    pieces = [data[start : start + n_bytes // n_places] for start in range(0, len(data), step)]
    # The first and last lines are cut ones.
    return [line for piece in pieces for line in piece.decode(errors="ignore").split("\n")[1:-1]]


def fill(conn: Any, documents: Sequence[str], folded: Sequence[str], tokenize: str = "cjk") -> None:
    make_table(conn, documents, tokenize)
    conn.execute("DROP TABLE IF EXISTS plain")
    conn.execute("CREATE TABLE plain(rowid INTEGER PRIMARY KEY, body)")
    add_rows(conn, folded, "plain")


def containing(conn: Any, folded: str) -> list[int]:
    return column(conn, "SELECT rowid FROM plain WHERE instr(body, ?) ORDER BY rowid", folded)


def assert_same(conn: Any, query: str, match: str | None = None) -> None:
    found = hits(conn, match or quoted(query))
    assert found == containing(conn, fold(query)), query


def pieces_of(rng: random.Random, run: str) -> Iterator[str]:
    """A piece of each length, the run if it isn't very long, and what is nearly a piece."""
    if len(run) < 1000:
        yield run
    for length in LENGTHS:
        if length < len(run):
            start = rng.randrange(len(run) - length + 1)
            yield run[start : start + length]
    if len(run) > 3:
        at = rng.randrange(len(run) - 3)
        piece = run[at : at + 4]
        yield piece[0] + piece[2] + piece[1] + piece[3]


# --- Real text -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REAL_TEXTS)
def test_pieces_of_runs_in_real_text(conn: Any, shared_dir: Path, name: str) -> None:
    documents = read_sample(shared_dir / "data" / "text" / name, 400_000)
    folded = [fold(line) for line in documents]
    fill(conn, documents, folded)
    rng = random.Random(name)
    found = [run for line in folded for run in runs(line)]
    for run in rng.sample(found, 60) + sorted(found, key=len)[-3:]:
        for query in pieces_of(rng, run):
            assert_same(conn, query)


@pytest.mark.parametrize("name", REAL_TEXTS)
def test_two_thousand_five_hundred_characters(conn: Any, shared_dir: Path, name: str) -> None:
    """Real text without what lies between its runs: runs longer than any writer's."""
    lines = read_sample(shared_dir / "data" / "text" / name, 800_000)
    letters = "".join("".join(runs(fold(line))) for line in lines)
    documents = [letters[start : start + 6000] for start in range(0, len(letters) - 2500, 5900)]
    assert len(documents) > 5
    fill(conn, documents, documents)
    rng = random.Random(name)
    for document in rng.sample(documents, 2):
        for query in pieces_of(rng, document):
            assert_same(conn, query)
        # Right in all its length but for one character.
        start = rng.randrange(len(document) - 2500)
        query = document[start : start + 2500]
        at = rng.choice([0, 1250, 2499])
        assert_same(conn, query[:at] + query[at - 1] + query[at + 1 :])


def fill_clusters(conn: Any, documents: Sequence[str], tokenize: str = "cjk") -> None:
    """The same where instr() may only match from border to border of clusters."""
    fill(conn, documents, [bordered(clusters(document)) for document in documents], tokenize)


def bordered(parts: Sequence[str]) -> str:
    return BORDER + "".join(part + BORDER for part in parts)


def assert_same_clusters(conn: Any, piece: Sequence[str]) -> None:
    assert hits(conn, quoted("".join(piece))) == containing(conn, bordered(piece)), piece


def test_pieces_of_thai_runs(conn: Any, shared_dir: Path) -> None:
    documents = [
        fold(line) for line in read_sample(shared_dir / "data" / "text" / "th-thaigov.txt", 400_000)
    ]
    fill_clusters(conn, documents)
    rng = random.Random("th")
    found = [run for line in documents for run in runs(line, THAI_LETTERS)]
    for run in rng.sample(found, 80) + sorted(found, key=len)[-3:]:
        parts = clusters(run)
        for length in [1, 2, 3, 5, 10, 30, 100, len(parts)]:
            if length <= len(parts):
                start = rng.randrange(len(parts) - length + 1)
                piece = parts[start : start + length]
                assert_same_clusters(conn, piece)


def test_two_thousand_five_hundred_thai_clusters(conn: Any, shared_dir: Path) -> None:
    lines = read_sample(shared_dir / "data" / "text" / "th-thaigov.txt", 600_000)
    parts = [part for line in lines for run in runs(line, THAI_LETTERS) for part in clusters(run)]
    # A run that begins with a mark would join it to the cluster before.
    parts = clusters("".join(parts))
    documents = [
        "".join(parts[start : start + 6000]) for start in range(0, len(parts) - 2500, 5900)
    ]
    assert len(documents) > 5
    fill_clusters(conn, documents)
    rng = random.Random("th")
    for document in rng.sample(documents, 3):
        parts = clusters(document)
        for length in LENGTHS:
            start = rng.randrange(len(parts) - length + 1)
            piece = parts[start : start + length]
            assert_same_clusters(conn, piece)


@pytest.mark.parametrize("name", ["zh-niutrans_modern.txt", "ja-aozora.txt", "ko-nsmc_reviews.txt"])
def test_without_unigrams_a_character_needs_a_prefix_query(
    conn: Any, shared_dir: Path, name: str
) -> None:
    documents = read_sample(shared_dir / "data" / "text" / name, 200_000)
    folded = [fold(line) for line in documents]
    fill(conn, documents, folded, "cjk unigrams 0")
    rng = random.Random(name)
    for run in rng.sample([run for line in folded for run in runs(line)], 60):
        for query in pieces_of(rng, run):
            assert_same(conn, query, quoted(query) + ("*" if len(query) == 1 else ""))


@pytest.mark.parametrize("name", ["zh_hant-twlaw.txt", "ja-aozora.txt", "ko-nsmc_reviews.txt"])
def test_unigrams_alone_find_the_same_and_go_on_over_separators(
    conn: Any, shared_dir: Path, name: str
) -> None:
    """With `segment unigram` nothing marks the end of a run: rows are compared without what cannot
    be a token, here all but letters and digits."""
    documents = read_sample(shared_dir / "data" / "text" / name, 200_000)
    folded = ["".join(c for c in fold(line) if c.isalnum()) for line in documents]
    fill(conn, documents, folded, "cjk segment unigram")
    rng = random.Random(name)
    for run in rng.sample([run for line in documents for run in runs(fold(line))], 60):
        for query in pieces_of(rng, run):
            assert_same(conn, query)


def test_a_prefix_query_finds_the_same(conn: Any, shared_dir: Path) -> None:
    """What a person types into a search box that adds `*`: nothing more is found, nothing less."""
    documents = read_sample(shared_dir / "data" / "text" / "ja-aozora.txt", 200_000)
    folded = [fold(line) for line in documents]
    fill(conn, documents, folded)
    rng = random.Random("prefix")
    for run in rng.sample([run for line in folded for run in runs(line)], 60):
        for query in pieces_of(rng, run):
            assert_same(conn, query, quoted(query) + "*")


# --- Generated text ------------------------------------------------------------------------------

# Units, and the spellings that fold to them.
SPELLINGS = {
    "学": ["学", "学\ufe00", "学\U000e0100"],
    "學": ["學", "學\ufe00"],
    "神": ["神", "神", "神\ufe00"],
    "方": ["方", "⽅"],
    "母": ["母", "⺟"],
    "𠮷": ["𠮷", "𠮷\U000e0101"],
    "豈": ["豈", "豈"],
    "か": ["か", "か\u0301"],
    "が": ["が", "が"],
    "は": ["は"],
    "ば": ["ば", "ば"],
    "ぱ": ["ぱ", "ぱ"],
    "ハ": ["ハ", "ﾊ"],
    "カ": ["カ", "ｶ", "㋕"],
    "ガ": ["ガ", "ガ", "ｶﾞ", "カﾞ", "ｶ\u3099"],
    "ー": ["ー", "ｰ"],
    "々": ["々"],
    "ㄅ": ["ㄅ"],
    "ꀀ": ["ꀀ"],
    "가": ["가", "가"],
    "각": ["각", "각", "가\u11a8", "\u1100\u1161\u11a8"],
    "ㄱ": ["ㄱ", "ﾡ"],
    "ㅏ": ["ㅏ", "ￂ"],
}
# What an option makes one unit of two.
MERGED = {
    "": {},
    "join_lines 1 emoji 0": {},
    "fold_kana 1": {"か": "カ", "が": "ガ", "は": "ハ"},
    "fold_han 1": {"學": "学"},
    "fold_han 1 fold_kana 1": {"學": "学", "か": "カ", "が": "ガ", "は": "ハ"},
}
# Several units in one character.
SQUARED = {("株", "式", "会", "社"): "㍿", ("月",): "㊊", ("キ", "ロ"): "㌔", ("令", "和"): "㋿"}
CLUSTERS = ["ก", "กิ", "กิ่", "น้ำ", "เ", "ข", "ๆ", "ຂ", "ຂົ້", "១", "ស្", "មြ", "ဘာ"]  # fmt: skip
HANGUL = {"가", "각", "ㄱ", "ㅏ"}
IGNORABLES = ["", "", "", "\u200b", "\u00ad", "\ufeff", "\u2060\u202e"]
SEPARATORS = [" ", "、", "。", "・", "·", "\n\n", " \n", "\u3000", "「", "\0", "!?", "\ufffd"]
WORDS = ["abc", "x1", "été", "Я", "14"]

Unit = str
Run = tuple[Unit, ...]


def cjk_runs(max_size: int = 8) -> st.SearchStrategy[Run]:
    letters = st.sampled_from(sorted(SPELLINGS)).map(lambda unit: (unit,))
    squared = st.sampled_from(sorted(SQUARED))
    parts = st.lists(st.one_of(letters, letters, letters, squared), min_size=1, max_size=max_size)
    return parts.map(lambda several: tuple(unit for part in several for unit in part))


def complex_runs() -> st.SearchStrategy[Run]:
    return st.lists(st.sampled_from(CLUSTERS), min_size=1, max_size=8).map(tuple)


@st.composite
def spelled(draw: st.DrawFn, run: Run) -> str:
    """One of the many ways to write a run."""
    parts: list[str] = []
    at = 0
    while at < len(run):
        whole = next((key for key in SQUARED if run[at : at + len(key)] == key), None)
        if whole and draw(st.booleans()):
            parts.append(SQUARED[whole])
            at += len(whole)
        else:
            parts.append(draw(st.sampled_from(SPELLINGS.get(run[at], [run[at]]))))
            at += 1
        parts.append(draw(st.sampled_from(IGNORABLES)))
        if at < len(run) and joins(run[at - 1]) and joins(run[at]) and draw(st.integers(0, 9)) == 0:
            parts.append(draw(st.sampled_from(["\n", "\r\n"])))
    return "".join(parts)


def joins(unit: Unit) -> bool:
    return unit not in HANGUL and unit not in CLUSTERS


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[Run]]:
    """A text, and the runs and words that it consists of."""
    segments: list[Run] = []
    parts = [""]
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.integers(0, 3)) == 0:
            word = draw(st.sampled_from(WORDS))
            parts.append(f"{draw(st.sampled_from(['', ' ']))}{word}")
            # Two words in a row need something between them.
            if segments and segments[-1][0] in WORDS:
                parts.insert(-1, "-")
            segments.append((word,))
            continue
        run = draw(st.one_of(cjk_runs(), cjk_runs(), complex_runs()))
        if segments and segments[-1][0] not in WORDS:
            parts.append(draw(st.sampled_from(SEPARATORS)))
        parts.append(draw(spelled(run)))
        segments.append(run)
    return "".join(parts), segments


def contains(run: Run, piece: Run) -> bool:
    n = len(piece)
    return any(run[at : at + n] == piece for at in range(len(run) - n + 1))


@st.composite
def searches(draw: st.DrawFn) -> tuple[list[tuple[str, list[Run]]], Run, str]:
    """Documents, a piece of a run (of theirs, mostly), and that piece in a spelling of its own."""
    several = draw(st.lists(documents(), min_size=1, max_size=5))
    all_runs = [run for _, found in several for run in found if run[0] not in WORDS]
    is_theirs = draw(st.integers(0, 4)) > 0
    if all_runs and is_theirs:
        run = draw(st.sampled_from(all_runs))
        start = draw(st.integers(0, len(run) - 1))
        piece = run[start : draw(st.integers(start + 1, len(run)))]
    else:
        piece = draw(cjk_runs(2))
    return several, piece, draw(spelled(piece))


@given(searches(), st.sampled_from(sorted(MERGED)))
def test_generated_text(
    new_sqlite: Any, search: tuple[list[tuple[str, list[Run]]], Run, str], arguments: str
) -> None:
    several, piece, query = search

    def merged(run: Run) -> Run:
        return tuple(MERGED[arguments].get(unit, unit) for unit in run)

    make_table(new_sqlite, [text for text, _ in several], f"cjk {arguments}")
    expected = [
        i
        for i, (_, found) in enumerate(several)
        if any(contains(merged(run), merged(piece)) for run in found)
    ]
    assert hits(new_sqlite, quoted(query)) == expected


@given(searches())
def test_generated_text_without_unigrams(
    new_sqlite: Any, search: tuple[list[tuple[str, list[Run]]], Run, str]
) -> None:
    several, piece, query = search
    make_table(new_sqlite, [text for text, _ in several], "cjk unigrams 0")
    expected = [i for i, (_, found) in enumerate(several) if any(contains(r, piece) for r in found)]
    found = hits(new_sqlite, quoted(query) + ("*" if len(piece) == 1 else ""))
    if len(piece) == 1 and piece[0] in CLUSTERS:
        # The prefix of a cluster is a letter of it: more may be found.
        assert set(found) >= set(expected)
    else:
        assert found == expected


@st.composite
def crossings(draw: st.DrawFn) -> tuple[list[tuple[str, list[Run]]], list[Run], str]:
    """Documents, and a query over the border of a run and a word, without a gap."""
    several = draw(st.lists(documents(), min_size=1, max_size=5))
    word = draw(st.sampled_from(WORDS))
    left, right = draw(cjk_runs(3)), draw(cjk_runs(3))
    parts = draw(st.sampled_from([[left, (word,)], [(word,), right], [left, (word,), right]]))
    # One document that holds it, with more of the runs around.
    around = [[*draw(cjk_runs(2)), *part] if i == 0 else [*part] for i, part in enumerate(parts)]
    if parts[0] == (word,):
        around[0] = [word]
    segments = [tuple(part) for part in around]
    text = "".join([draw(spelled(segment)) for segment in segments])
    query = "".join([draw(spelled(part)) for part in parts])
    return [*several, (text, segments)], parts, query


def crosses(segments: list[Run], parts: list[Run]) -> bool:
    """Whether the parts stand in a row: the first ends a segment, the last begins one."""
    for at in range(len(segments) - len(parts) + 1):
        first, *rest = segments[at : at + len(parts)]
        if first[-len(parts[0]) :] != parts[0] or rest[-1][: len(parts[-1])] != parts[-1]:
            continue
        if rest[:-1] == parts[1:-1]:
            return True
    return False


@given(crossings())
def test_generated_text_over_the_border_of_a_run_and_a_word(
    new_sqlite: Any, search: tuple[list[tuple[str, list[Run]]], list[Run], str]
) -> None:
    several, parts, query = search
    make_table(new_sqlite, [text for text, _ in several])
    expected = [i for i, (_, found) in enumerate(several) if crosses(found, parts)]
    assert expected
    assert hits(new_sqlite, quoted(query)) == expected


def test_the_letters_meant_are_letters() -> None:
    assert runs("学习、ガー々〇。한글ㅋㅋ abc", CJK_LETTERS) == ["学习", "ガー々〇", "한글ㅋㅋ"]
