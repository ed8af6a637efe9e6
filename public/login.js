// Where the login page of an MCP server sends the user back to. What it answered goes to the tab that began the login, by a
// channel of this origin: a login page may cut what ties its tab to the one that opened it, a channel it cannot.
// src/ui/state/session/login-answer.ts is the other end.

const { search, pathname } = location;
// The code is not kept in the history of the browser.
history.replaceState(null, "", pathname);

const answer = new URLSearchParams(search);
document.querySelector("#said").textContent = await said();
document.querySelector("h1").textContent = "You can close this tab";

async function said() {
  // As after a reload.
  if (!answer.has("code") && !answer.has("error")) return "There is no answer of a login page here any more.";
  const { held = [] } = await navigator.locks.query();
  const isAwaited = held.some(({ name }) => name === `vitrine-login:${answer.get("state")}`);
  new BroadcastChannel("vitrine-login").postMessage({ answer: search, isAwaited });
  if (!isAwaited) return "No tab of Vitrine waits for this login. Begin it again there.";
  if (answer.has("code")) return "Vitrine has the answer of the login page, and goes on in its own tab.";
  return "You were not logged in. Vitrine says why in its own tab.";
}
