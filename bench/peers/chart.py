"""The ratios as bars, on a logarithmic scale: 1 is as fast as the rival, and a notch is what we promise."""
import html
import math

BAR, STEP, GAP = 13, 16, 12
LEFT, RIGHT, TOP, WIDTH = 170, 60, 62, 1100
COLOURS = {"onnxruntime_webgpu": "#2b6cb0", "onnxruntime_webgpu_plugin": "#0d9488", "ggml_vulkan": "#805ad5", "onnxruntime_cpu": "#718096",
           "openvino_cpu": "#b7791f", "onednn": "#d53f8c", "ggml_cpu": "#38a169"}
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)


class Scale:
    def __init__(self, ratios):
        self.low, self.high = min([0.8, *ratios]) / 1.15, max([2, *ratios]) * 1.15

    def x(self, ratio):
        return LEFT + math.log(ratio / self.low) / math.log(self.high / self.low) * (WIDTH - LEFT - RIGHT)

    def ticks(self):
        return [tick for tick in TICKS if self.low <= tick <= self.high]


def text(x, y, words, **more):
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>{html.escape(words)}</text>'


def bar(scale, y, name, ratio, floor):
    begin, end = sorted((scale.x(1), scale.x(ratio)))
    parts = [f'<rect x="{begin:.1f}" y="{y}" width="{max(1, end - begin):.1f}" height="{BAR}" fill="{COLOURS[name]}">'
             f'<title>{name}: {ratio:.2f}</title></rect>', text(end + 5, y + BAR - 2.5, f"{ratio:.3g}")]
    if floor:
        parts.append(f'<rect x="{scale.x(floor) - 1:.1f}" y="{y - 2}" width="2" height="{BAR + 4}" fill="#c53030"/>')
    return parts


def legend(names):
    parts, x = [], 8
    for name in names:
        parts += [f'<rect x="{x}" y="28" width="11" height="11" fill="{COLOURS[name]}"/>', text(x + 16, 38, name)]
        x += 36 + 7 * len(name)
    return [*parts, f'<rect x="{x + 4}" y="26" width="2" height="15" fill="#c53030"/>', text(x + 12, 38, "promised")]


def axis(scale, bottom):
    parts = []
    for tick in scale.ticks():
        x, one = scale.x(tick), tick == 1
        parts += [f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 4}" y2="{bottom}" stroke="{"#000" if one else "#ddd"}"/>',
                  text(x, TOP - 8, f"{tick:g}", text_anchor="middle", fill="#555")]
    return parts


def svg(results):
    """`results` are those of peers.py: job, ratios and floors by the name of a rival."""
    results = [result for result in results if result["ratios"]]
    scale = Scale([ratio for result in results for ratio in result["ratios"].values()])
    bars, y = [], TOP + 6
    for result in results:
        bars.append(text(LEFT - 10, y + BAR - 2.5, result["job"], text_anchor="end"))
        for name, ratio in result["ratios"].items():
            bars += bar(scale, y, name, ratio, result["floors"].get(name))
            y += STEP
        y += GAP
    names = [name for name in COLOURS if any(name in result["ratios"] for result in results)]
    parts = [f'<rect width="{WIDTH}" height="{y + 10}" fill="#fff"/>',
             text(8, 17, "Times of others over those of Daybreak on the same device (longer is better)", font_weight="bold"),
             *legend(names), *axis(scale, y), *bars]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 10}" font-family="sans-serif" font-size="12">'
            f'{"".join(parts)}</svg>\n')
