"""Neighbours of what people reported: the same trouble in another script, length or place.

At least two for each case of tokens, under the name of the case that they stand beside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from cases import Case, assert_holds, case
from fts import HOSTS, open_host
from test_reports import NO_MATTER_OF_TOKENS, is_about_tokens, read_reports

pytestmark = pytest.mark.usefixtures("library")

NEIGHBOURS = [
    # A run that was one token.
    case("C001", "수업은오후세시로바뀌었다", "오후"),
    case("C001", "会議は午後三時に変更", "午後三時"),
    case("C002", "今晚要不要一起吃火鍋", "鍋"),
    case("C002", "คืนนี้ไปกินหม้อไฟกันไหม", "หม้อไฟ"),
    case("C003", "週末は山登りの計画を立てた", "りの計"),
    case("C003", "週末は山登りの計画を立てた", "登山り", "miss"),
    case("C004", "やっぱり一石二鳥だと思う", "思う"),
    case("C004", "역시 일석이조라고생각한다", "이조라고"),
    case("C005", "トマトを湯むきしてから煮ます", "湯むき"),
    case("C005", "ジャガイモの皮剥き器", "皮剥き"),
    case("C006", "전자제품 사용설명서", "설명"),
    case("C006", "전자제품 사용설명서", "제품사", "miss"),
    case("C007", ["予算、承認済み。", "今期予算表を送付", "予想"], "予算", "hit:[0,1]"),
    case("C007", ["예산, 승인됨.", "분기예산표", "예의"], "예산", "hit:[0,1]"),
    case("C008", "經費發票整理清單", "清單 發票 經費"),
    case("C008", "レシートの整理、経費", "経費 レシート 整理"),
    case("C009", "天気予報士", "気予報"),
    case("C009", "일기예보관", "기예보"),
    case("C010", "古本棚板", '"古本棚"', form="fts5"),
    case("C010", "旧书包柜", '"书包柜"', form="fts5"),
    case("C011", "スクリーンショットツール", "ーンショ"),
    case("C011", "スクリーンショットツール", "ットツ"),
    case("C012", "魯迅的早期小說", "迅的"),
    case("C012", "漱石の初期小説", "漱石"),
    case("C013", "このモデルは評価できるかな", "モデ"),
    case("C013", "이모델을평가할수있을까", "모델을평가"),
    # One and two characters.
    case("C014", "下周去复查血压", "血"),
    case("C014", "次週は血圧の検査", "血圧"),
    case("C015", "오늘 회의에서 예산을 확정했다", "산"),
    case("C015", "오늘 회의에서 예산을 확정했다", "산을확", "miss"),
    case("C016", "新买的台灯很亮", "亮"),
    case("C016", "새로산램프가밝다", "램"),
    case("C017", "庭の梅が咲いた", "庭"),
    case("C017", "メを付けたウ", "ウ"),
    case("C019", ["데이터 이전 완료", "데이터 백업"], "데이터 이전", "hit:[0]"),
    case("C019", ["資料 遷移 完成", "資料 備份"], "資料 遷", "hit:[0]"),
    case("C020", "错误码q7确认", "q7"),
    case("C020", "エラーq7です", "q7で"),
    case("C021", "来电者李四", "四"),
    case("C021", "김씨전화", "김"),
    # Mixed scripts.
    case("C022", "nginxを再起動する", "nginx"),
    case("C022", "서버nginx를재시작", "nginx를"),
    case("C023", "把PR转成draft状态", "draft状"),
    case("C023", "이PR을draft로바꾼다", "pr을"),
    case("C024", "已经安装Docker了", "docker"),
    case("C024", "DockerとKubernetesを導入", "kubernetes"),
    case("C025", ["C++を学ぶ", "Cを学ぶ", "Rust"], "C++", "hit>=[0]", form="raw"),
    case("C025", ["학습.NET프로그램", "그물"], ".NET", "hit:[0]", form="raw"),
    case("C026", "お電話は0120番へ", "0120"),
    case("C026", "전화02연결", "02"),
    case("C027", "27インチモニター", "モニ"),
    case("C027", "27인치모니터", "27"),
    case("C028", "型番AX2048_B_3入荷", "B_3入"),
    case("C028", "모델AX2048-B/3입고", "ax2048"),
    case("C029", "iPhone15を買う", "iPhone15を"),
    case("C029", "아이폰iPhone15케이스", "iphone15"),
    case("C030", "OAuthでログイン", "OAUTHでログ"),
    case("C030", "使用ÖAuth登录", "oauth登录"),
    case("C031", "v1.2版をリリース", "v1.2版", form="raw"),
    case("C031", "출시:v1.2판", "v1.2판", form="raw"),
    case("C032", "第3章 3Dプリンター設置", "3Dプリ"),
    case("C032", "제3장 3D프린터", "3d프"),
    case("C034", "敷金2千5百円", "千5百"),
    case("C034", "보증금2천5백원", "2천5백원"),
    case("C035", "詳細はhttps://example.com/faqまで", "faqま"),
    case("C035", "자세한건https://example.com페이지", "com페이지"),
    case("C036", "내일은🍐따기", "🍐따"),
    case("C036", "一家👨‍👩‍👧出門", "👨‍👩‍👧"),
    # Width.
    case("C038", "開始ﾊﾟｿｺﾝ送信", "パソコン"),
    case("C038", "ﾃﾞｰﾀ", "デ"),
    case("C039", "ｶﾞｯﾂ", "ガッツ"),
    case("C039", "月次レポート提出", "ｰﾄ提"),
    case("C040", "型号ＸＹ—１２３", "XY 123", form="raw"),
    case("C040", "모델ＸＹ－１２３", "xy-123", form="raw"),
    case("C041", "電話０３－１２３４", "03-1234", form="raw"),
    case("C041", "编号100‐0001", "１００−０００１", form="raw"),
    case("C042", "　ＭｙＳＱＬは便利", "便利", "highlight:　ＭｙＳＱＬは[便利]"),
    case("C042", "用ＭｙＳＱＬ庫", "mysql庫", "highlight:用[ＭｙＳＱＬ庫]"),
    # Decomposed text.
    case("C044", "プログラム.pdf", "グラム"),
    case("C044", "か\u3099くせい", "がく"),
    case("C045", "\u1112\u1161\u11ab\u1100\u1173\u11af.txt", "한글"),
    case("C045", "\u1112\u1161\u11ab\u1100\u1173\u11af.txt", "하", "miss"),
    case("C046", "한글 자료", "\u1100\u1173\u11af"),
    case("C046", "ばら園", "は\u3099ら"),
    case("C047", "かきのたね", "か\u3099き", "miss"),
    case("C047", "ｶｷ", "ガキ", "miss"),
    case("C048", "ハスの花", "パス", "miss"),
    case("C048", "はし", "ばし", "miss"),
    # Kana and signs that belong to a run.
    case("C049", "ユーザｰ登録", "ユーザー"),
    case("C049", "カ—ド決済", "カード"),
    case("C050", "プリンタ設定", "プリンター設", option="fold_prolonged"),
    case("C050", "本番サーバー、再起動", "ｻｰﾊﾞ再", "miss"),
    case("C050", "サーバー再起動", "ｻｰﾊﾞ再", option="fold_prolonged"),
    case("C050", "サーバーの再起動", "サーバの", option="fold_prolonged"),
    case("C051", "佐々木さん", "々木"),
    case("C051", "二〇二四年〆切", "〇二四年〆"),
    case("C052", "人々が", "人人", option="fold_iteration"),
    case("C052", "こゝろ", "こころ", option="fold_iteration"),
    case("C055", "しかし", "シカシ", "miss"),
    case("C055", "しかし", "シカシ", option="fold_kana"),
    case("C056", "ㇷ゚ラ", "ㇷ"),
    case("C056", "アイヌ語のㇰㇱ表記", "のㇰ"),
    case("C057", "注音ㄅㄆㄇ練習", "ㄇ練"),
    case("C057", "ㆠㆡ方言", "ㆡ"),
    case("C058", "サン･テグジュペリ", "サン"),
    case("C058", "约翰·克里斯朵夫", "克里斯"),
    case("C059", "営業９：００～１８：００", "9:00〜18:00", form="raw"),
    case("C059", "접수 10～12시", "10~12시", form="raw"),
    # Variants and radicals.
    case("C060", "葛\U000e0100城市役所", "葛\U000e0101城"),
    case("C060", "神\ufe00社と葛\ufe00城", "社と葛城"),
    case("C062", "⾧期⽬標", "長期目標"),
    case("C062", "方針を決める", "⽅針"),
    case("C064", "福\u200b神社", "神社"),
    case("C064", "侮辱", "侮辱"),
    case("C065", "渡邊さん", "渡辺", option="fold_han"),
    case("C065", "齋藤", "斎藤", option="fold_han"),
    case("C066", "图书馆开放时间", "圖書館", option="fold_han"),
    case("C066", "臺灣大學", "台湾大学", option="fold_han"),
    case("C067", "头发乾了", "頭髮", option="fold_han"),
    case("C067", "隻字", "只字", option="fold_han"),
    case("C068", "她讀詩經選", "读诗", "highlight:她[讀詩]經選", option="fold_han"),
    case("C068", "國體", "国体", "highlight:[國體]", option="fold_han"),
    case("C069", "𩸽を焼く", "𩸽"),
    case("C069", "字𰻞面馆", "𰻞面"),
    # What cannot be seen.
    case("C071", "회의\u200b록", "회의록"),
    case("C071", "議\u00ad事\ufeff録", "事録"),
    case("C072", "교육ㆍ문화ㆍ체육", "육문", "miss"),
    case("C072", "교육·문화・체육", "체육"),
    case("C077", "こんにちは、世界", "はせ", "miss"),
    case("C077", "안녕, 세계", "안녕 세계"),
    # What must not be found.
    case("C078", ["東の山、西の口", "東山口"], "東山", "hit:[1]"),
    case("C078", ["동쪽 산 입구", "동산 입구"], "동산", "hit:[1]"),
    case("C079", "さくら", "くさ", "miss"),
    case("C079", "上海", "海上", "miss"),
    case("C080", "검은 색", "검색", "miss"),
    case("C080", "東の 京の", "の京", "miss"),
    case("C081", ["本店", "本田", "田本"], "本田", "hit:[1]"),
    case("C081", ["가수", "가나", "나가"], "가나", "hit:[1]"),
    case("C082", "橋を渡る", "端", "miss"),
    case("C082", "妈妈骂马", "麻", "miss"),
    case("C083", "서울 대구", "울대", "miss"),
    case("C083", "東京　大阪", "京大", "miss"),
    case("C084", "好きhelloです", "きで", "miss"),
    case("C084", "我喜欢😀你好", "欢你", "miss"),
    case("C085", "城と京", '"京城"', "miss", form="fts5"),
    case("C085", "서울의 도성", '"울도"', "miss", form="fts5"),
    case("C086", ["서울 비밀", "서울 공개"], "서울 NOT 비밀", "hit:[1]", form="fts5"),
    case("C086", ["机密报告", "公开报告"], "报告 NOT 机", "hit:[1]", form="fts5"),
    case("C089", ["배송을 원하고", "원고 하나"], "원하", "hit:[0]"),
    case("C089", ["願書を出す", "願い出す書"], "願書", "hit:[0]"),
    case("C090", "東風橋牌", "風橋"),
    case("C090", "동풍다리", "풍다"),
    case("C091", ["關西空港", "関西の空", "空港"], "空港", "hit:[0,2]"),
    case("C091", ["中国語", "中国话", "中國"], "中国", "hit:[0,1]"),
    case("C092", "ຈັງຫວັດຫຼວງ", "ຫຼວງ"),
    case("C092", "ខេត្តសៀមរាប", "សៀម"),
    case("C093", "น้ำตก", "น", "miss"),
    case("C093", "น้ำตก", "น้ำ"),
    # Marks.
    case("C094", "開始ﾊﾟｿ送信", "パソ", "highlight:開始[ﾊﾟｿ]送信"),
    case("C094", "資料\u1112\u1161\u11ab", "한", "highlight:資料[\u1112\u1161\u11ab]"),
    case("C095", "국민의국가", "국민", "highlight:[국민]의국가"),
    case("C095", "人民网民意调查", "民意", "highlight:人民网[民意]调查"),
    case("C096", "应用人工智能", "工智能", "highlight:应用人[工智能]"),
    case("C096", "인공지능응용", "인공지능", "highlight:[인공지능]응용"),
    case("C097", "検索の例:日本語", "日本語", "highlight:検索の例:[日本語]"),
    case("C097", "ค้นภาษาไทย", "ภาษา", "highlight:ค้น[ภาษา]ไทย"),
    case("C099", "昨日の天気は", "天気", "highlight:昨日の[天気]は"),
    case("C099", "𠮷野の天気", "天気", "highlight:𠮷野の[天気]"),
    # Ranking.
    case("C101", ["好" * 400 + "路由器", "路由器怎么重启"], "路由器", "rank:[1,0]"),
    case("C101", ["공유기 재시작", "집 정리 " * 100 + "공유기"], "공유기", "rank:[0,1]"),
    case("C103", "점진배포 과정", "점진배포 결과", form="any"),
    case("C103", "段階公開の手順", "段階公開結果", form="any"),
    case("C104", "東大は東京にある", "東大はどこですか", form="any"),
    case("C104", "복단은 상하이에 있다", "복단 대학은 어디", form="any"),
    # What people type.
    case("C105", "it's時間", "it's時", form="raw"),
    case("C105", "l'été日本", "l'été", form="raw"),
    case("C106", "multi-agentの設計", "multi-agentの", form="raw"),
    case("C106", "단일-agent구조", "agent구조", form="raw"),
    case("C107", "件名：週報", "件名:週報", form="raw"),
    case("C107", "제목: 주보", "제목:주보", form="raw"),
    case("C108", "状態 AND 通過", "AND 通過", form="raw"),
    case("C108", "상태 OR 통과", "통과 OR", form="raw"),
    case("C109", "なぜ失敗", "なぜ失敗？", form="raw"),
    case("C109", "왜 실패", "실패!!", form="raw"),
    case("C110", "「」", "「」", "no-error", form="raw"),
    case("C110", "학습", "...", "miss", form="raw"),
    case("C112", "会議標題一覧", "*標題", form="raw"),
    case("C112", "회의제목", "*제목*", form="raw"),
    case("C113", "기계학습모델", "기계학*", form="fts5"),
    case("C113", "机器学习", "机*", form="fts5"),
    case("C115", "ㅋ" * 3000, "ㅋ" * 2500),
    case("C115", "はは" * 1500, "は" * 3001, "miss"),
    # No dictionary.
    case("C116", "クラウドネイティブ", "ドネイ"),
    case("C116", "클라우드네이티브", "드네이티"),
    case("C117", "マジ卍でエモい", "卍で"),
    case("C117", "꿀잼이라핵노잼", "핵노잼"),
    case("C118", "昼食はおにぎり", "おにぎり"),
    case("C118", "午饭是寿司外卖", "寿司"),
    case("C121", "알람을 끄고 잤다", "람을"),
    case("C121", "알람을 끄고 잤다", "끄"),
    case("C122", "데이터베이스 설계", '"데이터 베이스"', form="fts5"),
    case("C122", "데이터 베이스 설계", "데이터 베이스"),
]


@pytest.fixture(scope="module", params=HOSTS)
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    conn = open_host(request.param)
    yield conn
    conn.close()


@pytest.mark.parametrize("case", NEIGHBOURS, ids=lambda each: f"{each.name}-{each.query[:20]}")
def test_neighbour(conn: Any, case: Case) -> None:
    assert_holds(conn, case)


def test_every_report_has_two_neighbours() -> None:
    reports = read_reports()
    if not reports:
        pytest.skip("the reported cases are absent: no ../shared/cases")
    wanted = {report["id"] for report in reports if is_about_tokens(report)} - NO_MATTER_OF_TOKENS
    counted = Counter(each.name for each in NEIGHBOURS)
    assert set(counted) == wanted
    assert {name for name, n in counted.items() if n < 2} == set()
    # Neighbours, not copies.
    copied = {(doc, r["query"]) for r in reports for doc in [r["doc"]] if isinstance(doc, str)}
    assert not copied & {(each.documents[0], each.query) for each in NEIGHBOURS}
