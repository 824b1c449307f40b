import { translated } from '../../languages/catalog.ts'
import { formatCount, formatNoun } from '../../ui/formats.ts'

/** Messages of Settings > Keys. */
export const messages = translated('keys', {
  // The list
  title: 'Keys',
  about:
    'Agents and programs use a key to access your memory. Give each its own key so you can limit or revoke it separately.',
  newKey: 'New key',
  loadingKeys: 'Loading keys',
  keyCount: (count: number, most: number) => `${formatCount(count)} of ${formatNoun(most, 'key')}`,
  ownersOnly: (account: string) => `Only owners of ${account} can create, regenerate and revoke keys.`,
  keyLimit: (most: number) =>
    `You've reached the limit of ${formatNoun(most, 'key')}. Revoke a key you no longer use to create another.`,
  planNeeded: 'You need a plan to create more keys.',
  pastDue: 'Payment is overdue. All keys are blocked until it is settled.',
  askAdmin: 'Ask an administrator of this server.',
  choosePlan: 'Choose a plan',
  openBilling: 'Open billing',
  defaultKey: 'Default',
  created: 'Created',
  neverUsed: 'Never used',
  lastUsed: 'Last used',
  regenerate: 'Regenerate',
  regenerateNamed: (name: string) => `Regenerate ${name}`,
  revoke: 'Revoke',
  revokeNamed: (name: string) => `Revoke ${name}`,
  allSources: 'All sources',
  noSources: 'No sources',
  sources: 'Sources',
  regenerateTitle: (name: string) => `Regenerate ${name}?`,
  regenerateAbout:
    'The key gets a new value and the old one stops working immediately. Update everything that uses it.',
  regenerateOwnMachine:
    'The recalld command and its MCP server on this machine update automatically if they use this key.',
  regenerateKey: 'Regenerate key',
  revoked: (name: string) => `${name} revoked`,
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeAbout:
    "Everything that uses this key loses access immediately. You can't undo this. Items uploaded with it stay.",
  revokeKey: 'Revoke key',
  neverUsedSentence: 'It was never used.',
  lastUsedSentence: 'It was last used',

  // Connected agents
  agents: 'Connected agents',
  agentsAbout: 'Agents that you connected by signing in here from the agent. They need no key.',
  noAgents: 'No connected agents. To connect one, add this server in the agent:',
  loadingAgents: 'Loading connected agents',
  mayRead: 'Can read',
  mayWrite: 'Can read and write',
  describedBy: (host: string) => `from ${host}`,
  connectedBy: (person: string) => `Connected by ${person}`,
  untilDay: (day: string) => `until ${day}`,
  untilRevoked: 'until revoked',
  revokeAgentAbout:
    'The agent loses access immediately. You can connect it again from the agent. What it stored in your memory stays.',

  // A new key
  newKeyAbout: 'You can only see its value once, right after you create it.',
  name: 'Name',
  nameAbout: 'The agent or program that uses it, for example cursor-laptop.',
  createKey: 'Create key',
  billingNeeded: 'You need an active plan to create more keys. Plans are free on this server.',
  allSourcesAbout: 'Everything in your memory, including sources you connect later.',
  specificSources: 'Specific sources',
  specificSourcesAbout: 'Only the sources you select.',
  noSourcesAbout: "The key is valid but can't access anything.",
  accessTitle: 'Access',
  accessFixed: "You can't change this later. Create another key for different access.",
  searchSources: 'Search sources',
  selectedCount: (count: number) => `${formatNoun(count, 'source')} selected`,
  clear: 'Clear',
  noMatches: 'No matching sources',

  // The value of a key
  keyTitle: (name: string) => `Key ${name}`,
  keyAbout: "Copy it now. You won't be able to see it again. If you lose it, regenerate it.",
  hide: 'Hide',
  show: 'Show',
  copyKey: 'Copy key',
  keySaved: "I've saved the key",
  programs: 'Programs',
  copyStep: (step: string) => `Copy: ${step}`,

  // Set-up of programs
  inTerminal: 'In a terminal:',
  inTerminalOnce: 'In a terminal, once for all projects:',
  claudeCodeCheck: 'Start a new session and run /mcp to check the connection. The key is stored in ~/.claude.json.',
  claudeDesktopInstall:
    'On the machine that runs Claude Desktop, with recalld installed. This adds "recalld" to claude_desktop_config.json:',
  claudeDesktopKey: 'To use this key instead of the one stored on that machine, add this to the entry, after "args":',
  claudeDesktopRestart: "Quit Claude Desktop and reopen it. Closing the window isn't enough.",
  cursorFile: 'In ~/.cursor/mcp.json, for all projects:',
  cursorRestart: 'Restart Cursor. Its settings list recalld under MCP servers.',
  keyPrompt: 'recalld key',
  vscodeFile: 'In the file that "MCP: Open User Configuration" opens:',
  vscodePrompt: 'VS Code asks for the key once and stores it:',
  codexFile: 'In ~/.codex/config.toml:',
  codexProfile: 'In the environment that starts Codex, for example your shell profile:',
  typescriptFile: 'In recall.ts, for Node.js 24, Deno or Bun, without any packages:',
  typescriptRun: 'Run it with the key in its environment:',
  groups: {
    files: 'Files and notes',
    mail: 'Mail, calendar and people',
    chat: 'Chat and meetings',
    code: 'Code and agents',
    tasks: 'Tasks',
    life: 'Web and life',
  },
} as const)
