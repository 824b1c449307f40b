export interface ClientSetup {
  readonly id: string
  readonly title: string
  readonly steps: readonly { readonly text: string; readonly code: string }[]
  readonly note?: string
}

export interface ClientAccess {
  /** Where clients reach the service, without a slash at the end. */
  readonly baseUrl: string
  readonly key: string
}

const QUESTION = 'what I decided about the launch'

/** How programs are told of the memory and a key for it: commands and files that work as they stand. */
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
  return { id: 'curl', title: 'curl', steps: [{ text: 'In a terminal:', code }] }
}

function claudeCode({ baseUrl, key }: ClientAccess): ClientSetup {
  const code = `claude mcp add --transport http --scope user recalld '${baseUrl}/mcp' --header 'x-api-key: ${key}'`
  return {
    id: 'claude-code',
    title: 'Claude Code',
    steps: [{ text: 'In a terminal, once for all your projects:', code }],
    note: 'Start a new session; /mcp shows whether recalld is connected. The key then stands in ~/.claude.json.',
  }
}

/** Its file takes only programs to start, no addresses. */
function claudeDesktop({ baseUrl, key }: ClientAccess): ClientSetup {
  const env = json({ RECALLD_URL: baseUrl, RECALLD_API_KEY: key })
  return {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    steps: [
      {
        text: 'On the machine of Claude Desktop, with recalld installed there. It writes the entry "recalld" into claude_desktop_config.json:',
        code: 'recalld install-mcp claude-desktop',
      },
      {
        text: 'To use this key instead of the one that recalld keeps on that machine, add this to the entry, after "args":',
        code: `"env": ${env}`,
      },
    ],
    note: 'Quit Claude Desktop and start it again; closing its window leaves it running.',
  }
}

function cursor({ baseUrl, key }: ClientAccess): ClientSetup {
  const code = json({ mcpServers: { recalld: { url: `${baseUrl}/mcp`, headers: { 'x-api-key': key } } } })
  return {
    id: 'cursor',
    title: 'Cursor',
    steps: [{ text: 'In ~/.cursor/mcp.json, for all projects:', code }],
    note: 'Restart Cursor; its settings list recalld among the MCP servers.',
  }
}

function vscode({ baseUrl, key }: ClientAccess): ClientSetup {
  const input = { type: 'promptString', id: 'recalld-key', description: 'Key of recalld', password: true }
  const server = { type: 'http', url: `${baseUrl}/mcp`, headers: { 'x-api-key': `\${input:${input.id}}` } }
  return {
    id: 'vscode',
    title: 'VS Code',
    steps: [
      {
        text: 'In the file that "MCP: Open User Configuration" of the command palette opens:',
        code: json({ inputs: [input], servers: { recalld: server } }),
      },
      { text: 'VS Code asks for the key once, and stores it:', code: key },
    ],
  }
}

function codex({ baseUrl, key }: ClientAccess): ClientSetup {
  return {
    id: 'codex',
    title: 'Codex',
    steps: [
      {
        text: 'In ~/.codex/config.toml:',
        code: `[mcp_servers.recalld]\nurl = "${baseUrl}/mcp"\nbearer_token_env_var = "RECALLD_API_KEY"`,
      },
      {
        text: 'Where Codex is started, such as in the profile of your shell:',
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
      { text: 'In recall.ts, for Node.js 24, Deno or Bun; no package is needed:', code },
      { text: 'Run it with the key in its environment:', code: `RECALLD_API_KEY='${key}' node recall.ts` },
    ],
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
