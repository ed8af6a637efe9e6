import type { FileRequest } from "../call/file-request.js";
import type { GenerationWork } from "../generation/generation-work.js";
import { makeImage, type MadeImage } from "../images/make-image.js";
import type { GenerationTelemetry } from "../outcome/telemetry.js";

export interface ImageOutcome {
  readonly made: MadeImage;
  readonly telemetry: GenerationTelemetry;
}

/** Has the image of one file made, if there is what makes images. */
export async function makeImageFile(request: FileRequest, work: GenerationWork): Promise<ImageOutcome> {
  const { signal, task, strike, options } = work;
  const { images, prices = {} } = options;
  const { path } = request;
  const arbiter = { used: false, model: null, reason: null };
  if (images === undefined) {
    const message = `Error generating image: ${path} cannot be made, since no model for images was given. Open the session with \`writeCode: { images: … }\`.`;
    const made = { kind: "failed", fault: { code: "IMAGE_FAILED", message }, warnings: [] } as const;
    return { made, telemetry: { path, attempts: [], retries: 0, chosen: null, arbiter, elapsed: 0 } };
  }
  const started = performance.now();
  const made = await makeImage(request, images, { signal, task, strike, prices: prices[images.name] });
  const elapsed = performance.now() - started;
  const attempt = {
    model: images.name,
    role: "candidate",
    attempt: 1,
    failure: made.kind === "failed" ? made.fault : null,
    elapsed,
    ...(made.kind === "image" && made.usage !== null ? made.usage : { inputTokens: 0, outputTokens: 0 }),
    isEstimated: false,
  } as const;
  const chosen = made.kind === "failed" ? null : images.name;
  return { made, telemetry: { path, attempts: [attempt], retries: 0, chosen, arbiter, elapsed } };
}
