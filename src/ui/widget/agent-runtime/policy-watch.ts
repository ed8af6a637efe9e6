import type { AgentOutcome } from "../agent-parts.js";

/** Hears whether the policy of the site, and not the network, keeps the page from a model's server: both look the same to who asks. */
export class PolicyWatch {
  readonly #origin: string;
  #isBlocked = false;

  constructor(baseURL: string) {
    this.#origin = new URL(baseURL).origin;
    document.addEventListener("securitypolicyviolation", this.#hear);
  }

  /** What to tell of a server that could not be reached; null where the policy had no part in it. */
  get outcome(): AgentOutcome | null {
    if (!this.#isBlocked) return null;
    const message =
      `The Content Security Policy of this site blocks ${this.#origin}. Its connect-src has to allow it; ` +
      "only the author of the site can do that.";
    return { kind: "failed", message, isOfModel: true };
  }

  end(): void {
    document.removeEventListener("securitypolicyviolation", this.#hear);
  }

  readonly #hear = ({ blockedURI, effectiveDirective, disposition }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective !== "connect-src" || disposition === "report") return;
    if (URL.canParse(blockedURI) && new URL(blockedURI).origin === this.#origin) this.#isBlocked = true;
  };
}
