import { createHash } from "node:crypto";

import { INNER_SCRIPT, OUTER_SCRIPT } from "../../../src/executor/hosts/sealed-frame-documents.js";

/** A change to a source of Vitrine, which must hold the text exactly as often as it says. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Default: once. */
  readonly times?: number;
}

/** Something that holds code, and how it is taken away. */
export interface Wall {
  readonly name: string;
  /** What is missing then, as a phrase for the threat model. */
  readonly takenAway: string;
  readonly edits: readonly Edit[];
  /** The title of a test that fails without it, which `npm test` sees in Chromium; null where none does. */
  readonly noticedBy: string | null;
}

/** True on a page whose address says `without=<name>`, in the build with these edits. */
function isWithout(name: string): string {
  return `(new URLSearchParams(globalThis.location?.search).get("without") === ${JSON.stringify(name)})`;
}

const documents = "src/executor/hosts/sealed-frame-documents.ts";
const host = "src/executor/hosts/sealed-frame-host.ts";
const httpRequest = "src/tools/http/http-request.ts";

/** The frames' look at who sends them their first message. */
const LOOK = "if (event.source !== parent) return;";

/** Of the frames' scripts without it. */
const hashesWithoutLook = [OUTER_SCRIPT, INNER_SCRIPT].map((script) => hashOf(script.replace(LOOK, ""))).join(" ");

function hashOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

export const walls: readonly Wall[] = [
  {
    name: "inner frame",
    takenAway: "the inner frame's own sandbox; that of the outer frame binds it as well",
    edits: [
      {
        file: documents,
        find: `<iframe sandbox="allow-scripts" srcdoc=`,
        replace: `<iframe \${${isWithout("inner frame")} || ${isWithout("sandbox")} ? "" : 'sandbox="allow-scripts" '}srcdoc=`,
      },
    ],
    noticedBy: null,
  },
  {
    name: "outer frame",
    takenAway: "the outer of the two frames",
    edits: [
      {
        file: documents,
        find: "const inner = `${head}<script>${script}</script>`;",
        replace: `const inner = \`\${head}<script>\${script}</script>\`; if (${isWithout("outer frame")}) return inner;`,
      },
    ],
    noticedBy: "frame, navigation: location.href",
  },
  {
    name: "sandbox",
    takenAway: "the sandbox of both frames, and with it the opaque origin",
    edits: [
      {
        file: host,
        find: `frame.setAttribute("sandbox", "allow-scripts");`,
        replace: `if (!${isWithout("sandbox")}) frame.setAttribute("sandbox", "allow-scripts");`,
      },
    ],
    noticedBy: "frame, page: a variable of the page",
  },
  {
    name: "policy",
    takenAway: "the Content Security Policy of both frames",
    edits: [
      {
        file: documents,
        find: `<meta http-equiv="Content-Security-Policy" content="\${framePolicy(hash)}">`,
        replace: `\${${isWithout("policy")} ? "" : \`<meta http-equiv="Content-Security-Policy" content="\${framePolicy(hash)}">\`}`,
      },
    ],
    noticedBy: "frame, network: fetch",
  },
  {
    name: "policy of the outer frame",
    takenAway: "the Content Security Policy of the outer frame alone",
    edits: [
      {
        file: documents,
        find: "return `${head}<iframe",
        replace: `return \`\${${isWithout("policy of the outer frame")} ? head.replace(/<meta .*/, "") : head}<iframe`,
      },
    ],
    noticedBy: "frame, navigation: location.href",
  },
  {
    name: "policy of the inner frame",
    takenAway: "the Content Security Policy of the inner frame alone; it inherits that of the outer one",
    edits: [
      {
        file: documents,
        find: "const inner = `${head}<script>",
        replace: `const inner = \`\${${isWithout("policy of the inner frame")} ? head.replace(/<meta .*/, "") : head}<script>`,
      },
    ],
    noticedBy: null,
  },
  {
    name: "hashes",
    takenAway: "the hashes of the frames' scripts; any script of the frames may run in their place",
    edits: [
      {
        file: documents,
        find: "const scripts = `${OUTER_SCRIPT_HASH} ${innerHash}`;",
        replace: `const scripts = ${isWithout("hashes")} ? "'unsafe-inline'" : ${isWithout("sender")} ? \`${hashesWithoutLook} \${innerHash}\` : \`\${OUTER_SCRIPT_HASH} \${innerHash}\`;`,
      },
    ],
    noticedBy: "frame, page: an inline script",
  },
  {
    name: "sender",
    takenAway: "the frames' look at who sends them their first message",
    edits: [
      {
        file: documents,
        find: LOOK,
        replace: `\${${isWithout("sender")} ? "" : ${JSON.stringify(LOOK)}}`,
        times: 2,
      },
    ],
    noticedBy: "frame, other sessions: taking the start of another session",
  },
  {
    name: "lock-down",
    takenAway: "what the sealed worker does to itself before code runs",
    edits: [
      {
        file: host,
        find: `frame.contentWindow?.postMessage(source, "*"`,
        replace: `frame.contentWindow?.postMessage((${isWithout("lock-down")} ? "self.withoutLockDown = true;" : "") + source, "*"`,
      },
      {
        file: "worker/lockdown.ts",
        find: "takeAway(scope, (name) => FLOODING.has(name));",
        replace:
          'if (Reflect.get(globalThis, "withoutLockDown") === true) return; takeAway(scope, (name) => FLOODING.has(name));',
      },
    ],
    noticedBy: "worker code has no second thread that counts for it",
  },
  {
    name: "gate",
    takenAway: "the gate before Comlink, with its limit on messages",
    edits: [
      {
        file: "src/bridge/comlink-gate.ts",
        find: "const calls = new GateEndpoint(port);",
        replace: `if (${isWithout("gate")}) return { calls: port, replies: port, close: () => port.close() };
  const calls = new GateEndpoint(port);`,
      },
    ],
    noticedBy: "bridge, bridge: GET of a function",
  },
  {
    name: "calls",
    takenAway: "the page's check that a call belongs to the run, and the person's word on it",
    edits: [
      {
        file: "src/session/runs/run-answers.ts",
        find: "if (run?.id !== runId) throw new NoRunError();",
        replace: `if (run?.id !== runId && (run === undefined || run === null || !${isWithout("calls")})) throw new NoRunError();`,
      },
      {
        file: "src/dispatch/approver.ts",
        find: "const decision = decisionOf(answer);",
        replace: `const decision = ${isWithout("calls")} ? { kind: "allow" } : decisionOf(answer);`,
      },
    ],
    noticedBy: "bridge, bridge: a call in the name of another run",
  },
  {
    name: "requests",
    takenAway: "the page's checks of where a tool's request goes, redirects included",
    edits: [
      {
        file: httpRequest,
        find: "const text = pathText(part.sentAs, textTree(call, part), part.style);",
        replace: `const text = ${isWithout("requests")} ? String(part.value) : pathText(part.sentAs, textTree(call, part), part.style);`,
      },
      {
        file: httpRequest,
        find: "if (climbing !== undefined)",
        replace: `if (climbing !== undefined && !${isWithout("requests")})`,
      },
      {
        file: httpRequest,
        find: "if (!URL.canParse(address, pageUrl) || new URL(address, pageUrl).origin !== base.origin)",
        replace: `if (!${isWithout("requests")} && (!URL.canParse(address, pageUrl) || new URL(address, pageUrl).origin !== base.origin))`,
      },
      {
        file: "src/tools/requests/request-route.ts",
        find: "const { toolName, byPath, pageUrl, allowedHosts, proxy, byPathHint } = route;",
        replace: `if (${isWithout("requests")}) return target.href;
  const { toolName, byPath, pageUrl, allowedHosts, proxy, byPathHint } = route;`,
      },
      {
        file: "src/tools/requests/send-request.ts",
        find: `redirect: "error"`,
        replace: `redirect: ${isWithout("requests")} ? "follow" : "error"`,
      },
    ],
    noticedBy: "worker, hostile arguments: a path that climbs",
  },
  {
    name: "drawing",
    takenAway: "what the page does to content before it draws it: cleaning, sandbox and policy",
    edits: [
      {
        file: "src/ui/drawing/clean-html.ts",
        find: "html: drawn.documentElement.outerHTML,",
        replace: `html: ${isWithout("drawing")} ? html : drawn.documentElement.outerHTML,`,
      },
      {
        file: "src/ui/drawing/markdown.ts",
        find: "purify().sanitize(root, {",
        replace: `if (!${isWithout("drawing")}) purify().sanitize(root, {`,
      },
      {
        file: "src/ui/drawing/sealed-document.ts",
        find: `const POLICY = "`,
        replace: `const POLICY = ${isWithout("drawing")} ? "default-src * data: blob: 'unsafe-inline'" : "`,
      },
      {
        file: "src/ui/drawing/sealed-document.ts",
        find: `<iframe sandbox="" title=`,
        replace: `<iframe \${${isWithout("drawing")} ? "" : 'sandbox=""'} title=`,
      },
      {
        file: "src/ui/components/content/sealed-view.ts",
        find: `sandbox=""`,
        replace: `sandbox=\${${isWithout("drawing")} ? nothing : ""}`,
      },
      {
        file: "src/ui/components/content/sealed-view.ts",
        find: `this.#document = sealedSvg(text, this.label);`,
        replace: `this.#document = ${isWithout("drawing")} ? sealedHtml(text, this.label, 0) : sealedSvg(text, this.label);`,
      },
    ],
    noticedBy: "render, rendered output: HTML: a picture",
  },
];
