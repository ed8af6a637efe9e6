import { MailboxWriter, type SentEvent } from "../protocol/index.js";

/** Where events go for a worker that hears no messages while it waits. */
export interface Outbox {
  /** Events arrive in the order they were sent. */
  send(event: SentEvent): void;
  /** The worker says that it has read the mail of this number. */
  taken(mail: number): void;
  /** Lets go of what was not read: the worker is gone, or listens elsewhere. */
  close(): void;
}

/** For a worker that sleeps in shared memory. */
export function sharedMemoryOutbox(mailbox: SharedArrayBuffer): Outbox {
  const writer = new MailboxWriter(mailbox);
  return {
    send: (event) => {
      writer.send(event);
    },
    // The mailbox itself tells when it is empty.
    taken: () => undefined,
    close: () => {
      writer.close();
    },
  };
}
