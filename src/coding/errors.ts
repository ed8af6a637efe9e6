import { VitrineError } from "../protocol/index.js";

/** Tests came to no result: they took too long, or could not be begun. */
export class TestsNotRunError extends VitrineError {
  override readonly name = "TestsNotRunError";
  readonly code = "TESTS_NOT_RUN";

  constructor(why: string, { timedOut, timeout }: { readonly timedOut: boolean; readonly timeout: number }) {
    super(
      timedOut
        ? `The tests did not end within ${String(timeout)} ms. Run fewer of them, or raise timeout_ms.`
        : `The tests did not run: ${why}`,
    );
  }
}
