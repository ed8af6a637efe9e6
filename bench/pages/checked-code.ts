/** Code as agents write it, from one line to forty, with calls of the tools of tools.ts. */
export const checkedCode: readonly string[] = [
  `tools.list_order_0(id="7", note="first")`,
  `orders = [tools.list_order_0(id=str(number)) for number in range(3)]
print(len(orders), "orders")
for order in orders:
    print(order)`,
  `import csv
import io
from collections import defaultdict

text = open("/workspace/orders.csv").read()
rows = list(csv.DictReader(io.StringIO(text)))
totals = defaultdict(float)
for row in rows:
    totals[row["customer"]] += float(row["price"]) * int(row["count"])
best = sorted(totals.items(), key=lambda item: -item[1])[:5]
for name, total in best:
    print(f"{name:20} {total:10.2f}")
tools.send_order_4(id=best[0][0], note=f"{best[0][1]:.2f}")`,
  `import asyncio

async def cancel(number):
    try:
        return await tools.cancel_order_5.call_async(id=str(number))
    except RuntimeError as error:
        print(f"{number}: {error}")

results = await asyncio.gather(*(cancel(number) for number in range(5)))
[result for result in results if result is not None]`,
  `import json
import re
from dataclasses import dataclass
from pathlib import Path

@dataclass
class Reading:
    station: str
    day: str
    value: float | None

FORM = re.compile(r"(?P<station>\\w+)\\s+(?P<day>\\d{4}-\\d\\d-\\d\\d)\\s+(?P<value>-?[\\d.]+|n/a)")

def parse(line):
    match = FORM.match(line)
    if match is None:
        raise ValueError(f"not a reading: {line!r}")
    value = None if match["value"] == "n/a" else float(match["value"])
    return Reading(match["station"].title(), match["day"], value)

readings = []
for line in Path("/workspace/readings.txt").read_text().splitlines():
    if not line.strip():
        continue
    try:
        readings.append(parse(line))
    except ValueError as error:
        print(error)

stations = sorted({reading.station for reading in readings})
means = {}
for station in stations:
    values = [each.value for each in readings if each.station == station and each.value is not None]
    means[station] = sum(values) / len(values) if values else None
warmest = max((each for each in readings if each.value is not None), key=lambda each: each.value)
Path("/workspace/means.json").write_text(json.dumps(means, indent=2))
artifacts.save("means", means, description="The mean of each station")
tools.update_order_3(id=warmest.station, note=f"{warmest.value} on {warmest.day}")
print(f"{len(readings)} readings, {len(stations)} stations, warmest {warmest.station} on {warmest.day}")`,
  `found = tools.search("cancel an order", limit=5)
for tool in found:
    print(tool)
if found:
    tools.cancel_order_5(id="12")
else:
    tools.create_order_1(id="12", note="there was nothing to cancel")`,
];
