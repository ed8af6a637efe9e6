/** The version of the package, which MCP servers and clients are told. A test holds it against package.json. */
export const VERSION = "0.1.0";
