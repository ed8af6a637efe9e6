interface ModuleText {
  readonly url: string;
  readonly text: string;
}

/**
 * Loads one of our modules in a frame of opaque origin, where the browser forbids
 * storage, and runs `body` there with the module as `subject`.
 *
 * @returns what `body` returns.
 */
export async function runInOpaqueFrame(entry: URL, body: string): Promise<unknown> {
  const modules = new Map<string, string>();
  await collectModules(entry, modules);
  const list = Array.from(modules, ([url, text]): ModuleText => ({ url, text }));
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  // The dev server answers no requests of an opaque origin, so the frame makes its modules from their texts.
  frame.srcdoc = `<script>
    addEventListener("message", async ({ data, ports: [port] }) => {
      const blobs = new Map();
      for (const { url, text } of data) {
        const linked = text.replace(/@module:([^"]+)/g, (_, dependency) => blobs.get(dependency));
        blobs.set(url, URL.createObjectURL(new Blob([linked], { type: "text/javascript" })));
      }
      const subject = await import(blobs.get(data.at(-1).url));
      port.postMessage(await (async () => { ${body} })());
    });
  </script>`;
  await new Promise((resolve) => {
    frame.addEventListener("load", resolve);
    document.body.append(frame);
  });
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      resolve(data);
    };
  });
  frame.contentWindow?.postMessage(list, "*", [port2]);
  return await answer.finally(() => {
    frame.remove();
  });
}

/** Dependencies first. */
async function collectModules(url: URL, modules: Map<string, string>): Promise<void> {
  const imported = /(\bfrom\s*|\bimport\s*)"([./][^"]+)"/g;
  const text = await (await fetch(url)).text();
  for (const [, , specifier = ""] of text.matchAll(imported)) {
    const dependency = new URL(specifier, url);
    if (!modules.has(dependency.href)) await collectModules(dependency, modules);
  }
  const linked = text.replace(
    imported,
    (_, keyword: string, specifier: string) => `${keyword}"@module:${new URL(specifier, url).href}"`,
  );
  modules.set(url.href, linked);
}
