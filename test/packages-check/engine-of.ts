/** A browser's engine and version by its user agent, `Firefox 153` for instance. */
export function engineOf(userAgent: string): string {
  const [, firefox] = /\bFirefox\/(\d{1,6})/.exec(userAgent) ?? [];
  if (firefox !== undefined) return `Firefox ${firefox}`;
  const [, chromium] = /\bChrome\/(\d{1,6})/.exec(userAgent) ?? [];
  if (chromium !== undefined) return `Chromium ${chromium}`;
  if (!userAgent.includes("AppleWebKit/")) return "another engine";
  // On Linux the version is one that WebKitGTK makes up to please servers.
  if (/\b(?:X11|Linux)\b/.test(userAgent)) return "WebKitGTK";
  const [, safari] = /\bVersion\/(\d{1,6}(?:\.\d{1,6})?)/.exec(userAgent) ?? [];
  return safari === undefined ? "WebKit" : `Safari ${safari}`;
}
