/** The executor worker, bundled by worker/vite-plugin-executor-worker.ts. */
declare module "virtual:executor-worker" {
  /** The text of one classic script that imports nothing. */
  const source: string;
  export default source;
}
