import type { Attempt, Need, Place } from "./attempt.js";
import { needs } from "./needs.js";

type Case = readonly [name: string, content: (place: Place) => string];

const htmlThatLoads: readonly Case[] = [
  ["a picture", ({ url }) => `<img src="${url}">`],
  ["a picture with srcset", ({ url }) => `<img srcset="${url} 1x, ${url} 2x">`],
  ["a source of a picture", ({ url }) => `<picture><source srcset="${url}"><img></picture>`],
  ["a picture below a base", ({ url }) => `<base href="${url}/"><img src="x">`],
  ["an input of type image", ({ url }) => `<input type="image" src="${url}">`],
  ["a video", ({ url }) => `<video src="${url}" autoplay muted></video>`],
  ["a poster of a video", ({ url }) => `<video poster="${url}"></video>`],
  ["an audio", ({ url }) => `<audio src="${url}" preload="auto"></audio>`],
  ["a background of CSS", ({ url }) => `<style>p { background: url("${url}") }</style><p>text</p>`],
  ["a style attribute", ({ url }) => `<p style="background: url(${url})">text</p>`],
  ["an import of CSS", ({ url }) => `<style>@import "${url}";</style>`],
  [
    "a font of CSS",
    ({ url }) => `<style>@font-face { font-family: x; src: url("${url}") } p { font-family: x }</style><p>text</p>`,
  ],
  ["a table's background", ({ url }) => `<table background="${url}"><tr><td>x</td></tr></table>`],
  ["a style sheet link", ({ url }) => `<link rel="stylesheet" href="${url}">`],
  ["a prefetch link", ({ url }) => `<link rel="prefetch" href="${url}">`],
  ["a preload link", ({ url }) => `<link rel="preload" as="image" href="${url}">`],
  ["a modulepreload link", ({ url }) => `<link rel="modulepreload" href="${url}">`],
  ["a meta refresh", ({ url }) => `<meta http-equiv="refresh" content="0;url=${url}">`],
  ["an iframe", ({ url }) => `<iframe src="${url}"></iframe>`],
  ["an iframe with a document of its own", ({ url }) => `<iframe srcdoc="<img src='${url}'>"></iframe>`],
  ["an iframe of a data URL", ({ url }) => `<iframe src="data:text/html,<img src='${url}'>"></iframe>`],
  ["an object", ({ url }) => `<object data="${url}"></object>`],
  ["an embed", ({ url }) => `<embed src="${url}">`],
  ["an image of SVG in HTML", ({ url }) => `<svg><image href="${url}" width="9" height="9"/></svg>`],
  ["a use of SVG in HTML", ({ ownUrl }) => `<svg width="9" height="9"><use href="${ownUrl}#a"/></svg>`],
  ["a script that fetches", ({ url }) => `<script>fetch("${url}")</script>`],
  ["a script from elsewhere", ({ url }) => `<script src="${url}"></script>`],
  ["a form that sends itself", ({ url }) => `<form action="${url}"></form><script>document.forms[0].submit()</script>`],
  [
    "a form sent by an error",
    ({ url }) =>
      `<form action="${url}"><img src="data:," onerror="this.form ?? document.forms[0].submit()"></form><img src="data:," onerror="document.forms[0].submit()">`,
  ],
];

const htmlThatActs: readonly Case[] = [
  ["a script that writes on the page", ({ mark }) => `<script>top.document.title = "${mark}"</script>`],
  ["an error handler", ({ mark }) => `<img src="data:," onerror="top.document.title = '${mark}'">`],
  ["a load handler of SVG in HTML", ({ mark }) => `<svg onload="top.document.title = '${mark}'"></svg>`],
  ["a toggle handler", ({ mark }) => `<details open ontoggle="top.document.title = '${mark}'">text</details>`],
  [
    "an iframe of a javascript: address",
    ({ mark }) => `<iframe src="javascript:top.document.title = '${mark}'"></iframe>`,
  ],
  ["an alert in a script", ({ mark }) => `<script>alert("${mark}")</script>`],
];

const svgThatLoads: readonly Case[] = [
  ["an image", ({ url }) => `<image href="${url}" width="9" height="9"/>`],
  ["an image with its old name", ({ url }) => `<image xlink:href="${url}" width="9" height="9"/>`],
  ["a use", ({ ownUrl }) => `<use href="${ownUrl}#a"/>`],
  ["an import of CSS", ({ url }) => `<style>@import "${url}";</style>`],
  [
    "a filter image",
    ({ url }) => `<filter id="f"><feImage href="${url}"/></filter><rect width="9" height="9" filter="url(#f)"/>`,
  ],
  [
    "HTML inside",
    ({ url }) =>
      `<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="${url}"/></foreignObject>`,
  ],
  [
    "an image that an animation names",
    ({ url }) => `<image width="9" height="9"><set attributeName="href" to="${url}"/></image>`,
  ],
  ["a script that fetches", ({ url }) => `<script>fetch("${url}")</script>`],
];

const svgThatActs: readonly Case[] = [
  ["a script", ({ mark }) => `<script>top.document.title = "${mark}"</script>`],
  [
    "a load handler",
    ({ mark }) => `<rect width="9" height="9"/><image href="data:," onerror="top.document.title = '${mark}'"/>`,
  ],
];

const markdownThatLoads: readonly Case[] = [
  ["a picture", ({ url }) => `![chart](${url})`],
  ["a picture by reference", ({ url }) => `![chart][there]\n\n[there]: ${url}`],
  ["a picture inside a link", ({ url }) => `[![chart](${url})](https://example.invalid/)`],
  ["HTML with a picture", ({ url }) => `text <img src="${url}"> text`],
  ["HTML with a style", ({ url }) => `<style>p { background: url("${url}") }</style>\n\ntext`],
  ["HTML with a style attribute", ({ url }) => `<p style="background: url(${url})">text</p>`],
  ["HTML with a prefetch link", ({ url }) => `<link rel="prefetch" href="${url}">`],
  ["HTML with SVG", ({ url }) => `<svg><image href="${url}" width="9" height="9"/></svg>`],
  ["HTML with an iframe", ({ url }) => `<iframe src="${url}"></iframe>`],
];

const markdownThatActs: readonly Case[] = [
  ["HTML with an error handler", ({ mark }) => `<img src="data:," onerror="top.document.title = '${mark}'">`],
  ["HTML with a script", ({ mark }) => `<script>top.document.title = "${mark}"</script>`],
];

const point = { mark: "point", encoding: { x: { field: "a", type: "quantitative" } } };

const chartsThatLoad: readonly Case[] = [
  ["data", ({ url }) => JSON.stringify({ ...point, data: { url, format: { type: "json" } } })],
  [
    "data to look up",
    ({ url }) =>
      JSON.stringify({
        ...point,
        data: { values: [{ a: 1 }] },
        transform: [{ lookup: "a", from: { data: { url, format: { type: "json" } }, key: "a", fields: ["b"] } }],
      }),
  ],
  [
    "a picture",
    ({ url }) =>
      JSON.stringify({
        data: { values: [{ url }] },
        mark: { type: "image", width: 9, height: 9 },
        encoding: { url: { field: "url", type: "nominal" } },
      }),
  ],
];

/** By language and name. */
const needed: ReadonlyMap<string, Need> = new Map([
  ["HTML: a prefetch link", needs.prefetch],
  ["Markdown: HTML with a prefetch link", needs.prefetch],
  ["SVG: an image that an animation names", needs.animatedAddress],
]);

type Language = "html" | "svg" | "markdown" | "vega-lite";

function drawn(language: Language, sign: Attempt["sign"], cases: readonly Case[]): readonly Attempt[] {
  return cases.map(([ownName, content]) => {
    const name = `${labels[language]}: ${ownName}`;
    const need = needed.get(name);
    return {
      name,
      ring: "render",
      group: "rendered output",
      language,
      sign,
      twin: "plain markup",
      ...(ownName === "an alert in a script" ? { disturbs: true } : {}),
      ...(need && { needs: need }),
      code: language === "svg" ? (place) => svg(content(place)) : content,
    };
  });
}

const labels: Readonly<Record<Language, string>> = {
  html: "HTML",
  svg: "SVG",
  markdown: "Markdown",
  "vega-lite": "Chart",
};

function svg(content: string): string {
  const names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  return `<svg ${names} viewBox="0 0 10 10">${content}</svg>`;
}

/** What code displays, saves or answers, drawn by the page. */
export const render: readonly Attempt[] = [
  ...drawn("html", "bytes", htmlThatLoads),
  ...drawn("html", "effect", htmlThatActs),
  ...drawn("svg", "bytes", svgThatLoads),
  ...drawn("svg", "effect", svgThatActs),
  ...drawn("markdown", "bytes", markdownThatLoads),
  ...drawn("markdown", "effect", markdownThatActs),
  ...drawn("vega-lite", "bytes", chartsThatLoad),
];
