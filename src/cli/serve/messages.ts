import { counted } from '../terminal/layout.ts'

/** Messages of `up`, `mcp` and `demo`. */
export const messages = {
  // The service
  up: 'start the service; the first start creates an account and prints its key',
  upExample: 'recalld up --port 8080 --log-level warn',
  defaultValue: (about: string, value: string) => `${about} Default: ${value}.`,
  acceptDatabase: "accept the current database even if it's new, a different one, or lost its latest changes",
  stoppedEarly: (signal: string) => `${signal}: stopped before it was ready.`,
  stopping: (signal: string) => `${signal}: finishing what is running. A second signal stops at once.`,
  running: (where: string, home: string) => `recalld is running ${where}. Home: ${home}`,
  at: (address: string) => `at ${address}`,
  atBoth: (address: string, baseUrl: string) => `at ${address}, for others at ${baseUrl}`,
  withoutApi: (roles: readonly string[]) => `as ${roles.join(' and ')}, without the API`,
  app: (baseUrl: string) => `The app: ${baseUrl}/app`,
  agents: (baseUrl: string) => `Agents: ${baseUrl}/mcp`,
  firstStart: (user: string) => `This is the first start. Created an account for ${user}.`,
  keyIn: (file: string) => `Its default key is in ${file}.`,
  keyOnce: 'Its default key, shown only once:',
  tryApi: 'Upload a file, recall it a moment later, and ask about it:',
  tryCommands: 'Or use this command line, which finds the key automatically: recalld memorize README.md',
  signUp: 'Nobody has signed up yet. Run "recalld people invite --owner" to get a sign-up link.',
  openApp: (link: string) => `Open the app: ${link}`,
  modelOffer: (name: string, megabytes: number) =>
    `Optional, for English text: "recalld models add ${name}" finds more that is worded differently from your question (${megabytes} MB to download, about 260 MB of memory).`,
  linkTerms: 'This link works once, for 24 hours. The next start prints a new one.',

  // MCP
  mcp: 'run an MCP server on standard input and output, for an agent',
  mcpHelp: `
Agents start this themselves after you run:
  $ recalld install-agent claude-code

It needs a running service: "recalld up" on this machine, or the one at RECALLD_URL.`,

  // The demo
  demo: 'memorize samples, recall, ask and forget in a temporary home that is removed afterwards',
  demoStopped: (signal: string) => `${signal}: the demo was stopped and its home removed.`,
  demoEnded: 'The service was stopped and its home removed. Run "recalld up" to start your own.',
  demoRunning: (address: string) => `recalld is running at ${address} in a temporary home`,
  demoMemorize: (files: number) => `memorize ${files} files`,
  failed: (error: string | undefined) => `failed: ${error}`,
  memories: (memories: number) => counted(memories, 'memory', 'memories'),
  took: (ms: number) => `Finished in ${ms} ms.`,
  notProcessed: (item: string, seconds: number) => `${item} was not processed within ${seconds} seconds.`,
  demoRecall: (question: string) => `recall "${question}"`,
  demoRecallIn: (question: string, source: string) => `recall "${question}" in ${source}`,
  demoAsk: (question: string) => `ask "${question}"`,
  demoForget: (item: string) => `forget ${item}`,
  deleted: (memories: number) => `Deleted the file and ${counted(memories, 'memory', 'memories')}.`,
} as const
