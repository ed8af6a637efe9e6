"""Draw a bar chart as SVG."""

from html import escape

WIDTH, LEFT, RIGHT, TOP, BAR, GAP = 720, 140, 130, 52, 24, 10


def run(bars: dict, title: str, unit: str = "", decimals: int = 1) -> str:
    """Draw a bar chart with lying bars as SVG.

    Args:
        bars: Numbers from 0 on by label, drawn in this order.
        title: Stands above the chart.
        unit: Stands behind each number.
        decimals: How many digits of a number are shown behind the point.
    """
    longest = max([float(value) for value in bars.values()], default=0) or 1
    height = TOP + len(bars) * (BAR + GAP) + 14
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="13" fill="#1c1f21">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#fff"/>',
        f'<text x="20" y="30" font-size="16" font-weight="600">{escape(title)}</text>',
    ]
    for index, (label, value) in enumerate(bars.items()):
        y = TOP + index * (BAR + GAP)
        length = float(value) / longest * (WIDTH - LEFT - RIGHT)
        number = f"{float(value):,.{decimals}f}" + (f" {unit}" if unit else "")
        parts += [
            f'<text x="{LEFT - 10}" y="{y + 16.5}" text-anchor="end">{escape(str(label))}</text>',
            f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}" rx="3" fill="#0b6e64"/>',
            f'<text x="{LEFT + length + 8:.1f}" y="{y + 16.5}" fill="#62676b">{escape(number)}</text>',
        ]
    return "\n".join([*parts, "</svg>"])
