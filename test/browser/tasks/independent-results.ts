/**
 * What the shipped tasks should come to, worked out from the same data files by
 * other means than the Python that the tasks run.
 */

import { shippedTasks } from "../../../src/ui/tasks/index.js";
import { mendTheShop } from "./mended-shop.js";

export interface Expected {
  readonly answer: string;
  /** Artifacts of text whose content is known to the letter, by name. */
  readonly tables: Readonly<Record<string, string>>;
}

export const expectedOf: Readonly<Record<string, () => Promise<Expected>>> = {
  "clean-readings": cleanReadings,
  "revenue-by-category": revenueByCategory,
  "monthly-use": monthlyUse,
  "kepler-report": keplerReport,
  "reorder-list": reorderList,
  "gate-log": gateLog,
  "two-meters": twoMeters,
  "stock-value": stockValue,
  "mend-the-shop": mendTheShop,
  "unit-converter": unitConverter,
  "order-check": orderCheck,
};

const INCHES = 5 * 12 + 11;
const FAHRENHEIT = 98.6;

/** By whole inches, and with the tests counted in the file that one of the writers wrote. */
async function unitConverter(): Promise<Expected> {
  const { plain = [] } = (await shippedTasks.find(({ id }) => id === "unit-converter")?.writers()) ?? {};
  const tests = plain.flatMap(({ steps }) => steps.map(({ reply }) => reply)).join("");
  const count = tests.match(/def test_/g)?.length ?? 0;
  const metres = (INCHES * 254) / 10_000;
  const celsius = ((FAHRENHEIT * 10 - 320) * 5) / 90;
  return {
    answer:
      `The converter was written, and all ${String(count)} of its tests pass. ` +
      `5 feet 11 inches are ${metres.toFixed(2)} m, and 98.6 °F are ${celsius.toFixed(1)} °C.`,
    tables: {},
  };
}

async function text(path: string): Promise<string> {
  return (await fetch(`./data/${path}`)).text();
}

async function json<T>(path: string): Promise<T> {
  return JSON.parse(await text(path)) as T;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows].map((row) => `${row.join(",")}\n`).join("");
}

export const DAYS_OF_THREE_READINGS = 42 - 8;

async function cleanReadings(): Promise<Expected> {
  const readings = new Map<string, number | null>();
  for (const line of (await text("station-readings.csv")).trim().split("\n").slice(1)) {
    const [, station = "", time = "", temperature = ""] = /^([^,]*),([^,]*),("[^"]*"|[^,]*),/.exec(line) ?? [];
    const name = station.trim().charAt(0).toUpperCase() + station.trim().slice(1).toLowerCase();
    const key = `${name},${isoTime(time)}`;
    if (!readings.has(key)) readings.set(key, celsius(temperature.replaceAll('"', "")));
  }
  const known = [...readings].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])).sort();
  const days = Map.groupBy(known, ([key]) => key.slice(0, key.indexOf("T")));
  const means = [...days]
    .filter(([, values]) => values.length === 3)
    .map(([day, values]) => ({ day, mean: values.reduce((sum, [, value]) => sum + value, 0) / 3 }));
  const warmest = means.reduce((a, b) => (b.mean > a.mean ? b : a));
  const [station = "", day = ""] = warmest.day.split(",");
  return {
    answer:
      `The warmest day was ${day} at ${station}, with a mean of ${warmest.mean.toFixed(1)} °C. ` +
      `${String(42 - means.length)} of 42 daily means are gaps, for want of a reading.`,
    tables: {
      "clean-readings.csv": table(
        ["station", "time", "celsius"],
        known.map(([key, value]) => [key, value.toFixed(1)]),
      ),
    },
  };
}

function isoTime(text: string): string {
  const iso = /^(\d+)-(\d+)-(\d+) (\d+):00$/.exec(text);
  if (iso !== null) return text.replace(" ", "T");
  const worded = /^(\d+) Mar 2026 (\d+):00$/.exec(text);
  if (worded !== null) return `2026-03-${worded[1]!.padStart(2, "0")}T${worded[2]!}:00`;
  const [, month, day, hour, half] = /^(\d+)\/(\d+)\/(?:20)?26 (\d+):00 (AM|PM)$/.exec(text)!;
  const hours = (Number(hour) % 12) + (half === "PM" ? 12 : 0);
  return `2026-${month!}-${day!}T${String(hours).padStart(2, "0")}:00`;
}

function celsius(text: string): number | null {
  const value = Number.parseFloat(text.replace(",", "."));
  if (Number.isNaN(value) || value === -999) return null;
  return text.endsWith("F") ? ((value - 32) * 5) / 9 : value;
}

interface Order {
  readonly id: string;
  readonly status: string;
  readonly lines: readonly { readonly sku: string; readonly quantity: number | string; readonly unit_price: string }[];
}

interface Product {
  readonly name: string;
  readonly category: string;
  readonly reorder_level: number;
}

async function revenueByCategory(): Promise<Expected> {
  const pages = await Promise.all(
    [1, 2, 3, 4].map((n) => json<{ items: Order[] }>(`api/orders/page-${String(n)}.json`)),
  );
  const orders = [...new Map(pages.flatMap(({ items }) => items).map((order) => [order.id, order])).values()];
  const counted = orders.filter(({ status }) => /^(paid|shipped)$/i.test(status));
  const lines = await Promise.all(
    counted.flatMap(({ id, lines }) =>
      lines.map(async ({ sku, quantity, unit_price }) => {
        const { category } = await json<Product>(`api/catalog/${sku}.json`);
        return {
          id,
          category,
          items: Number(quantity),
          cents: Number(quantity) * Math.round(Number(unit_price) * 100),
        };
      }),
    ),
  );
  const rows = [...Map.groupBy(lines, ({ category }) => category)]
    .map(([category, group]) => ({
      category,
      orders: new Set(group.map(({ id }) => id)).size,
      items: group.reduce((sum, { items }) => sum + items, 0),
      cents: group.reduce((sum, { cents }) => sum + cents, 0),
    }))
    .sort((a, b) => b.cents - a.cents);
  const euro = (cents: number): string => (cents / 100).toFixed(2);
  const [first] = rows;
  return {
    answer:
      `${String(counted.length)} of ${String(orders.length)} orders count, ` +
      `${euro(rows.reduce((sum, { cents }) => sum + cents, 0))} EUR together. ` +
      `Most came from ${first!.category}: ${euro(first!.cents)} EUR with ${String(first!.items)} items.`,
    tables: {
      "revenue-by-category.csv": table(
        ["category", "orders", "items", "revenue_eur"],
        rows.map((row) => [row.category, String(row.orders), String(row.items), euro(row.cents)]),
      ),
    },
  };
}

async function monthlyUse(): Promise<Expected> {
  const electricity = (await text("meter-electricity.csv")).trim().split("\n").slice(1);
  const water = (await text("meter-water.csv")).trim().split("\n").slice(1);
  const kwh = useByMonth(
    electricity.map((line) => line.split(",")).map(([day, count]) => ({ day: day!, count: Number(count) })),
  );
  const cubic = useByMonth(
    water
      .map((line) => line.split(";"))
      .map(([day, count]) => ({
        day: day!.split(".").reverse().join("-"),
        count: Number(count!.replace(".", "").replace(",", ".")),
      })),
  );
  const months = Array.from({ length: 12 }, (_, index) => `2025-${String(index + 1).padStart(2, "0")}`);
  const most = (use: Map<string, number>): string => months.reduce((a, b) => (use.get(b)! > use.get(a)! ? b : a));
  return {
    answer:
      `Most electricity was used in ${most(kwh)} (${kwh.get(most(kwh))!.toFixed(1)} kWh), ` +
      `most water in ${most(cubic)} (${cubic.get(most(cubic))!.toFixed(2)} m³).`,
    tables: {
      "monthly-use.csv": table(
        ["month", "electricity_kwh", "water_m3"],
        months.map((month) => [month, kwh.get(month)!.toFixed(1), cubic.get(month)!.toFixed(2)]),
      ),
    },
  };
}

/** By interpolating the meter's count at the first of each month, not by adding up days. */
function useByMonth(readings: readonly { day: string; count: number }[]): Map<string, number> {
  const DAY = 86_400_000;
  const use = new Map<string, number>();
  readings.slice(1).forEach((after, index) => {
    const before = readings[index]!;
    if (after.count < before.count) return;
    const [start, end] = [Date.parse(before.day) / DAY, Date.parse(after.day) / DAY];
    for (let from = start; from < end;) {
      const date = new Date(from * DAY);
      const to = Math.min(end, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY);
      const month = date.toISOString().slice(0, 7);
      use.set(month, (use.get(month) ?? 0) + ((after.count - before.count) * (to - from)) / (end - start));
      from = to;
    }
  });
  return use;
}

export interface KeplerRow {
  readonly planet: string;
  readonly cells: readonly string[];
}

export async function keplerRows(): Promise<KeplerRow[]> {
  const planets = (await text("planets.csv"))
    .trim()
    .split("\n")
    .slice(2)
    .map((line) => line.split(","))
    .map(([planet, axis, period]) => ({ planet: planet!, axis: Number(axis), period: Number(period) }));
  const year = planets.find(({ planet }) => planet === "Earth")!.period;
  return planets.map(({ planet, axis, period }) => {
    const ratio = (period / year) ** 2 / axis ** 3;
    const off = (ratio - 1) * 100;
    const sign = off < 0 ? "" : "+";
    return {
      planet,
      cells: [planet, axis.toFixed(5), (period / year).toFixed(4), ratio.toFixed(5), `${sign}${off.toFixed(3)} %`],
    };
  });
}

async function keplerReport(): Promise<Expected> {
  const rows = await keplerRows();
  const off = ({ cells }: KeplerRow): number => Math.abs(Number.parseFloat(cells[4]!));
  const farthest = rows.reduce((a, b) => (off(b) > off(a) ? b : a));
  return {
    answer:
      `The law holds for all ${String(rows.length)} planets to within ${off(farthest).toFixed(2)} %; ` +
      `${farthest.planet} is the farthest off.`,
    tables: {},
  };
}

interface Stock {
  readonly stock: Readonly<
    Record<string, number | string | null | { readonly boxes: number; readonly per_box: number }>
  >;
}

async function reorderList(): Promise<Expected> {
  const total = new Map<string, number>();
  for (const id of ["north", "south", "river", "hill", "station"]) {
    for (const [sku, amount] of Object.entries((await json<Stock>(`api/warehouses/${id}.json`)).stock)) {
      const boxed = typeof amount === "object" && amount !== null;
      total.set(sku, (total.get(sku) ?? 0) + (boxed ? amount.boxes * amount.per_box : Number(amount)));
    }
  }
  const products = await Promise.all(
    [...total].map(async ([sku, stock]) => ({ sku, stock, ...(await json<Product>(`api/catalog/${sku}.json`)) })),
  );
  const rows = products
    .map((product) => ({ ...product, missing: product.reorder_level - product.stock }))
    .filter(({ missing }) => missing > 0)
    .sort((a, b) => b.missing - a.missing || (a.sku < b.sku ? -1 : 1));
  return {
    answer:
      `Reorder ${rows.map(({ missing, name }) => `${String(missing)} × ${name}`).join(", ")}. ` +
      "No answer from Old mill (HTTP 404); not counted: CHR-02 in river.",
    tables: {
      "reorder-list.csv": table(
        ["sku", "name", "stock", "reorder_level", "missing"],
        rows.map((row) => [row.sku, row.name, String(row.stock), String(row.reorder_level), String(row.missing)]),
      ),
    },
  };
}

async function gateLog(): Promise<Expected> {
  const entries = (await text("gates.log"))
    .split("\n")
    .map((line) => /^(2026\S+) gate=(\S+) badge=(\S+) result=(\S+)$/.exec(line)?.slice(1) ?? [])
    .flatMap(([time, gate, badge, result]) =>
      time === undefined || gate === undefined || badge === undefined || result === undefined
        ? []
        : [{ time, gate, badge, result: result.toLowerCase() }],
    );
  const refused = entries.filter(({ result }) => result === "refused");
  const counted = (keys: readonly string[]): [string, number][] =>
    Array.from(
      Map.groupBy(keys, (key) => key),
      ([key, all]): [string, number] => [key, all.length],
    ).sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1));
  const listed = (counts: readonly [string, number][]): string =>
    counts.map(([key, n]) => `${key} ${String(n)}`).join(", ");
  const [[worst, times] = ["", 0]] = counted(refused.map(({ badge }) => badge).filter((badge) => badge !== "?"));
  const places = refused.filter(({ badge }) => badge === worst).map(({ gate }) => gate);
  return {
    answer:
      `Refusals: ${listed(counted(refused.map(({ gate }) => gate)))}. ` +
      `Badge ${worst} was refused most often, ${String(times)} times: ${listed(counted(places))}.`,
    tables: {
      "gate-entries.csv": table(
        ["time", "gate", "badge", "result"],
        entries.map(({ time, gate, badge, result }) => [time, gate, badge, result]),
      ),
    },
  };
}

async function twoMeters(): Promise<Expected> {
  const electricity = (await text("meter-electricity.csv")).trim().split("\n").slice(1);
  const water = (await text("meter-water.csv")).trim().split("\n").slice(1);
  const kwh = growth(electricity.map((line) => Number(line.split(",")[1])));
  const cubic = growth(water.map((line) => Number(line.split(";")[1]!.replace(".", "").replace(",", "."))));
  return {
    answer:
      `Between the first and the last reading ${kwh.toFixed(1)} kWh of electricity and ${cubic.toFixed(1)} m³ of water were used. ` +
      "The electricity meter was exchanged on 2025-07-01.",
    tables: {
      "meter-use.csv": table(
        ["meter", "use", "unit"],
        [
          ["electricity", kwh.toFixed(1), "kWh"],
          ["water", cubic.toFixed(1), "m³"],
        ],
      ),
    },
  };
}

/** What a meter counted, a new one from its beginning. */
function growth(counts: readonly number[]): number {
  return counts.slice(1).reduce((sum, count, index) => sum + Math.max(0, count - counts[index]!), 0);
}

async function stockValue(): Promise<Expected> {
  const { stock } = await json<{ stock: Record<string, number | { boxes: number; per_box: number }> }>(
    "api/warehouses/north.json",
  );
  const rows = await Promise.all(
    Object.entries(stock).map(async ([sku, amount]) => {
      const { name, unit_price } = await json<{ name: string; unit_price: string }>(`api/catalog/${sku}.json`);
      const pieces = typeof amount === "number" ? amount : amount.boxes * amount.per_box;
      return { name, pieces, cents: pieces * Math.round(Number(unit_price) * 100) };
    }),
  );
  rows.sort((a, b) => b.cents - a.cents);
  const euro = (cents: number): string => (cents / 100).toFixed(2);
  const total = rows.reduce((sum, { cents }) => sum + cents, 0);
  const [first] = rows;
  return {
    answer: `The stock of the north gate is worth ${euro(total)} EUR. Most of it is ${first!.name}: ${euro(first!.cents)} EUR.`,
    tables: {
      "stock-value.csv": table(
        ["product", "pieces", "value_eur"],
        rows.map(({ name, pieces, cents }) => [name, String(pieces), euro(cents)]),
      ),
    },
  };
}

/** What pydantic says of a value; null of one that keeps to its rule. */
const ORDER_RULES: Readonly<Record<string, (value: string) => string | null>> = {
  order: (value) => (/^B-\d{4}$/.test(value) ? null : "String should match pattern '^B-\\d{4}$'"),
  placed: (value) =>
    new Date(`${value}T00:00Z`).toISOString().startsWith(value)
      ? null
      : "Input should be a valid date or datetime, day value is outside expected range",
  customer: (value) => (/^C-\d{3}$/.test(value) ? null : "String should match pattern '^C-\\d{3}$'"),
  sku: (value) => (/^[A-Z]{3}-\d{2}$/.test(value) ? null : "String should match pattern '^[A-Z]{3}-\\d{2}$'"),
  quantity: (value) => {
    if (!/^\d+$/.test(value)) return "Input should be a valid integer, unable to parse string as an integer";
    return value === "0" ? "Input should be greater than 0" : null;
  },
  unit_price: (value) => {
    if (!/^-?\d+(?:\.\d+)?$/.test(value)) return "Input should be a valid decimal";
    if (Number(value) <= 0) return "Input should be greater than 0";
    return /\.\d{3}/.test(value) ? "Decimal input should have no more than 2 decimal places" : null;
  },
};

async function orderCheck(): Promise<Expected> {
  const [header = "", ...lines] = (await text("order-list.csv")).trim().split("\n");
  const columns = header.split(",");
  const orders = lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
    return new Map(columns.map((column, index) => [column, cells[index] ?? ""]));
  });
  const faults = orders.flatMap((order, index) =>
    [...order].flatMap(([field, value]) => {
      const why = ORDER_RULES[field]!(value);
      return why === null ? [] : [{ line: index + 2, field, value, why }];
    }),
  );
  const faulty = new Set(faults.map(({ line }) => line));
  const sound = orders.filter((_, index) => !faulty.has(index + 2));
  const cents = sound.reduce(
    (sum, order) => sum + Number(order.get("quantity")) * Math.round(Number(order.get("unit_price")) * 100),
    0,
  );
  const counts = [...Map.groupBy(faults, ({ field }) => field)]
    .map(([field, of]) => ({ field, count: of.length }))
    .sort((a, b) => b.count - a.count);
  const quoted = (cell: string): string => (cell.includes(",") ? `"${cell}"` : cell);
  return {
    answer:
      `${String(faulty.size)} of ${String(orders.length)} orders have faults: ` +
      `${counts.map(({ field, count }) => `${field} ${String(count)}`).join(", ")}. ` +
      `The ${String(sound.length)} sound ones come to ${(cents / 100).toFixed(2)} EUR.`,
    tables: {
      "order-faults.csv": table(
        ["line", "field", "value", "why"],
        faults.map(({ line, field, value, why }) => [String(line), field, quoted(value), quoted(why)]),
      ),
    },
  };
}
