import { request } from "node:http";

/** Sends commands of one WebDriver server. Not `fetch`, which gives up on an answer after five minutes. */
export class WebDriverClient {
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** @throws {Error} with the server's own words when the command failed. */
  async send(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<unknown> {
    const { value } = JSON.parse(await this.#exchange(method, path, body)) as { value: unknown };
    if (isFailure(value)) throw new Error(`WebDriver ${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }

  #exchange(method: string, path: string, body: object | undefined): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { "Content-Type": "application/json" };
      const sent = request({ host: "127.0.0.1", port: this.#port, method, path, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          resolve(Buffer.concat(parts).toString("utf8"));
        });
        response.on("error", reject);
      });
      sent.on("error", reject);
      sent.end(method === "POST" ? JSON.stringify(body ?? {}) : undefined);
    });
  }
}

function isFailure(value: unknown): value is { error: string; message: string } {
  return typeof value === "object" && value !== null && "error" in value && "message" in value;
}
