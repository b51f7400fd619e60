"""Prompts for language models that read a conversation in its own language.

A model extracts better from Chinese text when it is asked in Chinese. There are texts in English,
Chinese and Japanese; every other language gets the English ones, since instructions in an unrel\
ated
third language help nobody. Predicates of a knowledge graph are English in all of them, so that \
the
graphs of different conversations join. Nothing else in this package imports this file.
"""

from __future__ import annotations

from typing import NamedTuple

from cjk_tokenizer.memory.text import check_text

# What a session is summed up by, in this order, in every language.
DIMENSIONS = (
    "goal",
    "context",
    "decisions",
    "actions",
    "problems",
    "solutions",
    "preferences",
    "entities",
    "open_questions",
)


class Prompt(NamedTuple):
    """A system text, and a user text with one place to fill in: `{text}`."""

    system: str
    user_template: str

    def render(self, text: str) -> str:
        """The user text with `text` filled in, braces in it and all."""
        return self.user_template.replace("{text}", text)


class SessionPrompt(NamedTuple):
    """As `Prompt`, with the label of each of the nine `DIMENSIONS` in the prompt's language."""

    system: str
    user_template: str
    dimensions: dict[str, str]

    def render(self, text: str) -> str:
        """The user text with `text` filled in, braces in it and all."""
        return self.user_template.replace("{text}", text)


def kg_prompt(language: str) -> Prompt:
    """The prompt that gets a knowledge graph (subject, predicate, object) out of a text.

    >>> kg_prompt("zh").render("小明住在北京。").splitlines()[0]
    '请从下面的文字中找出事实：'
    >>> kg_prompt("ko") == kg_prompt("en")
    True
    """
    return _KG.get(_prompt_language(language), _KG["en"])


def session_prompt(language: str) -> SessionPrompt:
    """The prompt that sums a session up along nine dimensions.

    >>> session_prompt("ja").dimensions["goal"]
    '目的'
    >>> len(session_prompt("fr").dimensions)
    9
    """
    key = _prompt_language(language)
    labels = _LABELS.get(key, _LABELS["en"])
    template, user_template = _SESSION.get(key, _SESSION["en"])
    listed = "\n".join(f"- {name}: {label}" for name, label in labels.items())
    return SessionPrompt(template.replace("{dimensions}", listed), user_template, labels)


def _prompt_language(language: str) -> str:
    return check_text(language, "language").replace("_", "-").split("-")[0].lower()


_KG = {
    "en": Prompt(
        system="""\
You turn conversation text into facts for a knowledge graph.

Write each fact as one JSON object with the keys "subject", "predicate" and "object", and answer
with a JSON array of them, nothing else. An empty array is a good answer when there is no fact.

- Subjects and objects: as the text names them, in the language of the text, each thing under one
  name throughout. Replace pronouns by what they stand for; leave the fact out when that is uncl\
ear.
- Predicates: always English, lower case, words joined by underscores, in the present tense, suc\
h as
  lives_in, works_on, prefers, depends_on, decided_to_use.
- Only what the text says. No guesses, no general knowledge, nothing that was merely asked.
- When the text corrects itself, keep the later statement.

Text: "Lena moved to Oslo in May. She likes the trams there."
Answer: [{"subject": "Lena", "predicate": "lives_in", "object": "Oslo"},
{"subject": "Lena", "predicate": "likes", "object": "trams in Oslo"}]""",
        user_template="Find the facts in this text:\n\n{text}",
    ),
    "zh": Prompt(
        system="""\
你的任务是把对话文字整理成知识图谱里的事实。

每条事实写成一个 JSON 对象，键为 "subject"、"predicate"、"object"；\
只输出由这些对象组成的 JSON 数组，不要写别的内容。没有事实时输出空数组即可。

- 主语和宾语：沿用原文的叫法和原文的语言，同一事物始终用同一个名称。代词要换成它所指的人或物，\
指代不明就不写。
- 谓语（predicate）：一律用英文小写，单词之间用下划线连接，用现在时，例如 lives_in、works_on、\
prefers、depends_on、decided_to_use。
- 只写文中说到的内容，不推测，不补充常识；仅仅被问到的事情不算事实。
- 前后说法不一致时，以后面的为准。

文字：“小周五月搬到了成都，她很喜欢那里的茶馆。”
输出：[{"subject": "小周", "predicate": "lives_in", "object": "成都"},
{"subject": "小周", "predicate": "likes", "object": "成都的茶馆"}]""",
        user_template="请从下面的文字中找出事实：\n\n{text}",
    ),
    "ja": Prompt(
        system="""\
会話の文章から事実を取り出し、知識グラフの形に整理してください。

事実は一つずつ、キー "subject"、"predicate"、"object" を持つ JSON オブジェクトで表し、\
その JSON 配列だけを出力します。事実がなければ空の配列で構いません。

- 主語と目的語：文章の言語のまま、文章にある呼び名を使い、同じものは常に同じ名前で書きます。\
代名詞は指すものに置き換え、はっきりしない場合は書きません。
- 述語（predicate）：必ず英語の小文字で、単語をアンダースコアでつなぎ、現在形にします。例：\
lives_in、works_on、prefers、depends_on、decided_to_use。
- 文章に書かれていることだけを取り上げ、推測や一般知識は加えません。\
質問されただけのことは事実ではありません。
- 途中で訂正があれば、後の発言を採ります。

文章：「佐和さんは五月に金沢へ引っ越した。町の市場が気に入っているそうだ。」
出力：[{"subject": "佐和さん", "predicate": "lives_in", "object": "金沢"},
{"subject": "佐和さん", "predicate": "likes", "object": "金沢の市場"}]""",
        user_template="次の文章から事実を取り出してください。\n\n{text}",
    ),
}

_LABELS = {
    "en": dict(
        zip(
            DIMENSIONS,
            (
                "what the person wants to reach",
                "the situation it started from",
                "what was decided, and why",
                "what was done",
                "what went wrong or stood in the way",
                "what solved it",
                "wishes and habits of the person that hold beyond this session",
                "names that matter: people, projects, files, tools, places",
                "what is still open, and the next step",
            ),
        )
    ),
    "zh": dict(
        zip(
            DIMENSIONS,
            (
                "目标",
                "背景",
                "决定及理由",
                "已做的事",
                "遇到的问题",
                "解决办法",
                "长期偏好与习惯",
                "重要名称（人物、项目、文件、工具、地点）",
                "未决事项与下一步",
            ),
        )
    ),
    "ja": dict(
        zip(
            DIMENSIONS,
            (
                "目的",
                "背景",
                "決めたことと理由",
                "行ったこと",
                "起きた問題",
                "解決の方法",
                "今後も続く好みや習慣",
                "大切な名前（人、プロジェクト、ファイル、道具、場所）",
                "残った課題と次の一歩",
            ),
        )
    ),
}

# Language -> system text with a place for the dimensions, user text.
_SESSION = {
    "en": (
        """\
You sum up a work session so that someone who has only your summary can take it up weeks later.
Answer with one JSON object that has exactly these keys:

{dimensions}

Each value is a list of short sentences in the language of the conversation, an empty list where
there is nothing to say. Keep names, numbers, paths and commands as they were written. Leave out
greetings and detours.""",
        "Sum up this session:\n\n{text}",
    ),
    "zh": (
        """\
请为一次工作会话写摘要，让几周后只看到摘要的人也能接着做下去。只输出一个 JSON 对象，\
键必须恰好是下面这些：

{dimensions}

每个键的值是由短句组成的列表，用会话本身的语言书写；没有内容就写空列表。名称、数字、\
路径和命令保持原样，寒暄和岔开的话题不用写。""",
        "请为下面的会话写摘要：\n\n{text}",
    ),
    "ja": (
        """\
作業の記録を要約してください。数週間後、要約しか手元にない人でも続きに取りかかれるようにします。\
出力は次のキーだけを持つ JSON オブジェクト一つです。

{dimensions}

値は短い文のリストとし、会話と同じ言語で書きます。書くことがなければ空のリストにします。名前、\
数値、パス、コマンドは元のまま残し、挨拶や脱線は省きます。""",
        "次の会話を要約してください。\n\n{text}",
    ),
}
