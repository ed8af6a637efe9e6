import { describe, expect, test } from "vitest";

import { markerHolds, parseRequirement } from "../../../src/deps/resolution/requirement.js";

describe("a requirement", () => {
  test("is read in its parts, as old and new metadata write it", () => {
    expect(parseRequirement("Probe.Name[socks, http_2] (>=2, <3) ; python_version > '3'")).toEqual({
      text: "Probe.Name[socks,http-2]>=2,<3",
      name: "probe-name",
      extras: ["socks", "http-2"],
      versions: ">=2,<3",
      marker: "python_version > '3'",
    });
    expect(parseRequirement("a")).toEqual({ text: "a", name: "a", extras: [], versions: "", marker: "" });
    expect(parseRequirement("a~=1.4.2,!=1.4.4")?.versions).toBe("~=1.4.2,!=1.4.4");
  });

  test.each(["", "-a", "a @ file:///tmp/a.whl", "a>=x y", "[socks]", "a >> 2"])("is not %j", (line) => {
    expect(parseRequirement(line)).toBeNull();
  });
});

describe("a marker", () => {
  test.each([
    ["", true],
    ['python_version >= "3.8"', true],
    ['python_version < "3.9"', false],
    ['python_version >= "3.9" and python_version < "3.10"', false],
    ['python_version == "3.14.*"', true],
    ['python_version ~= "3.8"', true],
    ['python_full_version < "3.14.0"', false],
    ['"3.10" <= python_version', true],
    ['sys_platform == "emscripten"', true],
    ['sys_platform != "win32" and (os_name == "posix" or extra == "x")', true],
    ['extra == "x"', false],
    ['sys_platform not in "win32 cygwin"', true],
    ['"win" in sys_platform', false],
    ["implementation_name == 'cpython'", true],
    ["platform_machine == 'x86_64' or platform_python_implementation == 'PyPy'", false],
    ["os.name == 'nt'", false],
    ["no sense", true],
    ["unknown_name == '1'", true],
    ["(os_name == 'nt'", true],
    ["__proto__ == '1'", true],
  ])("%s is %s", (marker, holds) => {
    expect(markerHolds(marker, [])).toBe(holds);
  });

  test("of an optional part holds where that is wanted, in any spelling", () => {
    expect(markerHolds('extra == "HTTP_2"', ["socks", "http-2"])).toBe(true);
    expect(markerHolds('extra == "http2" and os_name == "nt"', ["http2"])).toBe(false);
  });
});
