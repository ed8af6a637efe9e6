import { createHash, randomUUID } from "node:crypto";

/**
 * An OAuth 2.1 authorization server for the resource `/guarded/mcp` beside it. A person who visits its page chooses what it
 * sends them back with. For a script it agrees to everything: what a person would be redirected to is the text of its
 * answer, since a page cannot see a redirect. Logged are `register`,
 * `authorize`, `token <grant>` and `refuse`, for a request without a token of its own.
 */
export class AuthorizationSite {
  readonly #log: string[];
  readonly #challenges = new Map<string, string>();
  readonly #tokens = new Set<string>();

  constructor(log: string[]) {
    this.#log = log;
  }

  /** Undefined when the request may pass. */
  async answer(request: Request, origin: string): Promise<Response | undefined> {
    const { pathname, searchParams } = new URL(request.url);
    switch (pathname) {
      case "/.well-known/oauth-protected-resource/guarded/mcp":
        return Response.json({ resource: `${origin}/guarded/mcp`, authorization_servers: [origin] });
      case "/.well-known/oauth-authorization-server":
        return Response.json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
        });
      case "/register": {
        this.#log.push("register");
        const metadata = (await request.json()) as object;
        return Response.json({ ...metadata, client_id: "the-page" }, { status: 201 });
      }
      case "/authorize": {
        this.#log.push("authorize");
        const code = randomUUID();
        this.#challenges.set(code, searchParams.get("code_challenge") ?? "");
        const state = searchParams.get("state") ?? "";
        const back = (answer: Readonly<Record<string, string>>): string => {
          const url = new URL(searchParams.get("redirect_uri") ?? "");
          for (const [name, value] of Object.entries({ state, ...answer })) url.searchParams.set(name, value);
          return url.href;
        };
        if (request.headers.get("sec-fetch-mode") !== "navigate") return new Response(back({ code }));
        return loginPage({
          Agree: back({ code }),
          Refuse: back({ error: "access_denied", error_description: "Not today.\u202e" }),
          "Answer another login": back({ code, state: "of-another" }),
        });
      }
      case "/token":
        return this.#token(new URLSearchParams(await request.text()));
      case "/guarded/mcp":
        return this.#guard(request, origin);
      default:
        return new Response(null, { status: 404 });
    }
  }

  revoke(): void {
    this.#tokens.clear();
  }

  #token(form: URLSearchParams): Response {
    this.#log.push(`token ${String(form.get("grant_type"))}`);
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (this.#challenges.get(form.get("code") ?? "") !== verifier) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    const token = `access-${randomUUID()}`;
    this.#tokens.add(token);
    return Response.json({ access_token: token, token_type: "Bearer", expires_in: 3600 });
  }

  #guard(request: Request, origin: string): Response | undefined {
    const token = (request.headers.get("authorization") ?? "").replace("Bearer ", "");
    if (this.#tokens.has(token)) return undefined;
    this.#log.push("refuse");
    const metadata = `${origin}/.well-known/oauth-protected-resource/guarded/mcp`;
    return new Response(null, {
      status: 401,
      headers: { "www-authenticate": `Bearer resource_metadata="${metadata}"` },
    });
  }
}

/** As a careful site sends it: what opened it does not hear of it any more. */
function loginPage(links: Readonly<Record<string, string>>): Response {
  const list = Object.entries(links).map(
    ([label, url]) => `<p><a href="${url.replaceAll("&", "&amp;")}">${label}</a></p>`,
  );
  return new Response(`<!doctype html><html lang="en"><title>Log in</title><h1>Log in</h1>${list.join("")}</html>`, {
    headers: { "content-type": "text/html", "cross-origin-opener-policy": "same-origin" },
  });
}
