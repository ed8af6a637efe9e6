import { describe, expect, test } from "vitest";

import type { CallRecord } from "../../../src/codegen/records/call-records.js";
import { CallRecords, recordContent } from "../../../src/codegen/records/call-records.js";
import { citedSids, statedSids } from "../../../src/codegen/sources/citations.js";
import {
  CITABLE_TOOLS,
  MOST_SOURCES,
  normalizeUrl,
  parseSources,
  SourcePool,
  sourcesAt,
} from "../../../src/codegen/sources/sources.js";
import type { Value } from "../../../src/protocol/index.js";

const returned = (toolId: string, file: string, value: Value): CallRecord => ({
  toolId,
  file,
  description: "",
  params: {},
  outcome: { kind: "returned", value },
  abridged: false,
});

describe("citations", () => {
  test("lists and ranges are united, sorted and once each (G45)", () => {
    expect(citedSids("x [[S:1,3]] y [[S:2-4]] [[S:3]]")).toEqual([1, 2, 3, 4]);
    expect(citedSids("[[S:]] [[S:a]] [S:1] [[S:1-900000000]]")).toEqual([]);
  });

  test("numbers that no sid can be end the search, and of very many sids some thousands are named (G45)", () => {
    expect(citedSids("[[S:9007199254740992]] [[S:2]]")).toEqual([2]);
    expect(citedSids(`[[S:${"9".repeat(400)}]] [[S:9007199254740990-9007199254740995]] [[S:3]]`)).toEqual([3]);

    const many = Array.from({ length: 20_000 }, (_, index) => `[[S:${String(index)}]]`).join("");
    expect(citedSids(many)).toHaveLength(5_000);
    expect(statedSids(Array.from({ length: 20_000 }, (_, index) => index))).toHaveLength(5_000);
    expect(statedSids([2 ** 53, Infinity, 4])).toEqual([4]);
  });

  test("what a program states counts as numbers or rows", () => {
    expect(statedSids([3, { sid: 1 }, "2", 1.5, null])).toEqual([1, 3]);
    expect(statedSids("1")).toEqual([]);
  });
});

describe("sources", () => {
  test("an address is one without tracking, fragment and trailing slash, and keeps its host", () => {
    expect(normalizeUrl("https://a.example/b/?utm_source=x&q=1#top")).toBe("https://a.example/b?q=1");
    for (const host of ["host8080", "site0"]) expect(normalizeUrl(`https://${host}/`)).toBe(`https://${host}`);
    expect(normalizeUrl("http://a.example:8080/")).toBe("http://a.example:8080");
  });

  test("an address of any number of parameters is read at once, and one that is too long is none", () => {
    const tracked = Array.from({ length: 200 }, (_, index) => `utm_${String(index)}=1`).join("&");
    expect(normalizeUrl(`https://a.example/?b=2&${tracked}&a=1`)).toBe("https://a.example?a=1&b=2");
    const endless = `https://a.example/?${"utm_x&".repeat(1_000_000)}`;
    expect(normalizeUrl(endless)).toBe("");

    const pool = new SourcePool();
    pool.addRecords(
      [returned("web_search", "w-0.json", [{ url: endless }, { url: "https://b.example" }])],
      CITABLE_TOOLS,
    );
    const merged = pool.merge([[{ url: endless }, { url: "https://b.example" }]]);

    expect(merged.map(({ url }) => url)).toEqual(["https://b.example"]);
    expect(pool.rows).toHaveLength(1);
    expect(pool.notes).toEqual([expect.stringMatching(/^sources_left_out/)]);
    expect(parseSources([{ sid: 1, url: endless }]).rows).toMatchObject([{ sid: 1, url: "" }]);
  });

  test("a list of more rows than there can be sources is read so far", () => {
    const rows = [
      ...Array.from({ length: MOST_SOURCES }, () => ({ url: "https://a.example" })),
      { url: "https://b.example" },
    ];
    const merging = new SourcePool();
    const searched = new SourcePool();
    searched.addRecords([returned("web_search", "w-0.json", rows)], CITABLE_TOOLS);

    expect(merging.merge([rows])).toHaveLength(1);
    expect(searched.rows).toHaveLength(1);
    expect([merging.isCut, searched.isCut]).toEqual([true, true]);
  });

  test("of two rows of one address the richer text counts, under one sid", () => {
    const pool = new SourcePool();
    pool.add({ url: "https://a.example/", text: "short", title: "A" });
    pool.add({ url: "https://b.example/" });
    pool.add({ url: "https://a.example#x", text: "much longer" });

    expect(pool.rows).toMatchObject([{ sid: 1, title: "A", text: "much longer" }, { sid: 2 }]);
  });

  test("only citable tools give sources, each call once, in every form", () => {
    const pool = new SourcePool();
    const rows = [{ url: "https://a.example" }];
    const records = [
      returned("web_search", "web_search-0.json", rows),
      returned("kb.kb_search", "kb_kb_search-0.json", JSON.stringify({ results: [{ url: "https://b.example" }] })),
      returned("web.fetch_url_contents", "f-0.json", { "https://c.example": { content: "c" } }),
      returned("send_mail", "send_mail-0.json", rows.concat({ url: "https://x.example" })),
    ];
    pool.addRecords(records, CITABLE_TOOLS);
    pool.addRecords(records, CITABLE_TOOLS);

    expect(pool.rows.map(({ url }) => url)).toEqual(["https://a.example", "https://b.example", "https://c.example"]);
  });

  test("a program that merges adds nothing to the pool, and its sids stay", () => {
    const pool = parseSources([{ sid: 1, url: "https://a.example" }]);

    const merged = pool.merge([[{ url: "https://a.example/" }], [{ url: "https://new.example", text: "n" }]]);
    pool.addRecords([returned("web_search", "w-0.json", [{ url: "https://third.example" }])], CITABLE_TOOLS);

    expect(merged.map(({ sid }) => sid)).toEqual([1, 2]);
    expect(pool.rows.map(({ sid }) => sid)).toEqual([1, 3]);
    expect(pool.has(2)).toBe(false);
  });

  test("of a hundred thousand addresses that a program invents five thousand get a sid, and it is said", () => {
    const invented = Array.from({ length: 100_000 }, (_, index) => ({ url: `https://${String(index)}.example` }));
    const pool = new SourcePool();

    const merged = pool.merge([invented]);
    const late = pool.add({ url: "https://late.example" });

    expect(merged).toHaveLength(MOST_SOURCES);
    expect(merged.at(-1)?.sid).toBe(MOST_SOURCES);
    expect([late, pool.isCut]).toEqual([null, true]);
    expect(pool.add({ url: "https://7.example", text: "found" })).toMatchObject({ sid: 8, text: "found" });
  });

  test("what a program claims is not kept: its texts are handed back, and of addresses without end some get no sid", () => {
    const pool = new SourcePool();
    const url = "https://long.example/";

    const first = pool.merge([[{ url, text: "short" }], [{ url: `${url}#x`, text: "much longer", title: "Long" }]]);
    const again = pool.merge([{ url, text: "" }]);
    const endless = pool.merge([{ url: `https://a.example/${"x".repeat(5_000_000)}` }, { url: "https://b.example" }]);

    expect(first).toMatchObject([{ sid: 1, title: "Long", text: "much longer" }]);
    expect(again).toEqual([{ sid: 1, url, title: "", text: "" }]);
    expect(endless).toMatchObject([{ sid: 2, url: "https://b.example" }]);
    expect(pool.isCut).toBe(true);
  });

  test("given sources beyond the most are left out, which is no fault of their rows", () => {
    const rows = Array.from({ length: MOST_SOURCES + 5 }, (_, index) => ({ sid: index + 1 }));

    const pool = parseSources(rows);

    expect([pool.rows.length, pool.isCut]).toEqual([MOST_SOURCES, true]);
    expect(parseSources([{ sid: 1 }]).isCut).toBe(false);
  });

  test("of a list as much is read as there can be sources, and of addresses as much as the page reads at once", () => {
    let read = 0;
    const counted = {
      url: "https://a.example",
      get sid() {
        read += 1;
        return 1;
      },
    };
    const path = "x".repeat(4000);
    const wide = Array.from({ length: 1000 }, (_, n) => ({
      sid: n + 1,
      url: `https://a.example/${String(n)}/${path}`,
    }));

    expect(parseSources(Array<typeof counted>(100_000).fill(counted)).isCut).toBe(true);
    expect(read).toBeLessThan(20 * MOST_SOURCES);
    const pool = parseSources(wide);
    expect([pool.rows.length < 510, pool.isCut]).toEqual([true, true]);
  });

  test("in a text that is too long are not read", () => {
    const row = '{"url":"https://a.example"}';
    const long = `[${row}${`,${row}`.repeat(40_000)}]`;
    const pool = new SourcePool();

    expect(pool.merge([row])).toHaveLength(1);
    expect(pool.isCut).toBe(false);
    expect(pool.merge(long)).toEqual([]);
    expect(pool.isCut).toBe(true);
    const found = new SourcePool();
    found.addRecords([returned("a.web_search", "1.json", long)], CITABLE_TOOLS);
    expect([found.rows.length, found.isCut]).toEqual([0, true]);
    expect(() => parseSources(long)).toThrow(expect.objectContaining({ code: "invalid_sources_list" }));
  });

  test("are read by sid, ranges with both ends", () => {
    const pool = parseSources([1, 2, 3, 4].map((sid) => ({ sid, url: `https://${String(sid)}.example` })));
    const at = (path: string) => sourcesAt(pool, path)?.map(({ sid }) => sid);

    expect(at("sources_pool[1,3]")).toEqual([1, 3]);
    expect(at("sources_pool[2:3]")).toEqual([2, 3]);
    expect(at("sources_pool")).toEqual([1, 2, 3, 4]);
    expect(at("current_turn.slots")).toBeUndefined();
    expect(at(`sources_pool[${"1,".repeat(1_000_000)}2]`)).toBeUndefined();
  });

  test("rows without a sid are refused by their place (G13)", () => {
    expect(() => parseSources([{ sid: 1 }, { url: "https://a.example" }])).toThrow(
      expect.objectContaining({ code: "invalid_sources_list", entry: "1" }),
    );
  });

  test("of two given sids of one address the later is nobody's, which is said, and what is found gets another (G13)", () => {
    const pool = parseSources([
      { sid: 1, url: "https://a.example/", text: "short" },
      { sid: 2, url: "https://a.example/?utm_source=x", text: "much longer" },
      { sid: 4, url: "https://d.example" },
    ]);
    const found = pool.add({ url: "https://b.example" });

    expect(found?.sid).toBe(3);
    expect(pool.rows).toMatchObject([{ sid: 1, text: "much longer" }, { sid: 3 }, { sid: 4 }]);
    expect(pool.has(2)).toBe(false);
    expect(pool.notes).toEqual(["sources_renumbered: S:2 is S:1"]);
  });

  test("a sid that is given to two sources is refused by its place (G13)", () => {
    const refused = expect.objectContaining({ code: "invalid_sources_list", entry: "1", field: "sid" });
    const url = "https://a.example";

    expect(() => parseSources([{ sid: 1, url }, { sid: 1, url: "https://b.example" }])).toThrow(refused); // prettier-ignore
    expect(() => parseSources([{ sid: 1, title: "A" }, { sid: 1, title: "B" }])).toThrow(refused); // prettier-ignore
    expect(
      parseSources([
        { sid: 1, url },
        { sid: 1, url: `${url}#x` },
      ]).rows,
    ).toHaveLength(1);
  });
});

describe("call records", () => {
  test("are counted by tool in the order in which calls began (G56)", () => {
    const records = new CallRecords();
    const first = records.observe({ name: "web.search", arguments: { q: 1 } });
    const second = records.observe({ name: "web.search", arguments: { q: 2 } });
    records.observe({ name: "mail", arguments: {} });
    second.returned('{"rows": []}');
    first.failed(new TypeError("no"));

    expect(CallRecords.indexOf(records.all)).toEqual({
      "web.search": ["web_search-0.json", "web_search-1.json"],
      mail: ["mail-0.json"],
    });
    expect(records.all.map(recordContent)).toMatchObject([
      {
        in: { params: { q: 1 } },
        ret: { ok: false, error: { code: "TypeError", message: "no", where: "web.search" } },
      },
      { ret: { rows: [] } },
      { ret: null },
    ]);
  });

  test("ids that are one file name are counted together, and the sources of each are taken (G56)", () => {
    const records = new CallRecords();
    for (const [index, name] of ["a-b.web_search", "a_b.web_search"].entries()) {
      const call = records.observe({ name, arguments: {} });
      call.returned([{ url: `https://${String(index)}.example` }]);
    }
    const pool = new SourcePool();
    pool.addRecords(records.all, CITABLE_TOOLS);

    expect(CallRecords.indexOf(records.all)).toEqual({
      "a-b.web_search": ["a_b_web_search-0.json"],
      "a_b.web_search": ["a_b_web_search-1.json"],
    });
    expect(pool.rows.map(({ url }) => url)).toEqual(["https://0.example", "https://1.example"]);
  });

  test("beyond their room calls are summaries that say so, then left out, and no source is read from them", () => {
    const records = new CallRecords({ whole: 10_000, summaries: 3_000 });
    const call = (rows: Value, q = "") => records.observe({ name: "web_search", arguments: { q } }).returned(rows);
    call([{ url: "https://a.example" }]);
    call([{ url: "https://b.example", text: "x".repeat(9_000) }]);
    call([{ url: "https://c.example" }]);
    for (let index = 0; index < 20; index += 1) call("y".repeat(9_000), "z".repeat(9_000));

    const contents = records.all.map(recordContent);
    expect(contents[0]).not.toHaveProperty("abridged");
    expect(contents[1]).toMatchObject({
      abridged: true,
      ret: [{ url: "https://b.example", text: expect.stringMatching(/^x{400}… \[9,000 characters\]$/) }],
    });
    expect(contents[2]).not.toHaveProperty("abridged");
    expect(contents.at(-1)).toMatchObject({
      abridged: true,
      in: { params: { "…": "… [left out]" } },
      ret: "… [left out]",
    });
    expect(records.abridged).toBe(21);
    expect(JSON.stringify(contents).length).toBeLessThan(13_000);
    const pool = new SourcePool();
    pool.addRecords(records.all, CITABLE_TOOLS);
    expect(pool.rows.map(({ url }) => url)).toEqual(["https://a.example", "https://c.example"]);
  });

  test("the bytes of every kind of value count", () => {
    const large = "x".repeat(9_000);
    for (const value of [
      large,
      new Uint8Array(11_000),
      new Map([[large, 1]]),
      new Set([large]),
      { [large]: 1 },
      [[large]],
    ]) {
      const records = new CallRecords({ whole: 10_000 });
      records.observe({ name: "any", arguments: {} }).returned(value);
      expect(records.abridged).toBe(1);
    }
  });
});

describe("a pool that begins with the sources of a conversation", () => {
  const known = new SourcePool();
  known.add({ url: "https://one.example/", text: "first" });
  known.add({ url: "https://two.example/", text: "second" });
  known.reserve(3);

  test("keeps their sids, and gives what is found neither those nor one that is lost", () => {
    const pool = parseSources([{ sid: 2, url: "https://given.example/" }, { sid: 9, url: "https://two.example" }], new SourcePool(known)); // prettier-ignore

    expect(pool.rows.map(({ sid, url }) => [sid, url])).toEqual([
      [1, "https://one.example/"],
      [2, "https://two.example/"],
      [4, "https://given.example/"],
    ]);
    expect(known.rows).toHaveLength(2);
  });

  test("tells what was added from what was there, but for what is cited", () => {
    const pool = new SourcePool(known);
    pool.addRecords([returned("web_search", "a", [{ url: "https://new.example/" }])], CITABLE_TOOLS);

    expect(pool.addedOr([]).map(({ sid }) => sid)).toEqual([4]);
    expect(pool.addedOr([2, 7]).map(({ sid }) => sid)).toEqual([2, 4]);
  });
});
