import { expect, test } from "vitest";

import { readSettings, type SettingsAttributes } from "../../../../src/ui/widget/shared/read-settings.js";

const nothing: SettingsAttributes = {
  session: null,
  trust: null,
  deps: null,
  packages: null,
  files: null,
  tools: null,
  timeout: null,
  demo: null,
};

const read = (attributes: Partial<SettingsAttributes>) =>
  readSettings({ ...nothing, ...attributes }, "https://docs.example/guide/page.html");

test("a cell without attributes is alone, sandboxed, and has 30 seconds", () => {
  expect(read({})).toEqual({
    settings: { session: null, trust: "sandboxed", deps: [], packages: [], files: [], tools: [], timeout: 30_000 },
    demo: null,
    problems: [],
  });
});

test("lists are separated by blanks, and addresses are relative to the page", () => {
  const { settings, demo, problems } = read({
    session: "tour",
    trust: "local",
    deps: "numpy>=2\n  pandas[excel]",
    packages: "../wheels https://cdn.example/w/",
    files: "data/orders.csv /v2/my%20rates.csv data.csv?id=7=in/rates.csv",
    tools: "price tools/shop.yaml https://x.example/a.yml?v=1",
    timeout: "2.5",
    demo: "/demo/",
  });

  expect(problems).toEqual([]);
  expect(settings).toEqual({
    session: "tour",
    trust: "local",
    deps: ["numpy>=2", "pandas[excel]"],
    packages: ["https://docs.example/wheels/", "https://cdn.example/w/"],
    files: [
      { url: "https://docs.example/guide/data/orders.csv", path: "orders.csv" },
      { url: "https://docs.example/v2/my%20rates.csv", path: "my rates.csv" },
      { url: "https://docs.example/guide/data.csv?id=7", path: "in/rates.csv" },
    ],
    tools: ["price", "https://docs.example/guide/tools/shop.yaml", "https://x.example/a.yml?v=1"],
    timeout: 2500,
  });
  expect(demo).toBe("https://docs.example/demo/");
  expect(read({ timeout: "none" }).settings.timeout).toBeNull();
});

test.each<[Partial<SettingsAttributes>, string]>([
  [{ trust: "root" }, 'trust="root" is no trust level: write sandboxed, isolated or local.'],
  [{ trust: "" }, 'trust="" is no trust level: write sandboxed, isolated or local.'],
  [{ timeout: "soon" }, 'timeout="soon" is no number of seconds: write one, or none for no limit.'],
  [{ timeout: "0" }, 'timeout="0" is no number of seconds: write one, or none for no limit.'],
  [{ timeout: "1e99" }, 'timeout="1e99" is no number of seconds: write one, or none for no limit.'],
  [{ deps: "numpy >=2" }, 'deps: ">=2" is no package. Write each without blanks, numpy>=2 for instance.'],
  [{ packages: "http://[" }, 'packages: "http://[" is no address of a folder.'],
  [{ files: "http://[" }, 'files: "http://[" is no address of a file.'],
  [{ files: "javascript:alert(1)" }, 'files: "javascript:alert(1)" is no address of a file.'],
  [{ files: "data/" }, 'files: "data/" has no file name. Write address=path.'],
  [{ files: "a.csv=../b" }, 'files: "../b" is no path within the workspace, data/orders.csv for instance.'],
  [{ files: "a.csv=/etc/b" }, 'files: "/etc/b" is no path within the workspace, data/orders.csv for instance.'],
  [{ files: "a/x.csv b/x.csv" }, "files: two of them would be x.csv. Name one of them, address=path."],
  [
    { tools: "shop.json" },
    'tools: "shop.json" is neither a name that this page may register nor the address of a .yaml file.',
  ],
  [{ demo: "javascript:alert(1)" }, 'demo="javascript:alert(1)" is no address.'],
])("%j is named in a sentence", (attributes, sentence) => {
  expect(read(attributes).problems).toEqual([sentence]);
});
