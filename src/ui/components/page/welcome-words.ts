/** What the first screen says, before scripts have run (index.html) and after. */
export const WELCOME = {
  title: "An AI writes Python. Your browser runs it.",
  lead: "Give it a task: a model writes code, the code calls tools, and tables, charts and reports appear beside it. Python runs in this tab, in a sandbox without network access, and your files stay on this device.",
  file: "Try your own file",
  python: "Try Python",
  model: "Bring a model",
  tasks: "Recorded tasks",
  recorded:
    "No key needed: what the model says was recorded. The rest is real: the code, its tool calls and its results happen here, now. For questions of your own, bring a model.",
  own: "Your model answers these, or whatever you write below.",
} as const;
