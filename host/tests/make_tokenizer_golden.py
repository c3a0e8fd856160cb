"""Writes tokenizer_golden.jsonl: awkward texts and the token numbers that HuggingFace's `tokenizers` gives for them. Needs
that package (0.23 made the file here), for example in a virtual environment, and the reference's tokenizer.json:
    python make_tokenizer_golden.py "$(./dev models minilm-f32 | grep tokenizer.json)"
"""
import json
import pathlib
import random
import sys
import unicodedata

from tokenizers import Tokenizer

LIMIT = 512
PLAIN = r"""That is a happy person
That is a happy dog
That is a very happy person
Today is a sunny day
The quick brown fox jumps over the lazy dog.
unaffable embeddings of tokenisation
Hello,world!How're you?
I'll go; don't wait -- it's 5 o'clock...
e-mail: someone@example.com (urgent!!)
https://example.org/a/b?c=d&e=f#g_h
C:\Windows\system32 $HOME ~user `ls -l` | a^b
x=3.14159e-10;y=[1,2,3]
<tag attr="value">text</tag>
{"key": null}
1,234,567.89 100% $5 #1 @home
3x^2+4y/5*6
__init__.py __main__
CamelCaseWord snake_case_word kebab-case-word
supercalifragilisticexpialidocious
pneumonoultramicroscopicsilicovolcanoconiosis
zzzzzzqqqqqxxxxx
qwertyuiopasdfghjklzxcvbnm"""
LANGUAGES = [
    "Café Zürich naïve Ångström crème brûlée", "ÀÁÂÃÄÅ ÇÈÉÊË ÌÍÎÏ ÑÒÓÔÕÖ ÙÚÛÜÝ ß ÿ Æ Ø Œ Ð Þ", "İstanbul ı I i ğ Ş", "ΑΒΓ Ὀδυσσεύς ὁ φίλος ΣΊΣΥΦΟΣ",
    "Привет, мир! Ёлка и йод", "Їжак, ґанок, ў", "שלום עולם", "שָׁלוֹם", "مرحبا بالعالم", "مَرْحَبًا ٱلْعَالَمِ ١٢٣", "سلام دنیا‌ی بزرگ",
    "नमस्ते दुनिया", "বাংলা ভাষা", "தமிழ் மொழி", "ไทยแลนด์ สวัสดีครับ", "ສະບາຍດີ", "မြန်မာ", "ខ្មែរ", "ქართული ᲥᲐᲠᲗᲣᲚᲘ", "Հայերեն", "አማርኛ",
    "你好世界", "我爱北京天安门。", "漢字とカタカナとひらがな、テスト", "ｶﾀｶﾅ ＡＢＣ １２３", "が ガ ぱ パ", "안녕하세요 세계", "한글 각 힣", "ㄱㄴㄷ ᄀᄂᄃ",
    "中文English混合text", "豈更車", "𠀀𠮷𪚥 𫝀 𫢸", "tiếng Việt: Nguyễn, đường phố", "Þórr ok Óðinn", "Dvořák, Łódź, Żółć", "ŀ ŉ ǆ ǅ Ǆ ﬁ ﬃ ſ",
]
SYMBOLS = [
    "😀 😃👍🏽 👨‍👩‍👧‍👦 🇩🇪 ❤️", "© ® ™ ° ± µ ¶ § ¿ ¡ « »", "“quoted” ‘single’ – en — em … ‰ †", "€ £ ¥ ₹ ₿", "½ ¼ ² ³ ¹ ⁵ ₂ Ⅳ ⑩ ㎏", "→ ⇒ ∀x∈ℝ ∑ √2 ∞ ≠ ≤",
    "、。「」『』【】・〜", "؟ ، ؛ ۔", "। ॥", "‹›„‚", "⁂※‽⸮", "a·b•c◦d", "~!@#$%^&*()_+`-={}|[]\\:\";'<>?,./", "--- ... ??? !!!", "a_b a-b a.b a'b",
]
BLANKS_AND_CONTROLS = [
    "", " ", "\t\n\r", "  two  spaces  ", "a\tb\nc\r\nd", "a\u00a0b\u2003c\u3000d\u1680e", "a\u2028b\u2029c", "a\u200bb\u200cc\u200dd\ufeffe",
    "a\x00b\x01c\x7fd\x85e\x9ff", "a\x0bb\x0cc", "soft\u00adhyphen", "\u202eright to left\u202c", "\ufffdreplacement\ufffd", "\ue000private\uf8ff",
    "a\u0301e\u0308\u0323o\u0323\u0308", "\u0301 alone", "q\u0307\u0323 d\u0323\u0307", "x\u20dd\u20e3", "\u1100\u1161\u11a8\u302e\u302f", "\u212b\u2126\u212a",
    "\U0001d15e\U0001d165\U0001d16e", "\u0344\u0374\u037e\u0387", "\ufb2c\ufb1d\ufb4f", "\u0915\u093c\u0958",
]
SPECIALS = [
    "[CLS] text [SEP]", "[MASK]", "a[MASK]b", "the [MASK] of france", "[mask] [Mask] [PAD][UNK]", "[SEP", "[[SEP]]", "[ SEP ]", "##ing ##", "[unused5]",
    "é[SEP]É[CLS]ça", "[MASK][MASK] [MASK]", "[UNK]nown",
]
LONG = ["a" * 99, "a" * 100, "a" * 101, "é" * 100, "é" * 101, "한" * 33, "한" * 34, "中" * 101, "-" * 101, "x" * 100 + "." + "y" * 101,
        "word " * 509 + "last", "word " * 510, "word " * 511, "unaffable " * 200, "!" * 600, "word [SEP] " * 300]


def random_texts(count):
    """Mixtures of characters that Unicode has had for long, from many blocks."""
    dice = random.Random(20260801)
    starts = [0x20, 0x20, 0x61, 0x61, 0xA0, 0x100, 0x180, 0x250, 0x2B0, 0x300, 0x370, 0x400, 0x531, 0x5D0, 0x620, 0x905, 0xE01, 0x10A0, 0x1100,
              0x1E00, 0x1F00, 0x2000, 0x2070, 0x2100, 0x2190, 0x2200, 0x2460, 0x2500, 0x2600, 0x3000, 0x3041, 0x30A1, 0x3131, 0x4E00, 0xAC00,
              0xF900, 0xFB00, 0xFE30, 0xFF00, 0x1D400, 0x1F600, 0x20000]
    for _ in range(count):
        text = ""
        while len(text) < dice.randrange(3, 40):
            base = dice.choice(starts)
            for _ in range(dice.randrange(1, 6)):
                character = chr(base + dice.randrange(0x60))
                if unicodedata.ucd_3_2_0.category(character) not in ("Cn", "Cs"):
                    text += character
            text += dice.choice(["", "", " "])
        yield text


def main():
    tokenizer = Tokenizer.from_file(sys.argv[1])
    tokenizer.no_padding()
    tokenizer.enable_truncation(LIMIT)
    texts = [*PLAIN.splitlines(), *LANGUAGES, *SYMBOLS, *BLANKS_AND_CONTROLS, *SPECIALS, *LONG, *random_texts(220)]
    with open(pathlib.Path(__file__).with_name("tokenizer_golden.jsonl"), "w") as file:
        for text in texts:
            file.write(json.dumps({"text": text, "ids": tokenizer.encode(text).ids}, separators=(",", ":")) + "\n")


main()
