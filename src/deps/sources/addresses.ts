/** An address, seen from the page. */
export function absoluteAddress(address: string, base?: string): string {
  const page: unknown = Reflect.get(globalThis, "location");
  const from = base ?? (page instanceof Object && "href" in page ? String(page.href) : undefined);
  return new URL(address, from).href;
}

/** The address of a folder, seen from the page: with a slash at its end. */
export function folderAddress(folder: string): string {
  return absoluteAddress(folder.endsWith("/") ? folder : `${folder}/`);
}
