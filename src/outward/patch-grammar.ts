/**
 * What a patch looks like, for servers that hold their models to a grammar, in the syntax of Lark: stricter than what
 * `apply_patch` reads, and never what it refuses by its form.
 */
export const PATCH_GRAMMAR = `start: begin hunk+ end
begin: "*** Begin Patch" LF
end: "*** End Patch" LF?
hunk: add | delete | update
add: "*** Add File: " PATH LF added*
added: ADDED LF
delete: "*** Delete File: " PATH LF
update: "*** Update File: " PATH LF move? first chunk*
move: "*** Move to: " PATH LF
first: head? body
chunk: head body
head: "@@" LF | "@@ " CONTEXT LF
body: line+ eof?
line: LINE LF
eof: "*** End of File" LF
PATH: /[^\\n]+/
CONTEXT: /[^\\n]+/
ADDED: /\\+[^\\n]*/
LINE: /[ +-][^\\n]*/
LF: "\\n"
`;
