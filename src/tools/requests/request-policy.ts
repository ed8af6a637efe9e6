/** What holds for every request of a tool; what becomes of a redirect is the sender's to say. */
export const requestPolicy = {
  credentials: "omit",
  referrerPolicy: "no-referrer",
  // A call is a call. Chromium would also make equal requests wait for each other, for the sake of its cache.
  cache: "no-store",
} as const satisfies RequestInit;
