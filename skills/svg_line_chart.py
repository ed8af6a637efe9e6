"""Draw a line chart of one or several series as SVG."""

import math
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 56, 110, 68, 40
COLOURS = ["#0b6e64", "#b3261e", "#8a5a00", "#3f51b5", "#7b1fa2", "#455a64"]


def run(labels: list, series: dict, title: str, unit: str = "") -> str:
    """Draw a line chart of one or several series as SVG.

    Args:
        labels: What stands below the chart, one text for each value of a series.
        series: Lists of numbers by name; None is a gap in the line.
        title: Stands above the chart.
        unit: Stands beside the numbers of the axis.
    """
    known = [value for values in series.values() for value in values if value is not None]
    ticks = round_ticks(min(known, default=0), max(known, default=1))
    low, high = ticks[0], ticks[-1]

    def x(index: int) -> float:
        return LEFT + index / max(1, len(labels) - 1) * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="#62676b">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fff"/>',
        f'<text x="20" y="30" font-size="16" font-weight="600" fill="#1c1f21">{escape(title)}</text>',
    ]
    for tick in ticks:
        parts += [
            f'<path d="M{LEFT} {y(tick):.1f}H{WIDTH - RIGHT}" stroke="#e2e2da"/>',
            f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>',
        ]
    parts.append(f'<text x="{LEFT - 8}" y="{TOP - 12}" text-anchor="end">{escape(unit)}</text>')
    every = math.ceil(len(labels) / 8)
    for index, label in enumerate(labels):
        if index % every == 0:
            where = f'x="{x(index):.1f}" y="{HEIGHT - 16}"'
            parts.append(f'<text {where} text-anchor="middle">{escape(str(label))}</text>')
    ends = []
    for (name, values), colour in zip(series.items(), COLOURS * len(series)):
        points = [(x(index), y(value)) for index, value in enumerate(values) if value is not None]
        parts.append(f'<path d="{path(values, x, y)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.5" fill="{colour}"/>' for px, py in points]
        if points:
            ends.append((points[-1][1], name, colour))
    below = TOP - 16
    for height, name, colour in sorted(ends):
        below = max(height, below + 16)
        where = f'x="{WIDTH - RIGHT + 10}" y="{below + 4:.1f}"'
        parts.append(f'<text {where} fill="{colour}" font-weight="600">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"])


def path(values: list, x, y) -> str:
    """The line through the values, lifted over gaps."""
    steps, down = [], False
    for index, value in enumerate(values):
        if value is not None:
            steps.append(f"{'L' if down else 'M'}{x(index):.1f} {y(value):.1f}")
        down = value is not None
    return "".join(steps)


def round_ticks(low: float, high: float) -> list:
    """Round numbers around low and high, about five of them."""
    if low == high:
        low, high = low - 1, high + 1
    rough = (high - low) / 5
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [index * step for index in range(first, last + 1)]
