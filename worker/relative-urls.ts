/**
 * Has relative addresses mean what they mean on the page. A worker that was made from a blob has no address that anything
 * could be relative to. For trust level `local`, the only one whose code may ask the network itself.
 */
export function resolveRelativeUrls(baseURL: string): void {
  const resolved = <T>(address: T): T | string =>
    typeof address === "string" && URL.canParse(address, baseURL) ? new URL(address, baseURL).href : address;

  const { fetch, Request, XMLHttpRequest } = globalThis;
  globalThis.fetch = (input, init) => fetch(resolved(input), init);
  globalThis.Request = new Proxy(Request, {
    construct: (target, [input, ...rest]: ConstructorParameters<typeof Request>, newTarget) =>
      Reflect.construct(target, [resolved(input), ...rest], newTarget) as Request,
  });
  // Pyodide's `open_url` is one of these.
  globalThis.XMLHttpRequest = class extends XMLHttpRequest {
    override open(
      method: string,
      url: string | URL,
      isAsync = true,
      user?: string | null,
      password?: string | null,
    ): void {
      super.open(method, resolved(url), isAsync, user, password);
    }
  };
}
