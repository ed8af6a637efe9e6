import { expect, expectTypeOf, test } from "vitest";

import { checkArgument, optionCheck, OptionError, type OptionKinds } from "../../../src/options/index.js";

interface Bounds {
  readonly size?: number;
  readonly depth?: number;
}

interface Given {
  readonly storage: object | (() => object);
  readonly timeout?: number | null;
  readonly bounds?: Bounds;
}

const check = optionCheck<Given>("make", {
  storage: "object|function",
  timeout: "number|null?",
  bounds: { size: "number?", depth: "number?" },
});

function failure(given: unknown): unknown {
  try {
    check(given);
    return null;
  } catch (error) {
    return error;
  }
}

test("an unknown option is refused with the nearest name and all that there are", () => {
  const error = failure({ storage: {}, timout: 5 });

  expect(error).toBeInstanceOf(OptionError);
  expect(error).toMatchObject({
    code: "INVALID_OPTION",
    of: "make",
    option: "timout",
    meant: "timeout",
    accepted: ["storage", "timeout", "bounds"],
    message: "make: There is no option `timout`. Did you mean `timeout`? The options are storage, timeout, bounds.",
  });
  expect(failure({ storage: {}, bounds: { seize: 1 } })).toMatchObject({ option: "bounds.seize", meant: "size" });
  expect(failure({ storage: {}, anything: 1 })).toMatchObject({ option: "anything", meant: undefined });
});

test("a missing option and one of another kind say what is taken, and never what was given", () => {
  expect(failure(undefined)).toMatchObject({
    option: "storage",
    message: "make: `storage` is missing: it must be an object or a function.",
  });
  expect(failure({ storage: null })).toMatchObject({
    option: "storage",
    message: "make: `storage` must be an object or a function, not null.",
  });
  expect(failure({ storage: {}, timeout: "secret" })).toMatchObject({
    message: "make: `timeout` must be a number or null, not a string.",
  });
  expect(failure({ storage: {}, timeout: NaN })).toMatchObject({
    message: expect.stringContaining("not NaN") as string,
  });
  expect(failure({ storage: {}, bounds: [] })).toMatchObject({ option: "bounds" });
  expect(failure("storage")).toMatchObject({
    option: "options",
    message: "make: `options` must be an object, not a string.",
  });
  expect(() => {
    checkArgument("make", "name", undefined, "string");
  }).toThrow("make: `name` is missing: it must be a string.");
});

test("what fits is taken, options that are undefined included", () => {
  expect(failure({ storage: () => ({}), timeout: null, bounds: { depth: 1 } })).toBeNull();
  expect(failure({ storage: {}, timeout: undefined, bounds: undefined })).toBeNull();
});

test("a table that forgets an option, or a kind of value, does not compile", () => {
  const whole: OptionKinds<Given> = { storage: "function|object", timeout: "null|number?", bounds: "object?" };
  // @ts-expect-error -- bounds is forgotten
  const forgotten: OptionKinds<Given> = { storage: "function|object", timeout: "number|null?" };
  // @ts-expect-error -- storage may be a function
  const narrow: OptionKinds<Given> = { ...whole, storage: "object" };
  // @ts-expect-error -- storage is needed
  const optional: OptionKinds<Given> = { ...whole, storage: "object|function?" };
  // @ts-expect-error -- there is no such option
  const more: OptionKinds<Given> = { ...whole, other: "string?" };

  expectTypeOf(whole).toExtend<OptionKinds<Given>>();
  expect([forgotten, narrow, optional, more]).toHaveLength(4);
});
