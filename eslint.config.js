import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import { createNodeResolver, importX } from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

/** A folder imports from folders of the layers below its own, and from its neighbours in the same layer. */
const layers = [
  ["protocol"],
  [
    "executor",
    "bridge",
    "check",
    "commands",
    "content",
    "dispatch",
    "tools",
    "secrets",
    "skills",
    "artifacts",
    "deps",
    "workspace",
    "storage",
    "model",
  ],
  ["session"],
  ["agent", "outward", "codegen", "context", "turn-loop"],
  ["ui"],
];

const pageOnly = [
  "document",
  "window",
  "customElements",
  "localStorage",
  "sessionStorage",
  "matchMedia",
  "getComputedStyle",
  "DOMParser",
  "Document",
  "Element",
  "HTMLElement",
  "HTMLIFrameElement",
  "Node",
  "ShadowRoot",
  "Window",
];

export default defineConfig(
  globalIgnores(["dist/", "dist-demo/", "public/", "test-results/", "**/.vite/", "examples/*/dist/"]),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    plugins: { "import-x": importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    settings: {
      "import-x/extensions": [".ts", ".js", ".mjs"],
      "import-x/parsers": { "@typescript-eslint/parser": [".ts"] },
      "import-x/resolver-next": [
        createNodeResolver({ extensions: [".ts", ".js", ".mjs"], extensionAlias: { ".js": [".ts", ".js"] } }),
      ],
    },
    rules: {
      "import-x/no-restricted-paths": ["error", { basePath: import.meta.dirname, zones: zones() }],
      "import-x/order": ["error", { groups: [["builtin", "external"], "parent", "sibling"] }],
      eqeqeq: "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      // A type that refers to itself needs an index signature.
      "@typescript-eslint/consistent-indexed-object-style": "off",
      // It overflows the stack on recursive types such as Value (typescript-eslint 8.73).
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
    },
  },
  {
    files: ["src/**"],
    ignores: ["src/ui/**", "src/executor/hosts/**", "src/secrets/local-storage-secrets.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...pageOnly.map((name) => ({ name, message: "The DOM is for src/ui and src/executor/hosts." })),
      ],
      "@typescript-eslint/no-restricted-types": [
        "error",
        { types: Object.fromEntries(pageOnly.map((name) => [name, "The DOM is for src/ui and src/executor/hosts."])) },
      ],
    },
  },
  {
    files: ["test/**", "bench/**", "eval/**"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-empty-function": "off",
      // expect.any() and its like are any.
      "@typescript-eslint/no-unsafe-assignment": "off",
    },
  },
  { files: ["**/*.js", "**/*.mjs"], extends: [tseslint.configs.disableTypeChecked], rules: { "no-undef": "off" } },
);

function zones() {
  const folders = layers.flat();
  const faces = (names) => names.map((name) => `./${name}/index.ts`);
  const perFolder = layers.flatMap((layer, level) =>
    layer.map((folder) => ({
      target: `./src/${folder}`,
      from: "./src",
      except: [`./${folder}`, ...faces(layers.slice(0, level + 1).flat())],
      message: "Import a lower folder, and only its index.ts.",
    })),
  );
  return [
    ...perFolder,
    { target: "./src/public", from: "./src", except: faces(folders), message: "Only the index.ts of a folder." },
    { target: "./src/index.ts", from: "./src", except: ["./public"], message: "What is public stands in src/public." },
    {
      target: "./src",
      from: ["./worker", "./test", "./bench", "./eval"],
      message: "src/ stands alone; the worker comes as text.",
    },
    {
      target: "./worker",
      from: "./src",
      except: faces(["protocol"]),
      message: "Page and worker share only src/protocol.",
    },
  ];
}
