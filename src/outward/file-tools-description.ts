/** What an MCP client says to its model of the tools on files. */
export function fileToolsDescription(tools: readonly { readonly name: string }[]): string {
  const hasShell = tools.some(({ name }) => name === "shell" || name === "shell_command");
  const commands = hasShell
    ? " Commands run in a shell of the page's, which has the usual commands for files and text and starts no other program."
    : "";
  return (
    "The tools on files work on /workspace, the files of a web page; there is no other disk. Paths are absolute, or " +
    `relative to /workspace where a tool says so.${commands} A person may be asked before a call is made.`
  );
}
