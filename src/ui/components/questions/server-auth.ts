import { McpUnauthorizedError } from "../../../tools/index.js";
import type { ServerAuth } from "../../state/session/server-logins.js";
import { logIn } from "./login-dialog.js";

/** Logs in by a dialog where the user waits for the tool, else by a button beside it. */
export const serverAuth: ServerAuth = ({ tool, url }, logins) => {
  const loginPage = new URL("login.html", document.baseURI).href;
  return Promise.resolve({
    redirectUrl: loginPage,
    authorize: async (address, signal) => {
      if (logins.isAwaited(tool)) return logIn({ tool, url, address, signal }, loginPage);
      logins.want(tool);
      throw new McpUnauthorizedError(tool, "its server wants the user to log in: there is a button for it under Tools");
    },
    store: {
      load: () => {
        const kept = logins.kept.get(tool);
        // A tool of the same name may be another server's.
        return Promise.resolve(kept?.url === url ? kept.text : undefined);
      },
      save: (text) => {
        logins.kept.set(tool, { url, text });
        return Promise.resolve();
      },
    },
  });
};
