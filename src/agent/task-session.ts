/** The task that a session is opened for. */
export interface OpeningTask {
  readonly taskId: string;
}

/** Opens a session for one task. One that is taken up again has the id that it had. */
export type SessionOpener<S> = (task: OpeningTask) => Promise<S>;

/** The session of a task: asked for when it begins, let go of when it ends. */
export interface TaskSession<S> {
  /** Asked for once, when the task begins. */
  readonly openSession: () => Promise<S>;
  /** Called at the end of the task, also of one whose session did not open. */
  readonly closeSession: () => Promise<void>;
}

/** A session that was handed in stays as it is. */
export function givenSession<S>(session: S): TaskSession<S> {
  return { openSession: () => Promise.resolve(session), closeSession: () => Promise.resolve() };
}

/** A session that is opened for the task is closed with it. */
export function ownedSession<S extends { close(): Promise<void> }>(
  open: SessionOpener<S>,
  task: OpeningTask,
): TaskSession<S> {
  let opening: Promise<S> | undefined;
  let opened: S | undefined;
  return {
    openSession: async () => {
      opening = open(task);
      opened = await opening;
      return opened;
    },
    closeSession: async () => {
      if (opened !== undefined) await opened.close();
      // Stopped before it was open: it is closed as soon as it is, and nobody waits for that.
      else void opening?.then((late) => late.close()).catch(() => undefined);
    },
  };
}
