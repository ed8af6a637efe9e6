export const SHOWS: number;
export const ANSWERS: number;
export const RUN: number;
export const TEST: number;
export const LONG_TEST: number;
export const SUITE: number;
export const CLOSING: number;

interface Wait {
  readonly timeout: number;
  readonly interval: number;
}
export const untilShown: Wait;
export const untilAnswered: Wait;
