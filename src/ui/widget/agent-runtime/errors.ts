import { VitrineError } from "../../../protocol/index.js";

/** A text of the site cannot be had, or is none that is known here. */
export class SiteTextError extends VitrineError {
  override readonly name = "SiteTextError";
  readonly code = "SITE_TEXT";

  constructor(
    readonly url: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The text of this site at ${url} cannot be used: ${reason}.`, options);
  }
}

/** The session under an agent's task was reset or closed: its variables are gone, and so the task has ended. */
export class AgentSessionEndedError extends VitrineError {
  override readonly name = "AgentSessionEndedError";
  readonly code = "AGENT_SESSION_ENDED";

  constructor(
    /** Null where it was the agent's own. */
    readonly session: string | null,
  ) {
    const which = session === null ? "The agent's Python" : `The session “${session}”`;
    super(`${which} was restarted or ended while the agent worked, so that it had to stop. Ask again to begin afresh.`);
  }
}
