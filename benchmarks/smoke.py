"""A smoke test of recall: do short queries find the text that holds their words?

Five small sets written for this purpose (Chinese, Japanese, Korean, Thai, mixed), each query with
the one document that it must find, and each way of preparing text for FTS5: raw text under
unicode61, bigrams beside it (shadow column), words of a segmenter, the whole stream as shadow
text, and tokenize='cjk'. It shows at a glance what is broken; it says nothing about ranking, and a
hundred per cent here says nothing about quality on real text.

    python benchmarks/smoke.py          all sets, a table
    python benchmarks/smoke.py zh ja    some of them

Ways whose packages are missing are marked `-`. Takes a second, most of it dictionaries loading.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from typing import Callable, NamedTuple

import cjk_tokenizer
from cjk_tokenizer.memory import pretokens, shadow
from cjk_tokenizer.memory.pretokenize import tokenize_for_fts
from cjk_tokenizer.memory.segmenters import load_segmenter


class Set(NamedTuple):
    """Documents, and queries with the index of the document that each must find."""

    language: str
    documents: Sequence[str]
    queries: Sequence[tuple[str, int]]


class Way(NamedTuple):
    """A way of searching: its table, what is stored of a text, what is asked for a query."""

    name: str
    tokenizer: str
    store: Callable[[str, str], str]
    ask: Callable[[str, str], str]
    is_available: Callable[[str], bool]


CHINESE = Set(
    "zh",
    (
        "周末我们把阳台上的番茄苗移到了大花盆里",
        "数据库每天凌晨两点自动备份到另一台机器",
        "她最近在学弹古筝，每晚练习半个小时",
        "会议决定把发布日期推迟到下个月中旬",
        "这家面馆的牛肉面汤头清淡，适合早餐",
        "服务器内存不足时会自动重启后台任务",
        "他对花生过敏，点菜时要提前告诉店家",
        "新来的实习生负责整理去年的客户反馈",
        "老房子的水管漏水，周三约了师傅来修",
        "地铁末班车是晚上十一点二十分",
        "登录失败五次之后账号会被锁定半小时",
        "孩子的生日礼物想买一套天文望远镜",
        "搜索结果按相关程度排序，其次看时间",
        "去云南旅行的机票已经订好，月底出发",
        "项目文档统一放在共享盘的设计目录下",
        "医生建议少喝咖啡，改喝温水和淡茶",
        "图书馆周一闭馆，还书可以投进还书箱",
        "这个接口的超时时间默认设置为三十秒",
        "猫咪打翻了书桌上的墨水，地毯也脏了",
        "冬天开车前要检查轮胎气压和防冻液",
    ),
    (
        ("番茄", 0),
        ("备份", 1),
        ("古筝", 2),
        ("推迟", 3),
        ("牛肉面", 4),
        ("重启", 5),
        ("花生过敏", 6),
        ("客户反馈", 7),
        ("锁定", 10),
        ("望远镜", 11),
        ("超时", 17),
        ("轮胎", 19),
    ),
)

JAPANESE = Set(
    "ja",
    (
        "来週の打ち合わせは木曜日の午後三時に変更になりました",
        "祖母の梅干しは塩だけで漬けてあるのでとても酸っぱい",
        "ログインに失敗したときはパスワードを再設定してください",
        "駅前のパン屋は朝七時から焼きたての食パンを売っている",
        "データベースの索引を作り直したら検索が速くなった",
        "猫が障子を破ったので週末に張り替えるつもりです",
        "彼女は卵アレルギーがあるのでケーキは食べられません",
        "山登りの前に天気予報と装備を必ず確認すること",
        "議事録は共有フォルダーの会議資料に置いてあります",
        "今年の夏は庭の朝顔がよく咲いた",
    ),
    (
        ("木曜日", 0),
        ("梅干し", 1),
        ("パスワード", 2),
        ("食パン", 3),
        ("検索", 4),
        ("障子", 5),
        ("アレルギー", 6),
        ("天気予報", 7),
        ("議事録", 8),
        ("朝顔", 9),
    ),
)

KOREAN = Set(
    "ko",
    (
        "다음주 회의는 목요일로 옮겼습니다",
        "할머니댁 마당에 감나무가 두 그루 있다",
        "비밀번호를 다섯 번 틀리면 계정이 잠깁니다",
        "동네빵집에서는 아침마다 식빵을 굽는다",
        "색인을 다시 만들자 전체검색이 빨라졌다",
        "고양이가 새벽마다 책상위에서 물컵을 엎는다",
        "민지는 땅콩알레르기가 있어서 과자를 조심한다",
        "등산하기 전에 기상예보를 꼭 확인하세요",
        "회의록은 공유폴더에 올려 두었습니다",
        "주말농장에서 고추와 방울토마토를 길렀다",
    ),
    (
        ("목요일", 0),
        ("나무", 1),
        ("번호", 2),
        ("빵집", 3),
        ("검색", 4),
        ("양이", 5),
        ("알레르기", 6),
        ("예보", 7),
        ("폴더", 8),
        ("토마토", 9),
    ),
)

THAI = Set(
    "th",
    (
        "ประชุมสัปดาห์หน้าเลื่อนไปเป็นวันพฤหัสบดีตอนบ่าย",
        "คุณยายปลูกต้นมะม่วงไว้หลังบ้านสองต้น",
        "ถ้าใส่รหัสผ่านผิดห้าครั้งระบบจะล็อกบัญชี",
        "ร้านขนมปังหน้าสถานีเปิดตั้งแต่เช้า",
        "ฐานข้อมูลสำรองไว้ที่เครื่องอีกเครื่องทุกคืน",
        "แมวทำแก้วน้ำหกบนโต๊ะทำงานเมื่อคืน",
        "เธอแพ้ถั่วลิสงต้องบอกร้านก่อนสั่งอาหาร",
        "ก่อนขึ้นเขาควรตรวจสอบพยากรณ์อากาศ",
        "รายงานการประชุมอยู่ในแฟ้มกลางของทีม",
        "เชียงใหม่อากาศเย็นมากในเดือนธันวาคม",
    ),
    (
        ("พฤหัสบดี", 0),
        ("มะม่วง", 1),
        ("รหัสผ่าน", 2),
        ("ขนมปัง", 3),
        ("สำรอง", 4),
        ("แก้วน้ำ", 5),
        ("ถั่วลิสง", 6),
        ("พยากรณ์", 7),
        ("รายงาน", 8),
        ("ธันวาคม", 9),
    ),
)

MIXED = Set(
    "en",
    (
        "昨天把SQLite升级到新版本，全文搜索快了一倍",
        "このPRをdraftに戻してレビュー待ちにしました",
        "Docker이미지를 줄이려고 alpine으로 바꿨다",
        "Alex said 周五之前要把合同寄出去 and he meant it",
        "ใช้Pythonเขียนสคริปต์แปลงไฟล์ทุกคืน",
        "I fixed 机器学习模型 using TensorFlow",
        "meeting memo: 東京タワーの前で十時に集合",
        "GPU显存只有24GB，batch要调小",
        "서버에서 timeout이 나면 재시도횟수를 늘린다",
        "ติดตั้งappแล้วลงทะเบียนด้วยอีเมล",
    ),
    (
        ("全文搜索", 0),
        ("レビュー", 1),
        ("Docker", 2),
        ("合同", 3),
        ("Python", 4),
        ("机器学习", 5),
        ("タワー", 6),
        ("显存", 7),
        ("횟수", 8),
        ("ทะเบียน", 9),
    ),
)

SETS = {"zh": CHINESE, "ja": JAPANESE, "ko": KOREAN, "th": THAI, "mixed": MIXED}


def _quote(query: str) -> str:
    doubled = query.replace('"', '""')
    return f'"{doubled}"'


def _store_bigrams(text: str, _: str) -> str:
    # What is no CJK stays searchable beside the bigrams.
    return f"{text} {shadow.index_text(text)}"


def _ask_bigrams(query: str, _: str) -> str:
    return shadow.query_expr(query) or _quote(query)


def _store_words(text: str, language: str) -> str:
    return (
        pretokens.tokenize_indexing(text) if language == "zh" else tokenize_for_fts(text, language)
    )


def _ask_words(query: str, language: str) -> str:
    if language == "zh":
        return pretokens.tokenize_query(query)
    return " ".join(_quote(word) for word in tokenize_for_fts(query, language).split())


def _has_segmenter(language: str) -> bool:
    needed = {"ko": (), "en": ("zh", "ja", "th")}.get(language, (language,))
    return all(load_segmenter(each) is not None for each in needed)


WAYS = (
    Way("raw unicode61", "unicode61", lambda t, _: t, lambda q, _: _quote(q), lambda _: True),
    Way("bigrams", "unicode61", _store_bigrams, _ask_bigrams, lambda language: language != "th"),
    Way("words", "unicode61", _store_words, _ask_words, _has_segmenter),
    Way(
        "shadow text",
        "unicode61",
        lambda text, _: shadow.shadow_text(text),
        lambda query, _: shadow.shadow_query(query),
        lambda _: True,
    ),
    Way("tokenize='cjk'", "cjk", lambda t, _: t, lambda q, _: _quote(q), lambda _: True),
)


def count_found(data: Set, way: Way) -> int:
    """How many queries find their document."""
    conn = sqlite3.connect(":memory:")
    if way.tokenizer == "cjk":
        cjk_tokenizer.load(conn)
    conn.execute(f"CREATE VIRTUAL TABLE docs USING fts5(body, tokenize='{way.tokenizer}')")
    conn.executemany(
        "INSERT INTO docs(rowid, body) VALUES (?, ?)",
        [(i, way.store(text, data.language)) for i, text in enumerate(data.documents)],
    )
    sql = "SELECT 1 FROM docs WHERE docs MATCH ? AND rowid = ?"
    found = sum(
        conn.execute(sql, (way.ask(query, data.language), wanted)).fetchone() is not None
        for query, wanted in data.queries
    )
    conn.close()
    return found


def main(names: Sequence[str]) -> None:
    """Print a row for each way, a column for each set."""
    unknown = sorted(set(names) - set(SETS))
    if unknown:
        raise SystemExit(f"unknown set {', '.join(unknown)}: the sets are {', '.join(SETS)}")
    chosen = {name: SETS[name] for name in names or SETS}
    print(f"{'queries that find their document':<34}", *(f"{name:>8}" for name in chosen))
    for way in WAYS:
        cells = [
            f"{count_found(data, way)}/{len(data.queries)}"
            if way.is_available(data.language)
            else "-"
            for data in chosen.values()
        ]
        print(f"{way.name:<34}", *(f"{cell:>8}" for cell in cells))


if __name__ == "__main__":
    main(sys.argv[1:])
