"""The ratios as bars, on a logarithmic scale: 1 is as fast as the rival."""
import html
import math

BAR, GAP, LEFT, WIDTH = 14, 10, 190, 820
COLOURS = {"onnxruntime_webgpu": "#2b6cb0", "ggml_vulkan": "#805ad5", "onnxruntime_cpu": "#718096", "openvino_cpu": "#b7791f",
           "ggml_cpu": "#38a169"}


def svg(results):
    ratios = [ratio for result in results for ratio in result["ratios"].values()]
    low, high = min([1, *ratios]) / 1.1, max([1, *ratios]) * 1.3

    def x(ratio):
        return LEFT + math.log(ratio / low) / math.log(high / low) * (WIDTH - LEFT - 60)

    parts, y = [], 30
    for result in results:
        parts.append(f'<text x="8" y="{y + BAR - 3}">{html.escape(result["job"])}</text>')
        for name, ratio in result["ratios"].items():
            begin, end = sorted((x(1), x(ratio)))
            parts.append(f'<rect x="{begin:.1f}" y="{y}" width="{max(1, end - begin):.1f}" height="{BAR - 2}" '
                         f'fill="{COLOURS[name]}"><title>{name}</title></rect>')
            parts.append(f'<text x="{end + 4:.1f}" y="{y + BAR - 3}">{ratio:.2f}</text>')
            y += BAR
        y += GAP
    legend = 8
    for name, colour in COLOURS.items():
        parts.append(f'<rect x="{legend}" y="8" width="10" height="10" fill="{colour}"/>'
                     f'<text x="{legend + 14}" y="17">{name}</text>')
        legend += 150
    parts.append(f'<line x1="{x(1):.1f}" x2="{x(1):.1f}" y1="24" y2="{y}" stroke="black"/>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 10}" font-family="sans-serif" font-size="11">'
            f'<title>Times of rivals over those of Daybreak</title>{"".join(parts)}</svg>\n')
