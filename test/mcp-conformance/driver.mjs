// The command that the conformance suite runs as its client: hands the scenario to the page and waits for its end.
// Arguments: the address of ../servers/mcp/conformance-suite.ts, and of the scenario's server.

const [suite, serverUrl] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context } = process.env;
const answer = await fetch(`${suite}/client`, {
  method: "POST",
  body: JSON.stringify({ scenario, serverUrl, context: context === undefined ? {} : JSON.parse(context) }),
});
const { error } = await answer.json();
if (error !== null) console.error(error);
process.exitCode = error === null ? 0 : 1;
