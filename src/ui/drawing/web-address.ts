/** The address of a web page, which a tab can be opened with; null for any other text. */
export function webAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const target = new URL(text);
  return target.protocol === "https:" || target.protocol === "http:" ? target : null;
}

/** What to know of an address before it is opened; empty where there is nothing. */
export function addressWarning({ protocol, host, username, password }: URL): string {
  return [
    protocol === "http:" ? "The connection to it is not encrypted." : "",
    username + password === ""
      ? ""
      : "What stands before the @ in its address is a user name, and no part of its name.",
    /(?:^|\.)xn--/.test(host) ? "Letters of its name may look like others." : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** The page that opens learns nothing of this one, and cannot steer it. */
export function openInNewTab({ href }: URL): void {
  window.open(href, "_blank", "noopener,noreferrer");
}
