/** The Python that Pyodide brings along, and the platform that its compiled code is built for (PEP 783). */
export const PYTHON_VERSION = "3.14.2";
export const PLATFORM = "pyemscripten_2026_0_wasm32";

/** What environment markers are held against (PEP 508). */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  python_version: PYTHON_VERSION.split(".").slice(0, 2).join("."),
  python_full_version: PYTHON_VERSION,
  os_name: "posix",
  sys_platform: "emscripten",
  platform_system: "Emscripten",
  platform_machine: "wasm32",
  platform_release: "",
  platform_version: "",
  implementation_name: "cpython",
  implementation_version: PYTHON_VERSION,
  platform_python_implementation: "CPython",
};
