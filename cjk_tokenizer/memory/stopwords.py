"""Short lists of words that carry little: function words, and the bigrams of questions.

Written for this package and kept short on purpose: a word is here when leaving it out of a search
hardly ever loses anything. Words are as the segmenters give them (kana and Han as written, Latin
and Cyrillic in lower case, unstemmed). Korean has none: its particles are syllables of words.
"""

from __future__ import annotations

from cjk_tokenizer.memory.text import check_text

_WORDS = {
    "zh": (
        "的 了 着 过 是 在 和 与 及 或 而 且 也 都 就 还 又 很 这 那 这个 那个 一个 之 其 于 "
        "把 被 让 给 对 从 向 到 以 为 因为 所以 但 但是 如果 吗 呢 吧 啊 呀 嘛 得 "
        "這 這個 那個 過 還 與 給 對 從 為 因為 嗎"
    ),
    "ja": (
        "の に は を が と で も へ や か から まで より など ば て た だ です ます でし "
        "まし である ある いる する し さ れ られ せ この その あの どの これ それ あれ ここ "
        "そこ という といった ため よう こと もの ね よ わ"
    ),
    "th": ("และ หรือ แต่ ที่ ซึ่ง ว่า ของ ใน จาก กับ ให้ ได้ เป็น คือ มี จะ ก็ แล้ว นี้ นั้น ครับ ค่ะ คะ นะ ๆ"),
    "en": (
        "a an the and or but if of in on at by to for from with as is are was were be been "
        "it its this that these those i you he she we they my your our their do does did not "
        "no so than then"
    ),
    "de": (
        "der die das den dem des ein eine einen einem einer und oder aber in im an am auf "
        "mit von vom zu zum zur für bei aus nach ist sind war waren sein es er sie wir ich "
        "nicht auch als wie"
    ),
    "fr": (
        "le la les un une des du de d l et ou mais à au aux en dans sur par pour avec sans "
        "est sont était être il elle on nous vous ils elles je tu ce cette ces qui que ne "
        "pas se sa son ses"
    ),
    "es": (
        "el la los las un una unos unas y e o u pero de del a al en con por para sin es son "
        "era ser lo se su sus yo tú él ella nosotros que como no más este esta esto"
    ),
    "it": (
        "il lo la i gli le un uno una e ed o ma di del dello della dei degli delle a al alla "
        "in nel nella con su per da dal è sono era essere che non si io tu lui lei noi loro "
        "questo questa"
    ),
    "pt": (
        "o a os as um uma uns umas e ou mas de do da dos das em no na nos nas com por para "
        "sem é são era ser que não se eu tu ele ela nós eles este esta isto ao aos à às"
    ),
    "nl": (
        "de het een en of maar van in op aan bij met voor uit naar te is zijn was waren "
        "wordt het ik jij hij zij wij niet ook als dat die dit deze er om"
    ),
    "sv": (
        "en ett den det de och eller men av i på vid till från för med om är var vara att "
        "som inte jag du han hon vi ni denna detta dessa så"
    ),
    "da": (
        "en et den det de og eller men af i på ved til fra for med om er var være at som "
        "ikke jeg du han hun vi denne dette disse så"
    ),
    "no": (
        "en ei et den det de og eller men av i på ved til fra for med om er var være å at "
        "som ikke jeg du han hun vi denne dette disse så"
    ),
    "fi": (
        "ja tai mutta on oli ovat olla se ne tämä tuo nämä että kun niin myös ei minä sinä "
        "hän me te he joka jos kuin"
    ),
    "hu": (
        "a az egy és vagy de hogy is nem van volt lesz ez ezt az azt én te ő mi ti ők mint "
        "ha csak már még"
    ),
    "ro": (
        "un o și sau dar de din la în pe cu pentru fără este sunt era fi că nu se eu tu el "
        "ea noi ei care acest această ce"
    ),
    "tr": (
        "ve veya ya da ama ile bir bu şu o için gibi de da ki mi mı mu mü ne çok daha ben "
        "sen biz siz onlar değil var"
    ),
    "cs": (
        "a i nebo ale v ve na do z ze s se k ke o u za pro od je jsou byl byla být to ten ta "
        "že ne já ty on ona my co jak který"
    ),
    "ru": (
        "и или но а в во на с со к ко о об от до из за по для у не ни что как это этот эта "
        "эти тот та те я ты он она мы вы они был была было быть же ли бы"
    ),
    "ar": (
        "و في من إلى على عن مع أو أن إن هذا هذه ذلك تلك التي الذي الذين هو هي هم كان كانت لا "
        "ما لم ثم قد كل"
    ),
    "hi": ("और या का की के को में से पर ने है हैं था थे थी यह वह ये वे इस उस एक भी ही तो कि जो न नहीं लिए साथ"),
}
STOPWORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split()) for language, words in _WORDS.items()
}

# What a question asks with, not about: for `shadow.query_expr(drop_bigrams=...)`.
_QUESTIONS = {
    "zh": ("什么 怎么 怎样 为什 么样 如何 哪里 哪个 哪些 谁是 多少 是否 请问 有没 是不"),
    "zh_hant": "什麼 怎麼 怎樣 為什 麼樣 哪裡 哪個 誰是 請問 有沒",
    "ja": "です ます すか 何で なに なぜ どう どこ いつ だれ どれ どの とは って のか れは",
    "ko": "무엇 어떻 떻게 어디 언제 누구 왜요 인가 나요 까요 습니 니까",
}
QUESTION_BIGRAMS: frozenset[str] = frozenset(
    bigram for bigrams in _QUESTIONS.values() for bigram in bigrams.split()
)


def stopwords(language: str) -> frozenset[str]:
    """The list for a language code; empty for a language without one.

    >>> "的" in stopwords("zh"), stopwords("ko")
    (True, frozenset())
    """
    return STOPWORDS.get(check_text(language, "language"), frozenset())
