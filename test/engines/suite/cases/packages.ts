import { differ, type PageCase } from "../engine-case.js";

/** The wheels of test/wheels, which the suite's site serves beside its page. */
const published = new URL(".", location.href).href;

export const packageCases: readonly PageCase[] = [
  {
    id: "packages-1",
    title: "wheels with compiled code are installed from a folder of the site, and run",
    inChromium: "session/compiled-packages.test.ts",
    run: async (open) => {
      const session = await open({ packages: [{ folder: published }], deps: ["xxhash"] });
      try {
        const { value, error } = await session.run(
          [
            "deps.add('msgpack')",
            "deps.add('pydantic')",
            "import msgpack, pydantic, xxhash",
            "model = pydantic.create_model('Model', number=int)",
            "packed = msgpack.packb(model(number='5').model_dump())",
            "[xxhash.xxh64(b'').hexdigest(), msgpack.unpackb(packed), msgpack.Packer.__module__]",
          ].join("\n"),
        );
        const expected = ["ef46db3751d8e999", { number: 5 }, "msgpack._cmsgpack"];
        return [
          ...differ("the error", error === null ? null : String(error), null),
          ...differ("the value", value, expected),
        ];
      } finally {
        await session.close();
      }
    },
  },
];
