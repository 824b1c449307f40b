import { stringify } from 'yaml'
import { type SchemaField, schemaFields } from './field-schema.ts'
import { OIDC_SECTION } from './file-section.ts'
import { fileKey, flagName, type Setting, variableName } from './setting.ts'

type Settings = Readonly<Record<string, Setting<unknown>>>

/** The facts of a connector that the generated pages show. */
export interface ConnectorDocument {
  readonly id: string
  readonly title: string
  readonly schedule: string
  /** What an item is, when items are removed, and what access the connector needs. */
  readonly item: string
  readonly removed: string
  readonly needs: string
  /** The API, its scopes, the cursor, the limits and what the connector was tested against. */
  readonly api: string
  readonly scopes: readonly string[]
  readonly cursor: string
  readonly limits: string
  readonly verified: string
  /** How a deletion is detected. */
  readonly deletions: 'feed' | 'inventory' | 'none'
  readonly fields: readonly SchemaField[]
}

/** The facts of a provider that docs/connect/README.md shows. */
export interface ProviderDocument {
  readonly id: string
  readonly title: string
  /** Ids of the connectors of each consent. */
  readonly families: readonly (readonly string[])[]
  readonly usualWay: string
}

/** The facts of a kind of model that config/README.md shows. */
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

/** A config.yaml with every setting as a comment, with its default. */
export function commentedConfig(settings: Settings): string {
  const blocks = Object.entries(settings).map(([name, setting]) => {
    const value = setting.default === undefined ? '' : ` ${written(setting.default)}`
    const note = setting.defaultText === undefined ? '' : `\n# Default: ${setting.defaultText}.`
    return `# ${setting.describe}\n# Must be ${setting.expects}.${note}\n#${fileKey(name)}:${value}\n`
  })
  return [
    '# Settings of recalld. To change a setting, remove the # in front of it and restart the service.',
    '# Flags of "recalld up" override environment variables, which override this file, which overrides the defaults.',
    `# ${'$'}{NAME} in a value is replaced with the environment variable NAME.`,
    '',
    ...blocks,
    CONNECTORS_EXAMPLE,
    MODELS_EXAMPLE,
    OIDC_EXAMPLE,
    RETENTION_EXAMPLE,
  ].join('\n')
}

/** config/README.md: the names, default and meaning of every setting, also of connectors and models. */
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
    'Flags of `recalld up` override environment variables, which override `config.yaml` in the home folder, which overrides the',
    'defaults. A key in `config.yaml` that is not listed here is an error. In a value of `config.yaml`, a name in braces after',
    `a dollar sign, as in \`\${TOKEN}\`, is replaced with that environment variable. The first start writes a \`config.yaml\` with every`,
    'setting as a comment;',
    '`example.yaml` in this folder is the same file.',
    '',
    'The home folder is `RECALLD_HOME` (or `--home`), otherwise `recalld` in the data folder of the platform:',
    '`$XDG_DATA_HOME` or `~/.local/share` on Linux, `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows.',
    'It holds `recalld.db` (everything, unless `database_url` is set), `config.yaml`, `secret.key` (see `secret_key_file`),',
    '`credentials.json` (address and default key, for the command line on this machine), `spool` (entries that connectors received but',
    'have not memorized yet), `copies` (databases of other programs while they are read), `imports` (exports uploaded in the app, until their source is removed; not part of backups),',
    '`models` (downloads from the Hugging Face hub), and any files you add.',
    'The command line uses `RECALLD_URL` and `RECALLD_API_KEY`, otherwise `credentials.json`.',
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

/** The generated part of connectors/README.md: what each connector reads, how, and what it was tested against. */
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

/** The table in docs/connect/README.md: the sources of each provider and the usual way to connect. */
export function providersTable(providers: readonly ProviderDocument[]): string {
  const rows = providers.map(({ id, title, families, usualWay }) => {
    const sources = families.map((connectors) => connectors.map(code).join(', ')).join('; ')
    return `| [${title}](${id}.md) | ${sources} | ${usualWay} |`
  })
  return ['| page | sources | the usual way |', '|---|---|---|', ...rows, ''].join('\n')
}

/** Default schedules in words; other cron expressions are returned unchanged. */
function frequency(schedule: string): string {
  const [, minutes] = /^\*\/(\d+) \* \* \* \*$/.exec(schedule) ?? []
  if (minutes !== undefined) return `${minutes} minutes`
  if (schedule === '* * * * *') return 'minute'
  const [, hours] = /^\d+ \*\/(\d+) \* \* \*$/.exec(schedule) ?? []
  if (hours !== undefined) return `${hours} hours`
  if (/^\d+ \d+ \* \* \*$/.test(schedule)) return 'day'
  return /^\d+ \* \* \* \*$/.test(schedule) ? 'hour' : code(schedule)
}

/** The settings that every connection has. */
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
    '`recalld up` runs each connection on its schedule, `recalld sync` runs it now. If `RECALLD_URL` points to another service,',
    'items are memorized there, with the key in `RECALLD_API_KEY`. A schedule is a cron expression of five fields, or six with',
    'seconds, in the time zone of the service. A mistake in one connection stops only that connection; `recalld status` and',
    '`recalld doctor` show its line. Every connection has these settings:',
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
    ...(own.length === 0 ? ['It has no other settings.'] : fieldTable(own)),
    '',
  ]
}

function modelsChapter(models: readonly ModelDocument[]): string[] {
  if (models.length === 0) return []
  return [
    '## Models',
    '',
    'recalld works without them. Each model set below `models` is used from the next start on; an embedding model as soon as',
    '`recalld reindex` has built its vectors:',
    '',
    '```yaml',
    'models:',
    '  language: {provider: openai-compatible, model: "qwen3:8b", url: http://127.0.0.1:11434/v1}',
    '  embedding: {provider: onnx, model: ~/models/multilingual-e5-small, query_prefix: "query: ", passage_prefix: "passage: "}',
    '```',
    '',
    '[docs/models.md](../docs/models.md) shows how to set up each provider; `recalld doctor` tests the models and shows how',
    'fast they are and any problems.',
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
    '## Sign-in with a provider',
    '',
    'Below `oidc`, an OpenID Connect provider for signing in to the app, besides passwords and passkeys. Register the redirect',
    'URL `<base_url>/app/api/sign-in/oidc/callback` with the provider. Only invited people can sign in: the first time, a person is found by',
    'an email address that the provider has verified and that is their login or on an open invitation; after that,',
    'by their ID at the provider.',
    '',
    ...fieldTable(schemaFields(OIDC_SECTION)),
    '',
  ]
}

function retentionChapter(): string[] {
  return [
    '## How long items are kept',
    '',
    'Below `retention`, a number of days per source type, as in `retention: {browser: 90, slack: 730}`. Once a day, older items',
    'are deleted with everything made from them. The age of an item counts from the last date it mentions, or without one from its',
    'upload. Connectors do not sync them again. Sources not listed are kept forever. `recalld retention --dry-run` shows what would be deleted.',
    'A connection can have its own `retention_days`, which override this for its items.',
    '',
  ]
}

function fieldTable(fields: readonly SchemaField[]): string[] {
  const rows = fields.map((field) => {
    const standard = field.default === undefined ? (field.required ? 'required' : '') : code(written(field.default))
    const meaning = field.describe.replaceAll('|', '\\|')
    // "Must be text" would add nothing.
    const expects = field.expects.startsWith('a text') ? '' : ` Must be ${field.expects}.`
    return `| ${code(field.name)} | ${standard} | ${meaning}${expects} |`
  })
  return ['| setting | default | meaning |', '|---|---|---|', ...rows]
}

/** Replaces line breaks with spaces, because a table cell is one line. */
function written(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 })
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

function code(value: string): string {
  return `\`${value}\``
}
