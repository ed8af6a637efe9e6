/** From a line of code to ten steps of work on data from several tools. */
export type Level = 1 | 2 | 3 | 4 | 5;
