/** How many entries beside files are listed: empty folders, links. */
export const MOST_UNSTORED = 1000;

/** How many files one message of the worker may bring, and how many complaints about files. */
export const MOST_FILES = 10_000;
export const MOST_FILE_PROBLEMS = 1000;
