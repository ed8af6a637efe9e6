/** The executor worker, bundled by worker/vite-plugin-worker-scripts.ts. */
declare module "virtual:executor-worker" {
  /** The text of one classic script that imports nothing. */
  const source: string;
  export default source;
}

/** The shell's worker, bundled by the same. */
declare module "virtual:shell-worker" {
  /** The text of one classic script that imports nothing. */
  const source: string;
  export default source;
}

/** The worker that validates content, bundled by the same. */
declare module "virtual:content-worker" {
  /** The text of one classic script that imports nothing. */
  const source: string;
  export default source;
}

/** The worker that searches files, bundled by the same. */
declare module "virtual:search-worker" {
  /** The text of one classic script that imports nothing. */
  const source: string;
  export default source;
}

/** The worker that draws charts, bundled by the same. */
declare module "virtual:chart-worker" {
  /** The text of one classic script that imports nothing. */
  const source: string;
  export default source;
}

/** worker/python/test_runner.py. */
declare module "virtual:test-runner" {
  const source: string;
  export default source;
}

/** worker/python/text_repair.py. */
declare module "virtual:text-repair" {
  const source: string;
  export default source;
}

/** SQLite and the command around it, for the shell's worker; bundled by the same. */
declare module "virtual:sqlite-script" {
  /** The text of one classic script that imports nothing. */
  const source: string;
  export default source;
}

/** The base snapshot, made by worker/vite-plugin-base-snapshot.ts. */
declare module "virtual:base-snapshot" {
  const facts: {
    /** Of Pyodide and of the Python package: a snapshot fits this build alone. */
    readonly buildId: string;
    /** Of the snapshot that lies beside the Pyodide files, uncompressed. Hexadecimal. */
    readonly sha256: string;
  };
  export default facts;
}

/** Read from the pyodide package by worker/vite-plugin-pyodide-release.ts. */
declare module "virtual:pyodide-release" {
  const facts: {
    /** Where Pyodide says that the files of its lockfile lie. */
    readonly packageFilesURL: string;
  };
  export default facts;
}
