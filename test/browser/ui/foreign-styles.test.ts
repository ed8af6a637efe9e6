import { afterEach, describe, expect, test } from "vitest";

import { SealedView } from "../../../src/ui/components/content/sealed-view.js";
import { cleanHtml } from "../../../src/ui/drawing/clean-html.js";

const LEFT_OUT = "Some of its styles are left out";

const frames: HTMLIFrameElement[] = [];

afterEach(() => {
  document.body.replaceChildren();
  frames.splice(0);
});

/** What the document is after cleaning, drawn where its styles can be asked for. */
async function drawn(html: string): Promise<Document> {
  const frame = document.createElement("iframe");
  const loaded = new Promise((resolve) => {
    frame.addEventListener("load", resolve, { once: true });
  });
  frame.width = "900";
  frame.srcdoc = `<!doctype html>${(await cleanHtml(html))?.html ?? ""}`;
  document.body.append(frame);
  await loaded;
  if (frame.contentDocument === null) throw new Error("The frame has no document.");
  return frame.contentDocument;
}

function styleOf(page: Document, selector: string): CSSStyleDeclaration {
  const element = page.querySelector(selector);
  if (element === null) throw new Error(`There is no ${selector}.`);
  return getComputedStyle(element);
}

async function cleaned(html: string): Promise<string> {
  return (await cleanHtml(html))?.html ?? "";
}

const sheet = (css: string): string => `<style>${css}</style><p id="a" class="b">x</p>`;

describe("styles that are costly do not survive", () => {
  test.each([
    ["columns", "p{columns:2}"],
    ["columns in escapes", String.raw`p{c\6f lumns:2}`],
    ["columns by a longhand", "p{column-count:2}"],
    ["columns in upper case", "P{COLUMNS:2 !IMPORTANT}"],
    ["columns around comments", "p{/**/columns/**/:/**/2/**/}"],
    ["columns for WebKit", "p{-webkit-columns:2}"],
    ["columns behind an end of a comment in a string", `p{font-family:"*/"}p{columns:2}`],
    ["columns in a nested rule", "div,p{color:red;& {columns:2}}"],
    ["columns in a condition", "@supports (color:red){p{columns:2}}"],
    ["columns in a layer", "@layer x{p{columns:2}}"],
    ["columns in a container", "@container (width>1px){p{columns:2}}"],
    ["columns on paper and screen", "@media all{p{columns:2}}"],
    ["columns in a condition in one", "@media all{@supports (color:red){p{columns:2}}}"],
    ["columns by a custom property", ":root{--x:2}p{columns:var(--x)}"],
    ["columns that a text lays bare", `p{--x:"}p::before{content:";columns:2;"}`],
    ["columns that a bracket lays bare", `p{--x:(;}p{columns:2;)}`],
    ["columns in a style sheet of SVG", "</style><svg><style>p{columns:2}</style></svg><style>"],
  ])("%s", async (_name, css) => {
    const html = await cleaned(sheet(css));

    expect(html).toContain("</p>");
    expect(styleOf(await drawn(sheet(css)), "p").columnCount).toBe("auto");
    expect(html.replaceAll(/content: "[^"]*"/g, "")).not.toMatch(/columns|column-count/i);
  });

  test.each([
    ["a filter", "filter:blur(9px)", "filter"],
    ["a filter of what is behind", "backdrop-filter:blur(9px)", "backdrop-filter"],
    ["a mask", "mask:linear-gradient(red,blue)", "mask"],
    ["a clipping", "clip-path:circle(9px)", "clip-path"],
    ["an animation", "animation:x 1s infinite", "animation"],
    ["a transition", "transition:all 1s", "transition"],
    ["an address", "background:url(https://a.example/)", "url"],
    ["an address in escapes", String.raw`background:u\72 l(https://a.example/)`, "url|a.example"],
    ["a picture in it", "background:url(data:image/svg+xml,x)", "url"],
    ["a set of pictures", `background-image:image-set("a.png" 1x)`, "image-set"],
    ["several gradients", "background:linear-gradient(red,blue),linear-gradient(red,blue)", "gradient"],
    ["a list of shadows", `box-shadow:${Array.from({ length: 50 }, () => "0 0 9px red").join(",")}`, "shadow"],
    ["shadows of a custom property", `--x:${Array.from({ length: 20 }, () => "0 0 9px red").join(",")}`, "--x"],
    ["a custom property of others", "--x:var(--y) var(--y)", "--x"],
    ["an address in a custom property", "--x:url(https://a.example/)", "--x|url"],
    ["counters", "counter-increment:a b c", "counter"],
    ["contents that count", `content:counter(a)`, "counter"],
    ["contents that are long", `content:"${"x".repeat(500)}"`, "xxx"],
    ["very large letters", "font-size:99999px", "font-size"],
    ["thousands of tracks", "display:block;grid-template-columns:repeat(9999,1px)", "repeat"],
    ["what ends the style sheet", String.raw`font-family:"\3c/style>\3cmeta http-equiv=refresh>"`, "meta|font-family"],
  ])("%s", async (_name, declaration, never) => {
    const inSheet = await cleaned(sheet(`p,p::before{${declaration}}`));
    const inAttribute = await cleaned(`<p style='${declaration}'>x</p>`);

    for (const html of [inSheet, inAttribute]) {
      expect(html).toContain("</p>");
      expect(html).not.toMatch(new RegExp(never, "i"));
    }
  });

  test.each([
    ["an import", `@import "https://a.example/x.css";p{color:red}`],
    ["a font", "@font-face{font-family:x;src:url(data:font/woff2;base64,AAAA)}p{color:red}"],
    ["key frames", "@keyframes x{to{color:red}}p{color:red}"],
    ["a registered property", "@property --x{syntax:'*';inherits:true;initial-value:red}p{color:red}"],
  ])("%s", async (_name, css) => {
    const html = await cleaned(sheet(css));

    expect(html).not.toContain("@");
    expect(styleOf(await drawn(sheet(css)), "p").color).toBe("rgb(255, 0, 0)");
  });

  test.each(["p:has(b)", "p:is(b, p)", ":not(b, i)", "p:nth-child(1 of p)", "p:lang(en)"])(
    "a rule for %s",
    async (selector) => {
      expect(await cleaned(sheet(`${selector}{color:red}`))).not.toContain("red");
    },
  );

  test("elements that move, filter, and stand for others", async () => {
    const html = await cleaned(
      `<marquee>text</marquee><svg><filter id="f"><feGaussianBlur/></filter><mask id="m"><path d="M0 0"/></mask>` +
        `<pattern id="p"><rect/></pattern><rect filter="url(#f)" mask="url(#m)" marker-mid="url(#m)"><animateTransform/>` +
        `<animate attributeName="x"/><set attributeName="x"/></rect><foreignObject><p>y</p></foreignObject></svg>`,
    );

    expect(html).toContain("text");
    expect(html).toContain("<rect>");
    expect(html).not.toMatch(/marquee|filter|mask|pattern|<path|animate|<set|foreign|marker/i);
  });

  test("clippings in one another", async () => {
    const html = await cleaned(
      `<svg><clipPath id="a"><rect clip-path="url(#b)"/></clipPath><clipPath id="b"><rect/></clipPath><g clip-path="url(#b)"></g></svg>`,
    );

    expect(html).not.toContain('id="a"');
    expect(html).toContain('id="b"');
    expect(html).toContain('<g clip-path="url(#b)">');
  });
});

describe("styles that documents have stay", () => {
  test("those of a table by pandas' Styler", async () => {
    const page = await drawn(
      `<style type="text/css">
#T_4f th { text-align: left; }
#T_4f tbody tr:nth-child(even) { background-color: #eef; }
#T_4f_row0_col0, #T_4f_row1_col1 { background-color: #08306b; color: #f1f1f1; }
#T_4f_row0_col1 { width: 10em; background: linear-gradient(90deg, #d65f5f 50.0%, transparent 50.0%); }
</style><table id="T_4f"><thead><tr><th class="blank level0">&nbsp;</th></tr></thead><tbody>
<tr><td id="T_4f_row0_col0" class="data row0 col0">1</td><td id="T_4f_row0_col1">2</td></tr>
<tr><td id="T_4f_row1_col0">3</td><td id="T_4f_row1_col1">4</td></tr></tbody></table>`,
    );

    expect(styleOf(page, "#T_4f_row0_col0").backgroundColor).toBe("rgb(8, 48, 107)");
    expect(styleOf(page, "#T_4f_row1_col1").color).toBe("rgb(241, 241, 241)");
    expect(styleOf(page, "#T_4f_row0_col1").backgroundImage).toContain("linear-gradient(90deg, rgb(214, 95, 95) 50%");
    expect(styleOf(page, "tr:nth-child(2)").backgroundColor).toBe("rgb(238, 238, 255)");
    expect(styleOf(page, "th").textAlign).toBe("left");
  });

  test("those of a report with cards", async () => {
    const page = await drawn(
      `<style>
:root { --accent: #2563eb; --shadow: 0 2px 8px rgba(0, 0, 0, 0.2); --hero: linear-gradient(90deg, #111, #222); }
* { box-sizing: border-box; margin: 0 }
header { background: var(--hero); color: white; padding: 2rem }
.cards { display: flex; flex-wrap: wrap; gap: 16px }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(120px, 1fr)); gap: 1rem; }
.card { flex: 1 1 200px; border-radius: 12px; box-shadow: var(--shadow); border-left: 4px solid var(--accent); overflow: hidden }
.card:hover { box-shadow: 0 4px 16px rgba(0,0,0,.3) }
.card > h3:first-child { letter-spacing: 1px; text-transform: uppercase; font: 700 18px/1.2 Georgia, serif; }
.badge::before { content: "→"; color: var(--accent) }
@media (max-width: 2000px) { .grid { font-size: 17px } }
</style><header>Title</header><div class="cards"><div class="card"><h3>A</h3><b class="badge">1</b></div></div>
<div class="grid"><p style="text-align:center;color:var(--accent);opacity:.5">x</p></div>`,
    );

    expect(styleOf(page, ".cards")).toMatchObject({ display: "flex", rowGap: "16px", flexWrap: "wrap" });
    expect(styleOf(page, ".grid")).toMatchObject({ display: "grid", fontSize: "17px" });
    expect(styleOf(page, ".grid").gridTemplateColumns).toMatch(/px .*px/);
    expect(styleOf(page, "header").backgroundImage).toContain("linear-gradient");
    expect(styleOf(page, "header").paddingTop).toBe("32px");
    expect(styleOf(page, ".card")).toMatchObject({
      borderTopLeftRadius: "12px",
      boxShadow: "rgba(0, 0, 0, 0.2) 0px 2px 8px 0px",
      borderLeftColor: "rgb(37, 99, 235)",
      overflow: "hidden",
      flexBasis: "200px",
      boxSizing: "border-box",
    });
    expect(styleOf(page, "h3")).toMatchObject({ letterSpacing: "1px", fontSize: "18px", fontWeight: "700" });
    expect(styleOf(page, "p")).toMatchObject({ textAlign: "center", color: "rgb(37, 99, 235)", opacity: "0.5" });
    const badge = page.querySelector(".badge");
    if (badge === null) throw new Error("There is no badge.");
    expect(getComputedStyle(badge, "::before").content).toBe('"→"');
  });

  test("those of a diagram as scikit-learn draws it", async () => {
    const page = await drawn(
      `<style>#sk-1 { --sk-color: #f0ebff; color: #000; }
#sk-1 div.sk-item { position: relative; z-index: 1; background-color: white }
#sk-1 div.sk-item::before { content: ""; position: absolute; border-left: 1px solid gray; top: 0; bottom: 0; left: 50%; z-index: -1 }
#sk-1 div.content { max-height: 0; max-width: 0; overflow: hidden; background-color: var(--sk-color) }
#sk-1 input.sk-toggle:checked ~ div.content { max-height: 200px; max-width: 100%; overflow: auto }
#sk-1 .sk-parallel { display: flex; align-items: stretch; justify-content: center }
</style><div id="sk-1"><div class="sk-parallel"><div class="sk-item"><input class="sk-toggle" type="checkbox" checked>
<label>Scaler</label><div class="content"><pre>StandardScaler()</pre></div></div></div></div>`,
    );

    expect(styleOf(page, ".sk-item")).toMatchObject({ position: "relative", backgroundColor: "rgb(255, 255, 255)" });
    expect(styleOf(page, ".content")).toMatchObject({ maxHeight: "200px", backgroundColor: "rgb(240, 235, 255)" });
    expect(styleOf(page, ".sk-parallel")).toMatchObject({ display: "flex", justifyContent: "center" });
    const item = page.querySelector(".sk-item");
    if (item === null) throw new Error("There is no item.");
    expect(getComputedStyle(item, "::before").position).toBe("absolute");
  });

  test("and nothing is said of them", async () => {
    const html = `<style>.a{color:red;cursor:pointer;transition:all 1s}</style><table><tr><td colspan="3" class="a">x</table>`;

    expect((await cleanHtml(html))?.lacksStyles).toBe(false);
  });
});

describe("beyond the bounds styles are left out, the document stays, and that is said", () => {
  const paragraphs = "<p><b>x</b></p>".repeat(3000);
  const nested = (css: string): string => `<style>div{${css}}</style>${"<div>".repeat(30)}x`;

  test.each([
    ["rules for every element", `<style>${"*{color:red}".repeat(5000)}</style>${paragraphs}`, 0],
    ["rules for elements behind others", `<style>i ~ p ~ p{color:red}</style>${paragraphs}`, 0],
    ["rules that count from the end", `<style>p:nth-last-child(3n+1){color:red}</style>${paragraphs}`, 0],
    ["styles of 600,000 characters", `<style>${"p{color:red}".repeat(50_000)}</style>${paragraphs}`, 0],
    ["a style attribute of 6,000 characters", `<p style="${"color:red;".repeat(600)}">${paragraphs}`, 0],
    ["a gradient in each", `<style>p{background:linear-gradient(red,blue)}</style>${paragraphs}`, 0],
    ["boxes that clip", `<style>p{overflow:hidden}</style>${paragraphs}`, 0],
    ["a text before each", `<style>p::before{content:"red"}</style>${paragraphs}`, 0],
    ["floats", `<style>p{float:left}</style>${paragraphs}`, 0],
    [
      "spaced letters of a long text",
      `<style>p{letter-spacing:1px}</style><p>${"red ".repeat(20_000)}${paragraphs}`,
      20_000,
    ],
    ["grids in one another", `${nested("display:grid")}${paragraphs}`, 0],
    ["blocks in one another", `<style>${"a{".repeat(40)}color:red</style>${paragraphs}`, 0],
    ["more declarations than are looked at", `<style>${"q{border:red}".repeat(20_000)}</style>${paragraphs}`, 15_000],
  ])("%s", async (_name, content, reds) => {
    const view = new SealedView();
    view.content = content;
    document.body.append(view);
    await view.updateComplete;

    const srcdoc = view.querySelector("iframe")?.srcdoc ?? "";
    expect(srcdoc.match(/lt;b>x/g)).toHaveLength(3000);
    expect(view.textContent).toContain(LEFT_OUT);
    const html = await cleaned(content);
    expect(html.match(/red/g)?.length ?? 0).toBeLessThanOrEqual(Math.max(reds, 100));
    expect(html).not.toMatch(/gradient|overflow|content:|float|spacing|grid/);
  });

  test.each([
    `p[title*=":hover"]`,
    `p[title="a  b"]`,
    String.raw`.x\:hover`,
    String.raw`.x\:before`,
    "p:hover",
    "p:hover > *",
    "* :focus",
  ])("gradients of %s", async (selector) => {
    const part = '<p title=":hover" class="x:hover"><b title="a  b" class="x:before">x</b></p>';
    const some = await cleanHtml(
      `<style>${selector}{background:linear-gradient(red,blue)}</style>${part.repeat(3000)}`,
    );

    expect(some?.html).not.toContain("gradient");
  });

  test("cells that stand for very many", async () => {
    const clean = await cleanHtml(`<table>${'<tr><td rowspan="60000">x'.repeat(500)}</table>`);

    expect(clean?.html).not.toContain("rowspan");
    expect(clean?.lacksStyles).toBe(true);
  });

  test("not where all of it may be drawn", async () => {
    const view = new SealedView();
    view.content = sheet("p{color:red}");
    document.body.append(view);
    await view.updateComplete;

    expect(view.querySelector("iframe")?.srcdoc).toContain("color: red");
    expect(view.textContent).not.toContain(LEFT_OUT);
  });

  test("colours stay where boxes are too many", async () => {
    const html = await cleaned(`<style>p{color:red;float:left}</style>${paragraphs}`);

    expect(html).toContain("color: red");
    expect(html).not.toContain("float");
  });
});

test("a long style sheet is read while the page goes on", async () => {
  let turns = 0;
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    turns += 1;
    channel.port2.postMessage(null);
  };
  channel.port2.postMessage(null);
  const cells = Array.from({ length: 6000 }, (_, n) => n);

  const html = await cleaned(
    `<style>${cells.map((n) => `#c${String(n)}{background-color:#fff;color:#000}`).join("")}</style>` +
      cells.map((n) => `<i id="c${String(n)}">x</i>`).join(""),
  );
  channel.port1.close();

  expect(html.match(/#c\d+\{/g)).toHaveLength(6000);
  expect(turns).toBeGreaterThan(20);
});
