import { VitrineError } from "../../../protocol/index.js";
import { isAddress, type PackageSettings } from "./package-settings.js";

/** A source has an address that nothing can be fetched from. */
export class PackageAddressError extends VitrineError {
  override readonly name = "PackageAddressError";
  readonly code = "PACKAGE_ADDRESS";

  constructor(
    readonly field: "mirror" | "index",
    readonly address: string,
  ) {
    const what = field === "mirror" ? "mirror" : "index";
    super(`The address of the ${what} must begin with https:// or http://, as in https://${what}.example.org/.`);
  }
}

/** What a person wrote, without blanks around it. @throws {PackageAddressError} */
export function readPackages(settings: PackageSettings): PackageSettings {
  const { pyodide, mirror, index, indexHosts } = settings;
  const read = { pyodide, mirror: mirror.trim(), index: index.trim(), indexHosts: indexHosts.trim() };
  for (const field of ["mirror", "index"] as const) {
    if (read[field] !== "" && !isAddress(read[field])) throw new PackageAddressError(field, read[field]);
  }
  return read;
}
