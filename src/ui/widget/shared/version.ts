/**
 * The version of the package. A test holds it against package.json. The one of src/protocol would be a script of its own, for
 * which every page with a cell would wait.
 */
export const VERSION = "0.1.0";
