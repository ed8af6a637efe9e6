import type * as vitrine from "../../../src/index.js";

type Vitrine = typeof vitrine;

/** What the functions are called with, beside the option that there is not. */
export interface Parts {
  readonly vitrine: Vitrine;
  readonly session: vitrine.Session;
  readonly client: vitrine.SessionClient;
  readonly calls: vitrine.ClientCalls;
  readonly child: vitrine.ChildSession;
  readonly context: vitrine.ReactContext;
  readonly storage: vitrine.StorageBackend;
}

interface Row {
  /** The object whose method it is. Default: none. */
  readonly on?: object;
  /** What is given before the options. */
  readonly before?: readonly unknown[];
  /** Options that it cannot do without. */
  readonly needed?: object;
}

const model = { name: "none", kind: "recorded", complete: () => undefined };
const solver = { run: () => undefined };

/**
 * Every function of the package that takes options, and every method, by the name under which it is exported. A method
 * of `X` is `X#name`, a constructor `new X`.
 */
export const OPTION_TAKERS: Readonly<Record<string, (parts: Parts) => Row>> = {
  "ChildSession#check": ({ child }) => ({ on: child, before: ["1"] }),
  "ChildSession#client": ({ child }) => ({ on: child }),
  "ChildSession#openChild": ({ child }) => ({ on: child }),
  "ChildSession#openTrial": ({ child }) => ({ on: child }),
  "ChildSession#run": ({ child }) => ({ on: child, before: ["1"] }),
  "ClientCalls#call": ({ calls }) => ({ on: calls, before: ["none", {}] }),
  "ClientCalls#createSkill": ({ calls }) => ({ on: calls, before: [{ name: "none", source: "" }] }),
  "Codegen#run": ({ vitrine, session }) => ({
    on: new vitrine.Codegen({ session, model: vitrine.recordedModel({ transcripts: [] }) }),
    before: [{ outputContract: {}, instruction: "" }],
  }),
  "CodeAgent#run": ({ vitrine, session }) => ({
    on: new vitrine.CodeAgent({ session, model: vitrine.recordedModel({ transcripts: [] }) }),
    before: ["a task"],
  }),
  "CodeAgent#takeUp": ({ vitrine, session }) => ({
    on: new vitrine.CodeAgent({ session, model: vitrine.recordedModel({ transcripts: [] }) }),
    before: [{}],
  }),
  "DecisionLoop#run": ({ vitrine, session, context }) => ({
    on: new vitrine.DecisionLoop({ session, context, model: vitrine.recordedModel({ transcripts: [] }) }),
    before: [{ prompt: "a task" }],
  }),
  "Finalizer#set": ({ vitrine }) => ({ on: new vitrine.Finalizer(), before: [1] }),
  "Journal#list": ({ session }) => ({ on: session.journal }),
  "ReactAgent#run": ({ vitrine, session }) => ({
    on: new vitrine.ReactAgent({ session, model: vitrine.recordedModel({ transcripts: [] }) }),
    before: ["a task"],
  }),
  "ReactAgent#takeUp": ({ vitrine, session }) => ({
    on: new vitrine.ReactAgent({ session, model: vitrine.recordedModel({ transcripts: [] }) }),
    before: [{}],
  }),
  "ReactContext#bindParams": ({ context }) => ({ on: context, before: [{}, []] }),
  "ReactContext#mapSlots": ({ context }) => ({ on: context, before: [[]] }),
  "Session#check": ({ session }) => ({ on: session, before: ["1"] }),
  "Session#client": ({ session }) => ({ on: session }),
  "Session#openChild": ({ session }) => ({ on: session }),
  "Session#openTrial": ({ session }) => ({ on: session }),
  "Session#run": ({ session }) => ({ on: session, before: ["1"] }),
  "Session.open": ({ vitrine, storage }) => ({ on: vitrine.Session, needed: { storage } }),
  "SessionArtifacts#save": ({ session }) => ({ on: session.artifacts, before: ["none.txt", ""] }),
  "SessionClient#callFileTool": ({ client }) => ({ on: client, before: ["none", {}] }),
  "SessionClient#callTool": ({ client }) => ({ on: client, before: ["none", {}] }),
  "SessionClient#openCalls": ({ client }) => ({ on: client }),
  "SessionClient#run": ({ client }) => ({ on: client, before: ["1"] }),
  "SessionClient#searchSkills": ({ client }) => ({ on: client, before: ["none"] }),
  "SessionClient#searchTools": ({ client }) => ({ on: client, before: ["none"] }),
  "SessionSkills#search": ({ session }) => ({ on: session.skills, before: ["none"] }),
  "SessionTools#addOpenApi": ({ session }) => ({ on: session.tools, before: ["{}"], needed: { name: "none" } }),
  "SessionTools#search": ({ session }) => ({ on: session.tools, before: ["none"] }),
  "SessionTools#whenKnown": ({ session }) => ({ on: session.tools, before: ["none"] }),
  "TaskStore#export": ({ vitrine, storage }) => ({ on: new vitrine.TaskStore(storage), before: ["none"] }),
  "TaskStore#load": ({ vitrine, storage }) => ({ on: new vitrine.TaskStore(storage), before: ["none"] }),
  "Workspace#write": ({ session }) => ({ on: session.workspace, before: ["none.txt", ""] }),
  "Workspace#writeAll": ({ session }) => ({ on: session.workspace, before: [new Map()] }),
  "new CodeAgent": ({ session }) => ({ needed: { session, model } }),
  "new Codegen": ({ session }) => ({ needed: { session, model } }),
  "new DecisionLoop": ({ session, context }) => ({ needed: { session, context, model } }),
  "new ReactAgent": ({ session }) => ({ needed: { session, model } }),
  "new TaskStore": ({ storage }) => ({ before: [storage] }),
  agentTool: ({ session }) => ({
    needed: { name: "none", description: "", session, agent: () => solver, storage: "parent" },
  }),
  aiSdkFileTools: ({ session }) => ({ before: [session] }),
  aiSdkTool: ({ session }) => ({ before: [session] }),
  auditMiddleware: () => ({}),
  cacheResults: () => ({}),
  codegenTool: ({ session }) => ({ needed: { session, model } }),
  codingAgent: ({ session }) => ({ needed: { session, model } }),
  countTokens: () => ({ before: [[]] }),
  executeCodeTool: ({ session }) => ({ needed: { session } }),
  fileToolFunctions: ({ session }) => ({ before: [session] }),
  functionTool: () => ({ needed: { name: "none", description: "", input: {}, run: () => null } }),
  httpTool: () => ({ before: [{ name: "none", recipes: [] }] }),
  indexedDBStorage: () => ({ before: ["none"] }),
  mcpTool: () => ({ needed: { name: "none", url: "/none" } }),
  memoryStorage: () => ({}),
  openApiTools: () => ({ before: ["{}"], needed: { name: "none" } }),
  openContext: ({ storage }) => ({ needed: { storage, id: "none" } }),
  openaiImages: () => ({ needed: { baseURL: "https://example.org/v1", model: "none" } }),
  openaiModel: () => ({ needed: { baseURL: "https://example.org/v1", model: "none" } }),
  provideWebMcp: ({ session }) => ({ before: [session, {}] }),
  pruneOldObservations: () => ({}),
  pyrightTypeChecker: () => ({ needed: { worker: "/none.js" } }),
  recordedModel: () => ({ needed: { transcripts: [] } }),
  replayTask: () => ({ before: [{ events: [] }] }),
  rerunTask: () => ({ before: [{ events: [], before: [] }, () => solver] }),
  retryCalls: () => ({}),
  runCodeFunction: ({ session }) => ({ before: [session] }),
  runPythonFunction: ({ session }) => ({ before: [session] }),
  serveMcp: ({ session }) => ({ before: [session, new MessageChannel().port1] }),
  writeCodeTool: ({ session }) => ({ needed: { session, models: [] } }),
  validateContent: () => ({ before: ["text"] }),
};
