"""What the models under test are run on. Inputs follow from integer formulas here, so that they need not be kept and are
the same bits everywhere; references.json and references/ hold what ONNX Runtime made of them."""
import numpy as np


def numbers(seed, count):
    """`count` integers in [0, 2^32) that no release of NumPy will change."""
    x = np.arange(count, dtype=np.uint64) + np.uint64(seed << 32)
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        x = (x ^ (x >> np.uint64(31))) * np.uint64(factor)
    return x >> np.uint64(32)


def waves(seed, *shape):
    """f32 in [-1, 1), exact multiples of 1/128: ramps of several lengths with a little noise, not unlike sound or pictures."""
    count = int(np.prod(shape))
    i = np.arange(count, dtype=np.int64)
    ramps = sum(np.abs((phase + seed * 17) % 256 - 128) for phase in (i, i * 7, i // 333)) // 3
    return ((ramps * 2 + (numbers(seed, count) % 32).astype(np.int64)) % 256 - 128).astype(np.float32).reshape(shape) / 128


def token_batch(lengths):
    """Sentences of made-up words: [CLS] ... [SEP], then padding."""
    rows, columns = len(lengths), max(lengths)
    ids = (1000 + numbers(3, rows * columns) % 28000).astype(np.int64).reshape(rows, columns)
    mask = (np.arange(columns) < np.array(lengths)[:, None]).astype(np.int64)
    ids[:, 0] = 101
    ids[np.arange(rows), np.array(lengths) - 1] = 102
    return {"input_ids": ids * mask, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}


def sentences():
    """The built-in sentences of the demo."""
    rows = [[101, 2008, 2003, 1037, 3407, 2711, 102, 0], [101, 2008, 2003, 1037, 3407, 3899, 102, 0],
            [101, 2008, 2003, 1037, 2200, 3407, 2711, 102], [101, 2651, 2003, 1037, 11559, 2154, 102, 0]]
    ids = np.array(rows, np.int64)
    return {"input_ids": ids, "attention_mask": (ids != 0).astype(np.int64), "token_type_ids": np.zeros_like(ids)}


def file_contents():
    """The first and the last 1,024 bytes of files, as magika wants them; 256 stands for no byte."""
    script = b"#!/usr/bin/env python3\nimport sys\n\n\ndef main(names):\n    for name in names:\n        print(name)\n" * 8
    noise = (numbers(5, 1024) % 256).astype(np.uint8).tobytes()
    rows = np.full((3, 2048), 256, np.int32)
    for row, content in enumerate((script, noise, b"{\"key\": [1, 2, 3]}\n")):
        begin, end = content[:1024], content[-1024:]
        rows[row, :len(begin)] = np.frombuffer(begin, np.uint8)
        rows[row, 2048 - len(end):] = np.frombuffer(end, np.uint8)
    return {"bytes": rows}


def word_batch(seed, lengths):
    """Made-up sentences of characters, filled up with 0."""
    rows, columns = len(lengths), max(lengths)
    ids = (numbers(seed, rows * columns) % 50000).astype(np.int64).reshape(rows, columns)
    return {"token_ids": ids * (np.arange(columns) < np.array(lengths)[:, None]), "length": np.array(lengths, np.int64)}


# case: model and inputs
CASES = {
    "minilm-f32-sentences": ("minilm-f32", sentences),
    "minilm-f32-ragged": ("minilm-f32", lambda: token_batch([37, 5, 20])),
    "minilm-f32-long": ("minilm-f32", lambda: token_batch([128])),
    "minilm-int8w-sentences": ("minilm-int8w", sentences),
    "minilm-int8w-ragged": ("minilm-int8w", lambda: token_batch([37, 5, 20])),
    "magika": ("magika", file_contents),
    "orientation-one": ("orientation", lambda: {"x": waves(1, 1, 3, 224, 224)}),
    "orientation-three": ("orientation", lambda: {"x": waves(2, 3, 3, 224, 224)}),
    "open-nsfw-two": ("open-nsfw", lambda: {"input:0": waves(3, 2, 224, 224, 3) * 128}),
    "effword-f32": ("effword-f32", lambda: {"input": waves(4, 1, 1, 149, 64) * 16}),
    "silero-static": ("silero-static", lambda: {"input": waves(5, 1, 576), "state": waves(6, 2, 1, 128)}),
    "silero-16k-op15-one": ("silero-16k-op15", lambda: {
        "input": waves(7, 1, 576), "state": np.zeros((2, 1, 128), np.float32), "sr": np.array(16000, np.int64)}),
    "silero-16k-op15-three": ("silero-16k-op15", lambda: {
        "input": waves(8, 3, 576), "state": waves(9, 2, 3, 128), "sr": np.array(16000, np.int64)}),
    "silero-seq-five": ("silero-seq", lambda: {"input": waves(10, 5, 576), "h": waves(11, 1, 1, 128), "c": waves(12, 1, 1, 128)}),
    # Shifted so that the probability is near 1: the model ends in a quantisation, one step of which is 4 % of p (1 - p), and codes all along the
    # way are as good as ties for some rounding or other. ONNX Runtime's own kernels differ by steps.
    "smart-turn-three": ("smart-turn", lambda: {"input_features": waves(13, 3, 80, 800) / 2 - np.float32(0.5)}),
    "smart-turn-one": ("smart-turn", lambda: {"input_features": waves(16, 1, 80, 800) / 2 - np.float32(0.5)}),
    "ocr-det-page": ("ocr-det", lambda: {"x": waves(13, 1, 3, 96, 160)}),
    "ocr-det-two": ("ocr-det", lambda: {"x": waves(14, 2, 3, 64, 64)}),
    "ocr-cls-three": ("ocr-cls", lambda: {"x": waves(15, 3, 3, 48, 192)}),
    "basic-pitch-one": ("basic-pitch", lambda: {"serving_default_input_2:0": waves(16, 1, 43844, 1)}),
    "lac-three": ("lac", lambda: word_batch(17, [23, 7, 12])),
    "lac-one": ("lac", lambda: word_batch(18, [9])),
    "asr-whisper80-two": ("asr-whisper80", lambda: {
        "waveforms": waves(19, 2, 16000), "waveforms_lens": np.array([16000, 12345], np.int64)}),
}


def file_name(name):
    """A tensor's name as the `daybreak` command turns it into a file's."""
    return name.replace("/", "_").replace("\0", "_")
