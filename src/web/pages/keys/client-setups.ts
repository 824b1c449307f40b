import { messages } from './messages.ts'
export interface ClientSetup {
  readonly id: string
  readonly title: string
  readonly steps: readonly { readonly text: string; readonly code: string }[]
  readonly note?: string
}

export interface ClientAccess {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly key: string
}

const QUESTION = 'what I decided about the launch'

/** Set-up instructions per program, with commands and files to copy. */
export function clientSetups(access: ClientAccess): readonly ClientSetup[] {
  return [
    curl(access),
    claudeCode(access),
    claudeDesktop(access),
    cursor(access),
    vscode(access),
    codex(access),
    typescript(access),
  ]
}

function curl({ baseUrl, key }: ClientAccess): ClientSetup {
  const code = `curl '${baseUrl}/v1/memories/recall' \\\n  -H 'x-api-key: ${key}' \\\n  -F 'text=${QUESTION}'`
  return { id: 'curl', title: 'curl', steps: [{ text: messages.inTerminal, code }] }
}

function claudeCode({ baseUrl, key }: ClientAccess): ClientSetup {
  const code = `claude mcp add --transport http --scope user recalld '${baseUrl}/mcp' --header 'x-api-key: ${key}'`
  return {
    id: 'claude-code',
    title: 'Claude Code',
    steps: [{ text: messages.inTerminalOnce, code }],
    note: messages.claudeCodeCheck,
  }
}

/** Its file accepts only commands, not URLs. */
function claudeDesktop({ baseUrl, key }: ClientAccess): ClientSetup {
  const env = json({ RECALLD_URL: baseUrl, RECALLD_API_KEY: key })
  return {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    steps: [
      {
        text: messages.claudeDesktopInstall,
        code: 'recalld install-agent claude-desktop',
      },
      {
        text: messages.claudeDesktopKey,
        code: `"env": ${env}`,
      },
    ],
    note: messages.claudeDesktopRestart,
  }
}

function cursor({ baseUrl, key }: ClientAccess): ClientSetup {
  const code = json({ mcpServers: { recalld: { url: `${baseUrl}/mcp`, headers: { 'x-api-key': key } } } })
  return {
    id: 'cursor',
    title: 'Cursor',
    steps: [{ text: messages.cursorFile, code }],
    note: messages.cursorRestart,
  }
}

function vscode({ baseUrl, key }: ClientAccess): ClientSetup {
  const input = { type: 'promptString', id: 'recalld-key', description: messages.keyPrompt, password: true }
  const server = { type: 'http', url: `${baseUrl}/mcp`, headers: { 'x-api-key': `\${input:${input.id}}` } }
  return {
    id: 'vscode',
    title: 'VS Code',
    steps: [
      {
        text: messages.vscodeFile,
        code: json({ inputs: [input], servers: { recalld: server } }),
      },
      { text: messages.vscodePrompt, code: key },
    ],
  }
}

function codex({ baseUrl, key }: ClientAccess): ClientSetup {
  return {
    id: 'codex',
    title: 'Codex',
    steps: [
      {
        text: messages.codexFile,
        code: `[mcp_servers.recalld]\nurl = "${baseUrl}/mcp"\nbearer_token_env_var = "RECALLD_API_KEY"`,
      },
      {
        text: messages.codexProfile,
        code: `export RECALLD_API_KEY='${key}'`,
      },
    ],
  }
}

function typescript({ baseUrl, key }: ClientAccess): ClientSetup {
  const code = `const form = new FormData()
form.set('text', '${QUESTION}')
const response = await fetch('${baseUrl}/v1/memories/recall', {
  method: 'POST',
  headers: { 'x-api-key': process.env.RECALLD_API_KEY ?? '' },
  body: form,
})
if (!response.ok) throw new Error(await response.text())
console.log(await response.json())`
  return {
    id: 'typescript',
    title: 'TypeScript',
    steps: [
      { text: messages.typescriptFile, code },
      { text: messages.typescriptRun, code: `RECALLD_API_KEY='${key}' node recall.ts` },
    ],
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
