import { VitrineError, type Value } from "../protocol/index.js";

/** There is no artifact of that name. */
export class ArtifactNotFoundError extends VitrineError {
  override readonly name = "ArtifactNotFoundError";
  readonly code = "ARTIFACT_NOT_FOUND";

  constructor(readonly artifactName: string) {
    super(`Artifact '${artifactName}' not found`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { artifact_name: this.artifactName };
  }
}

/** The artifacts have no more room for that one. In Python it is an `ArtifactError`. Nothing was changed. */
export class ArtifactsFullError extends VitrineError {
  override readonly name = "ArtifactsFullError";
  readonly code = "ARTIFACTS_FULL";

  constructor(
    readonly artifactName: string,
    /** Bytes. */
    readonly size: number,
    /** Bytes, or how many artifacts there may be. */
    readonly limit: number,
    of: "total" | "count",
  ) {
    const most = limit.toLocaleString("en-US");
    const reason = of === "total" ? `all artifacts together may have ${most} bytes` : `there may be ${most} artifacts`;
    super(
      `Artifact '${artifactName}' with ${size.toLocaleString("en-US")} bytes does not fit: ${reason}. ` +
        "Delete those that are not needed with `artifacts.delete`.",
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { artifact_name: this.artifactName, size: this.size, limit: this.limit };
  }
}

/** No artifact can have that name. In Python it is a `ValueError`. Nothing was read or changed. */
export class ArtifactNameError extends VitrineError {
  override readonly name = "ArtifactNameError";
  readonly code = "ARTIFACT_NAME";

  constructor(
    readonly artifactName: string,
    message: string,
  ) {
    super(message);
  }

  override details(): Readonly<Record<string, Value>> {
    return { artifact_name: this.artifactName };
  }
}

/** The data or metadata cannot be stored. In Python it is a `TypeError`. The artifact is as it was before. */
export class ArtifactDataError extends VitrineError {
  override readonly name = "ArtifactDataError";
  readonly code = "ARTIFACT_DATA";

  constructor(
    readonly artifactName: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`Artifact '${artifactName}' cannot be saved: ${reason}`, options);
  }

  override details(): Readonly<Record<string, Value>> {
    return { artifact_name: this.artifactName };
  }
}
