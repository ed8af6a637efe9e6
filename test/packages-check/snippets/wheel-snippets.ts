import { lines, versionSnippet, type CheckedPackage } from "./snippet.js";

/** What test/wheels has. */
export const wheelPackages: readonly CheckedPackage[] = [
  {
    name: "xxhash",
    source: "wheels",
    module: "xxhash",
    snippets: [
      versionSnippet("xxhash", "import xxhash\nxxhash.VERSION"),
      {
        id: "xxhash-digest",
        title: "digests",
        code: lines("import xxhash", "[xxhash.xxh64(b'').hexdigest(), xxhash.xxh32(b'', seed=0).intdigest()]"),
        expected: { value: ["ef46db3751d8e999", 46947589] },
      },
    ],
  },
  {
    name: "msgpack",
    source: "wheels",
    module: "msgpack",
    snippets: [
      versionSnippet("msgpack", "import msgpack\n'.'.join(map(str, msgpack.version))"),
      {
        id: "msgpack-round",
        title: "packs and unpacks, in its compiled part",
        code: lines(
          "import msgpack",
          "packed = msgpack.packb({'a': [1, 2.5, None], 'ü': -1})",
          "[msgpack.Packer.__module__, msgpack.unpackb(packed)]",
        ),
        expected: { value: ["msgpack._cmsgpack", { a: [1, 2.5, null], ü: -1 }] },
      },
    ],
  },
  {
    name: "pydantic",
    source: "wheels",
    module: "pydantic",
    snippets: [
      versionSnippet("pydantic", "import pydantic\npydantic.VERSION"),
      {
        id: "pydantic-tool",
        title: "a model to a tool",
        code: lines(
          "import pydantic",
          "City = pydantic.create_model('City', name=str, celsius=float)",
          "tools.take(value=City(name='Oslo', celsius='7.5'))",
          "None",
        ),
        expected: { taken: [{ name: "Oslo", celsius: 7.5 }] },
      },
      {
        id: "pydantic-invalid",
        title: "what is wrong with a value",
        code: lines(
          "import pydantic",
          "try:",
          "    pydantic.TypeAdapter(list[int]).validate_python([1, 'x'])",
          "except pydantic.ValidationError as error:",
          "    found = [[list(each['loc']), each['type']] for each in error.errors()]",
          "found",
        ),
        expected: { value: [[[1], "int_parsing"]] },
      },
    ],
  },
  {
    name: "attrs",
    source: "wheels",
    module: "attrs",
    snippets: [
      versionSnippet("attrs", "import attrs, importlib.metadata\nimportlib.metadata.version('attrs')"),
      {
        id: "attrs-class",
        title: "a class, its repr and its dict",
        code: lines(
          "import attrs",
          "@attrs.define",
          "class Point:",
          "    x: int",
          "    y: int = 2",
          "[repr(Point(1)), attrs.asdict(Point(1))]",
        ),
        expected: { value: ["Point(x=1, y=2)", { x: 1, y: 2 }] },
      },
    ],
  },
  {
    name: "packaging",
    source: "wheels",
    module: "packaging.version",
    snippets: [
      versionSnippet("packaging", "import packaging\npackaging.__version__"),
      {
        id: "packaging-specifier",
        title: "versions and specifiers",
        code: lines(
          "from packaging.specifiers import SpecifierSet",
          "from packaging.version import Version",
          "[Version('1.10') > Version('1.9'), '2.1' in SpecifierSet('>=2,<3')]",
        ),
        expected: { value: [true, true] },
      },
    ],
  },
  {
    name: "tzdata",
    source: "wheels",
    module: "tzdata",
    snippets: [
      versionSnippet("tzdata", "import tzdata\ntzdata.__version__"),
      {
        id: "tzdata-zoneinfo",
        title: "zoneinfo finds its zones",
        code: lines(
          "from datetime import datetime",
          "from zoneinfo import ZoneInfo",
          "[datetime(2026, month, 1, tzinfo=ZoneInfo('Europe/Oslo')).isoformat() for month in (1, 7)]",
        ),
        expected: { value: ["2026-01-01T00:00:00+01:00", "2026-07-01T00:00:00+02:00"] },
      },
    ],
  },
  {
    name: "pytest",
    source: "wheels",
    module: "pytest",
    snippets: [
      versionSnippet("pytest", "import pytest\npytest.__version__"),
      {
        id: "pytest-run",
        title: "runs a test file of /workspace",
        code: lines(
          "from pathlib import Path",
          "import pytest",
          "Path('/workspace/test_sums.py').write_text('''",
          "import pytest",
          "@pytest.mark.parametrize('a, b', [(1, 2), (2, 1)])",
          "def test_sum(a, b):",
          "    assert a + b == 3",
          "''')",
          "int(pytest.main(['-q', '-p', 'no:cacheprovider', '/workspace/test_sums.py']))",
        ),
        expected: { value: 0, printed: ["2 passed"] },
      },
    ],
  },
  {
    name: "ftfy",
    source: "wheels",
    module: "ftfy",
    snippets: [
      versionSnippet("ftfy", "import ftfy, importlib.metadata\nimportlib.metadata.version('ftfy')"),
      {
        id: "ftfy-fix",
        title: "mends a text that was decoded wrongly",
        code: lines("import ftfy", "ftfy.fix_text('âœ” No problems')"),
        expected: { value: "✔ No problems" },
      },
    ],
  },
  {
    name: "pygments",
    source: "wheels",
    module: "pygments",
    snippets: [
      versionSnippet("pygments", "import pygments\npygments.__version__"),
      {
        id: "pygments-html",
        title: "highlights Python as HTML",
        code: lines(
          "from pygments import highlight",
          "from pygments.formatters import HtmlFormatter",
          "from pygments.lexers import PythonLexer",
          "'<span class=\"k\">def</span>' in highlight('def f(): pass', PythonLexer(), HtmlFormatter())",
        ),
        expected: { value: true },
      },
    ],
  },
];
