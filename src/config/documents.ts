import { stringify } from 'yaml'
import { type SchemaField, schemaFields } from './field-schema.ts'
import { OIDC_SECTION } from './file-section.ts'
import { fileKey, flagName, type Setting, variableName } from './setting.ts'

type Settings = Readonly<Record<string, Setting<unknown>>>

/** What the page tells of a connector. */
export interface ConnectorDocument {
  readonly id: string
  readonly title: string
  readonly schedule: string
  /** What it reads, what it notices as removed, what it needs. */
  readonly item: string
  readonly removed: string
  readonly needs: string
  /** What it reads, the scopes that it asks for, what it goes on from, what limits it, what it was run against. */
  readonly api: string
  readonly scopes: readonly string[]
  readonly cursor: string
  readonly limits: string
  readonly verified: string
  /** How a deletion is noticed. */
  readonly deletions: 'feed' | 'inventory' | 'none'
  readonly fields: readonly SchemaField[]
}

/** What docs/connect/README.md tells of a provider. */
export interface ProviderDocument {
  readonly id: string
  readonly title: string
  /** Ids of the connectors of each consent. */
  readonly families: readonly (readonly string[])[]
  readonly usualWay: string
}

/** What the page tells of a kind of model. */
export interface ModelDocument {
  readonly kind: string
  /** Completes "`kind`: ...". */
  readonly purpose: string
  readonly fields: readonly SchemaField[]
}

const MODELS_EXAMPLE = `# Models that improve what recalld does without any; every setting stands in config/README.md of recalld,
# and docs/models.md shows how to set up each provider. "recalld doctor" tries them.
#models:
#  language:
#    provider: openai-compatible
#    model: qwen3:8b
#    url: http://127.0.0.1:11434/v1
`

const CONNECTORS_EXAMPLE = `# Sources that are read on a schedule: a list of connections for each connector.
# "recalld connect" helps to make one; every setting stands in config/README.md of recalld.
#connectors:
#  claude_code:
#    - name: me
#  technical_docs:
#    - name: docs
#      paths: [~/docs]
#      schedule: "*/15 * * * *"
`

const OIDC_EXAMPLE = `# A provider of OpenID Connect by which people may sign in to the app, beside passwords and passkeys.
#oidc:
#  issuer: https://login.example.org
#  client_id: recalld
#  client_secret: ${'$'}{OIDC_SECRET}
#  title: Example
`

const RETENTION_EXAMPLE = `# For how many days items of a source are kept; what is older is forgotten every day. Without a line a source is kept for good.
# "recalld retention --dry-run" tells what would go.
#retention:
#  browser: 90
#  slack: 730
`

/** A config.yaml in which every setting stands as a comment, with its default. */
export function commentedConfig(settings: Settings): string {
  const blocks = Object.entries(settings).map(([name, setting]) => {
    const value = setting.default === undefined ? '' : ` ${written(setting.default)}`
    const note = setting.defaultText === undefined ? '' : `\n# Default: ${setting.defaultText}.`
    return `# ${setting.describe}\n# Must be ${setting.expects}.${note}\n#${fileKey(name)}:${value}\n`
  })
  return [
    '# Settings of recalld. Remove the # before a setting to change it; the service reads this file when it starts.',
    '# Flags of "recalld up" go over environment variables, those over this file, and this file over the defaults.',
    `# ${'$'}{NAME} in a value stands for the environment variable NAME.`,
    '',
    ...blocks,
    CONNECTORS_EXAMPLE,
    MODELS_EXAMPLE,
    OIDC_EXAMPLE,
    RETENTION_EXAMPLE,
  ].join('\n')
}

/** config/README.md: every setting with its names, default and meaning, and those of every connector and model. */
export function settingsPage(
  settings: Settings,
  connectors: readonly ConnectorDocument[],
  models: readonly ModelDocument[],
): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const standard = setting.defaultText ?? code(written(setting.default))
    const names = [fileKey(name), variableName(name), flagName(name)].map(code).join('<br>')
    return `| ${names} | ${standard} | ${setting.describe} Must be ${setting.expects}. |`
  })
  return [
    '<!-- Written by `npm run docs:config` from src/config.ts, the connectors and the models. Change it there. -->',
    '',
    '# Settings',
    '',
    'Flags of `recalld up` go over environment variables, those over `config.yaml` in the home folder, and that over the',
    'defaults. A key in `config.yaml` that is not listed here is an error. In a value of `config.yaml`, a name in braces after',
    `a dollar sign, as in \`\${TOKEN}\`, stands for that environment variable. The first start writes a \`config.yaml\` with every`,
    'setting as a comment;',
    '`example.yaml` beside this page is the same file.',
    '',
    'The home folder is `RECALLD_HOME` (or `--home`), else `recalld` in the data folder of the platform:',
    '`$XDG_DATA_HOME` or `~/.local/share` on Linux, `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows.',
    'It holds `recalld.db` (everything, unless `database_url` is set), `config.yaml`, `secret.key` (see `secret_key_file`),',
    '`credentials.json` (address and default key, for the command line on this machine), `spool` (what connectors received and',
    'nobody memorized yet), `models` (what was downloaded from the Hugging Face hub), and what you put there.',
    'The command line reads `RECALLD_URL` and `RECALLD_API_KEY`, else `credentials.json`.',
    '',
    '| names | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
    ...connectorsChapter(connectors),
    ...modelsChapter(models),
    ...oidcChapter(),
    ...retentionChapter(),
  ].join('\n')
}

/** The generated table in docs/sources.md: each source with its items, default schedule and deletion rule. */
export function sourcesTable(connectors: readonly ConnectorDocument[]): string {
  const rows = connectors.map(
    ({ id, title, schedule, item, removed }) =>
      `| ${code(id)}<br>${title} | ${item} | ${frequency(schedule)} | ${removed} |`,
  )
  return ['| source | an item is | read every | removed |', '|---|---|---|---|', ...rows, ''].join('\n')
}

const NOTICED: Readonly<Record<ConnectorDocument['deletions'], string>> = {
  feed: 'reported by the source',
  inventory: 'found by comparing',
  none: 'not detected',
}

/** connectors/README.md, between two markers: what each connector reads and how, and what that was tried with. */
export function connectorsTable(connectors: readonly ConnectorDocument[]): string {
  const rows = connectors.map((one) => {
    const scopes = one.scopes.length === 0 ? '-' : one.scopes.map(code).join('<br>')
    const cells = [one.api, scopes, one.item, one.cursor, `${NOTICED[one.deletions]}: ${one.removed}`, one.limits]
    const columns = [code(one.id), ...cells, frequency(one.schedule), one.verified]
    return `| ${columns.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return [
    '| source | reads | scopes | an item is | cursor | deletions | limits | every | verified with |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** The table in docs/connect/README.md: what each provider gives access to, and how most people give it. */
export function providersTable(providers: readonly ProviderDocument[]): string {
  const rows = providers.map(({ id, title, families, usualWay }) => {
    const sources = families.map((connectors) => connectors.map(code).join(', ')).join('; ')
    return `| [${title}](${id}.md) | ${sources} | ${usualWay} |`
  })
  return ['| page | sources | the usual way |', '|---|---|---|', ...rows, ''].join('\n')
}

/** The schedules that connectors have by default, in words; others as they are. */
function frequency(schedule: string): string {
  const [, minutes] = /^\*\/(\d+) \* \* \* \*$/.exec(schedule) ?? []
  if (minutes !== undefined) return `${minutes} minutes`
  if (schedule === '* * * * *') return 'minute'
  const [, hours] = /^\d+ \*\/(\d+) \* \* \*$/.exec(schedule) ?? []
  if (hours !== undefined) return `${hours} hours`
  if (/^\d+ \d+ \* \* \*$/.test(schedule)) return 'day'
  return /^\d+ \* \* \* \*$/.test(schedule) ? 'hour' : code(schedule)
}

/** Settings that every connection has stand once. */
const EVERY_CONNECTION = ['name', 'schedule', 'paused']

function connectorsChapter(connectors: readonly ConnectorDocument[]): string[] {
  const [first] = connectors
  if (first === undefined) return []
  const common = first.fields.filter(({ name }) => EVERY_CONNECTION.includes(name))
  return [
    '## Connectors',
    '',
    'Below `connectors`, each connector has a list of connections:',
    '',
    '```yaml',
    'connectors:',
    `  slack: [{name: acme, token: \${SLACK_TOKEN}, schedule: "*/15 * * * *"}]`,
    '  technical_docs: [{name: docs, paths: [~/docs]}]',
    '```',
    '',
    '`recalld up` runs each on its schedule, `recalld sync` at once. With `RECALLD_URL` set to a service elsewhere, what they',
    'read is memorized there, with the key in `RECALLD_API_KEY`. A schedule is a cron expression of five fields, or six with',
    'seconds, in the time zone of the service. A mistake in one connection stops that one alone; `recalld status` and',
    '`recalld doctor` name its line. Every connection has these settings:',
    '',
    ...fieldTable(common),
    '',
    ...connectors.flatMap((connector) => connectorSection(connector)),
  ]
}

function connectorSection({ id, title, schedule, fields, ...about }: ConnectorDocument): string[] {
  const own = fields.filter(({ name }) => !EVERY_CONNECTION.includes(name))
  return [
    `### \`${id}\`: ${title}`,
    '',
    `Item: ${about.item}. Removed: ${about.removed}. Needs: ${about.needs}. Schedule: \`${schedule}\`.`,
    '',
    ...(own.length === 0 ? ['It has no further settings.'] : fieldTable(own)),
    '',
  ]
}

function modelsChapter(models: readonly ModelDocument[]): string[] {
  if (models.length === 0) return []
  return [
    '## Models',
    '',
    'recalld needs none of them. Below `models`, each kind that is set is used from the next start on; an embedding model once',
    '`recalld reindex` has made its vectors:',
    '',
    '```yaml',
    'models:',
    '  language: {provider: openai-compatible, model: "qwen3:8b", url: http://127.0.0.1:11434/v1}',
    '  embedding: {provider: onnx, model: ~/models/multilingual-e5-small, query_prefix: "query: ", passage_prefix: "passage: "}',
    '```',
    '',
    '[docs/models.md](../docs/models.md) shows how to set up each provider; `recalld doctor` tries the models, and says how',
    'fast they are and what is wrong.',
    '',
    ...models.flatMap(({ kind, purpose, fields }) => [
      `### \`models.${kind}\`: ${purpose}`,
      '',
      ...fieldTable(fields),
      '',
    ]),
  ]
}

function oidcChapter(): string[] {
  return [
    '## Sign-in by a provider',
    '',
    'Below `oidc`, a provider of OpenID Connect by which people may sign in to the app, beside passwords and passkeys. Tell the',
    'provider the address `<base_url>/app/api/sign-in/oidc/callback`. Nobody gets in by it who was not invited: a person is found by',
    'an e-mail address that the provider has confirmed and that is their login here or that of an open invitation, and from then on',
    'by who they are at the provider.',
    '',
    ...fieldTable(schemaFields(OIDC_SECTION)),
    '',
  ]
}

function retentionChapter(): string[] {
  return [
    '## How long items are kept',
    '',
    'Below `retention`, a number of days for a source type, as in `retention: {browser: 90, slack: 730}`. Once a day, items',
    'whose time is older are forgotten with everything made from them: the last time that they tell of, or without one that of their',
    'upload. Connectors do not bring them back. What is not named is kept for good. `recalld retention --dry-run` tells what would go.',
    'A connection may have `retention_days` of its own, which win for what it brought.',
    '',
  ]
}

function fieldTable(fields: readonly SchemaField[]): string[] {
  const rows = fields.map((field) => {
    const standard = field.default === undefined ? (field.required ? 'required' : '') : code(written(field.default))
    const meaning = field.describe.replaceAll('|', '\\|')
    // That a text is a text needs no saying.
    const expects = field.expects.startsWith('a text') ? '' : ` Must be ${field.expects}.`
    return `| ${code(field.name)} | ${standard} | ${meaning}${expects} |`
  })
  return ['| setting | default | meaning |', '|---|---|---|', ...rows]
}

/** On one line. */
function written(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 })
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

function code(value: string): string {
  return `\`${value}\``
}
