import { readFilename, type PackageSource } from "../../../src/deps/sources/index.js";

/** A source with these files, of which none can be fetched. */
export function sourceOf(filenames: readonly string[]): PackageSource {
  const source: PackageSource = {
    title: "the package folder",
    address: "http://127.0.0.1/wheels/",
    hearsNames: false,
    advice: "Put a wheel there.",
    find: (name) => {
      const files = filenames.map(readFilename).filter((file) => file?.name === name);
      const known = files.filter((file) => file !== null);
      return Promise.resolve(
        known.map((file) => ({ ...file, address: `http://127.0.0.1/wheels/${file.filename}`, source })),
      );
    },
    packageOf: () => Promise.resolve(undefined),
  };
  return source;
}
