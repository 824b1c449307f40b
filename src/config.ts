import { type FileValue, readConfigFile, readConfigText } from './config/config-file.ts'
import type { FileSection } from './config/file-section.ts'
import { retentionSection } from './config/file-section.ts'
import { ALL_IN_ONE, ROLES } from './config/home-folder.ts'
import { choice, fileKey, flagName, integer, list, type Setting, someOf, text, variableName } from './config/setting.ts'
import { withTimeZone } from './config/time-zone.ts'
import { AppError } from './domain/errors.ts'
import { DEFAULT_LIMITS } from './domain/limits.ts'
import type { RetentionDays } from './domain/retention.ts'
import { closestName } from './lib/closest-name.ts'
import { isNetwork } from './lib/network-address.ts'

const MAIL_ADDRESS = /^[^\s@<>,]+@[^\s@<>,]+$/
const DATABASE_URL = /^postgres(ql)?:\/\/\S+$/

/**
 * Every setting, once. Names in config.yaml, in the environment and on the command line follow from the key; the
 * commented config.yaml, config/README.md and `recalld up --help` from the rest.
 */
export const SETTINGS = {
  host: text({
    default: '127.0.0.1',
    expects: 'a host name or an IP address',
    describe:
      'Address to listen on. 127.0.0.1 serves this machine only; 0.0.0.0 serves the network, so put TLS in front of it.',
  }),
  port: integer({ default: 7411, min: 0, max: 65_535, describe: 'Port to listen on; 0 picks a free one.' }),
  baseUrl: text({
    default: undefined,
    defaultText: 'derived from host and port',
    expects: 'an address such as https://memory.example.org',
    pattern: /^https?:\/\/[^\s/]+(\/\S*)?$/,
    describe: 'Address that clients use when the service is behind a proxy.',
  }),
  allowedHosts: list({
    default: [],
    expects: 'a list of host names',
    describe:
      'Additional host names accepted in the Host header, besides loopback, host and base_url. Protects against DNS rebinding.',
  }),
  trustedProxies: list({
    default: ['127.0.0.1', '::1'],
    expects: 'a list of IP addresses and networks such as 10.0.0.0/8',
    isElement: isNetwork,
    describe:
      'Proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted. Wrong passwords and requests without a key are counted per forwarded address. List only the proxies in front of the service.',
  }),
  roles: someOf({
    default: ALL_IN_ONE,
    choices: ROLES,
    describe:
      'What this process does: api answers requests, worker turns uploads into memories, scheduler runs the connectors; mcp answers only agents at /mcp, which api also does. Other processes of the same home can take the other roles; with database_url, several processes can have the same role.',
  }),
  databaseUrl: text({
    default: undefined,
    defaultText: 'recalld.db in the home folder',
    expects: 'an address such as postgres://user@host/database',
    pattern: DATABASE_URL,
    isSecret: true,
    describe:
      'Stores everything in PostgreSQL 15 or later with pgvector 0.8 or later, for any number of processes. `recalld migrate-store` moves the data of the home there.',
  }),
  databaseReplicaUrl: text({
    default: undefined,
    defaultText: 'none: recall reads from the main database',
    expects: 'an address such as postgres://user@host/database',
    pattern: DATABASE_URL,
    isSecret: true,
    describe: 'A read replica for the heavy part of recall. Results are read from the main database.',
  }),
  databaseReplicaLagSeconds: integer({
    default: 10,
    min: 1,
    max: 3_600,
    describe: 'Recall uses the main database while the replica is further behind than this.',
  }),
  databaseDirectUrl: text({
    default: undefined,
    defaultText: 'the address of database_url',
    expects: 'an address such as postgres://user@host/database',
    pattern: DATABASE_URL,
    isSecret: true,
    describe:
      'Direct address of the server, if database_url points to a pooler such as PgBouncer in transaction mode. Each process keeps one connection to it to receive notifications.',
  }),
  databaseConnections: integer({
    default: 10,
    min: 2,
    max: 1_000,
    describe:
      'Maximum number of database connections of this process. The server must allow the sum over all processes, plus one for each.',
  }),
  blobUrl: text({
    default: undefined,
    defaultText: 'none: uploads are stored in the database',
    expects: 'an address such as s3://bucket/prefix?endpoint=https://s3.example.org',
    pattern: /^s3:\/\/\S+$/,
    isSecret: true,
    describe:
      'Stores uploads of 32 KiB and more in a bucket on S3 or a compatible server. Options: endpoint, region, path_style. Credentials as in s3://key:secret@bucket, or as in all AWS tools (AWS_ACCESS_KEY_ID, AWS_PROFILE, roles). See docs/blob-storage.md.',
  }),
  secretKeyFile: text({
    default: undefined,
    defaultText: 'secret.key in the home folder',
    expects: 'a path such as /run/secrets/recalld-key',
    describe:
      'File with the 32-byte key that encrypts access to sources and sessions. All processes of a database need the same key. The key in the home folder is created if it is missing; a file set here must exist (`openssl rand -out FILE 32`).',
  }),
  timeZone: text({
    default: undefined,
    defaultText: 'the time zone of the system',
    expects: 'an IANA time zone such as Europe/Berlin',
    describe: 'Time zone of new accounts; decides what "yesterday" means in an upload or a question.',
  }),
  logLevel: choice({
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    describe: 'Lowest log level that is written. Logs contain IDs, never contents or keys.',
  }),
  logFormat: choice({
    default: 'auto',
    choices: ['auto', 'json', 'pretty'],
    describe: 'Log format: json for machines, pretty for people, auto for pretty on a terminal and json elsewhere.',
  }),
  metrics: choice({
    default: 'loopback',
    choices: ['loopback', 'everyone', 'off'],
    describe: 'Who can read Prometheus metrics at /metrics. They contain only numbers and need no key.',
  }),
  metricsPort: integer({
    default: 0,
    min: 0,
    max: 65_535,
    describe:
      'Additional port on the same host that serves only /metrics, /v1/live, /v1/health and /v1/ready: for processes without the role api, or to separate probes. 0: none.',
  }),
  mcpTools: someOf({
    default: ['recall', 'ask', 'open', 'recent'],
    choices: ['recall', 'ask', 'open', 'recent', 'remember', 'forget', 'search'],
    describe:
      'Tools available to agents over MCP. recall, ask, open and recent only read; remember and forget let an agent change it; search adds search and fetch, which ChatGPT requires.',
  }),
  mcpWrite: choice({
    default: 'off',
    choices: ['off', 'on'],
    describe:
      'Whether agents can store and delete notes: on adds remember and forget to mcp_tools. `recalld install-agent --write` sets it for one agent.',
  }),
  rateLimitPerMinute: integer({
    default: 1_000,
    min: 1,
    max: 1_000_000,
    describe:
      'Requests per minute and account; more get 429. On PostgreSQL the limit covers all processes, and each can exceed it by 5%.',
  }),
  maxUploadsWaiting: integer({
    default: DEFAULT_LIMITS.maxUploadsWaiting,
    min: 1,
    max: 10_000_000,
    describe: 'Uploads of all accounts that can wait for processing; further uploads get 503.',
  }),
  maxUploadsWaitingPerAccount: integer({
    default: DEFAULT_LIMITS.maxUploadsWaitingPerAccount,
    min: 1,
    max: 10_000_000,
    describe: 'Uploads of one account that can wait for processing; further uploads get 429.',
  }),
  maxConcurrentUploads: integer({
    default: 16,
    min: 1,
    max: 1_000,
    describe:
      'Large upload bodies held in memory at a time. One account can use at most half of them, fewer while others upload. Further uploads wait, round robin by account, and get 503 after 20 seconds.',
  }),
  maxImportMb: integer({
    default: 4096,
    min: 1,
    max: 1_000_000,
    describe:
      "Largest export of an app (ChatGPT, WhatsApp and others) that can be uploaded under Sources, in MB. It stays in the home's `imports` until its source is removed.",
  }),
  maxConcurrentAsks: integer({
    default: DEFAULT_LIMITS.maxConcurrentAsks,
    min: 1,
    max: 1_000,
    describe: 'Questions of one account answered at a time; further questions get 429.',
  }),
  maxConcurrentSearches: integer({
    default: DEFAULT_LIMITS.maxConcurrentSearches,
    min: 1,
    max: 1_000,
    describe:
      'Searches for recall and ask that a process runs at a time; further searches wait briefly and get 503 if the process is overloaded.',
  }),
  billing: choice({
    default: 'off',
    choices: ['off', 'on'],
    describe:
      'Whether accounts of this server pay: on shows plans in the app, and creating a second key there requires a billing account. Limits of a plan that was set, and accounts marked past due, apply either way.',
  }),
  activityDays: integer({
    default: DEFAULT_LIMITS.activityDays,
    min: 0,
    max: 3_650,
    describe:
      'Days to keep everyday activity: what was asked, uploaded, forgotten and synced, and by whom. 0 records no questions and keeps the rest for 90 days.',
  }),
  auditDays: integer({
    default: DEFAULT_LIMITS.auditDays,
    min: 1,
    max: 3_650,
    describe:
      'Days to keep administrative activity: changes to keys, people, sources, billing and settings, sign-ins, exports and what retention forgot, and by whom.',
  }),
  alertWebhookUrl: text({
    default: undefined,
    defaultText: 'none: no webhook is called',
    expects: 'an address such as https://hooks.example.org/recalld',
    pattern: /^https?:\/\/[^\s/]+\S*$/,
    isSecret: true,
    describe:
      'Gets a POST with JSON once when a source begins to need somebody: its access was refused or expires within seven days, or its settings are wrong. Slack, Mattermost and others show its field text. See docs/operations.md.',
  }),
  alertMailTo: list({
    default: [],
    expects: 'a list of mail addresses',
    isElement: (address) => MAIL_ADDRESS.test(address),
    describe: 'Mail addresses that get the same as the webhook; needs smtp_url.',
  }),
  alertMailFrom: text({
    default: undefined,
    defaultText: 'the first address of alert_mail_to',
    expects: 'a mail address',
    pattern: MAIL_ADDRESS,
    describe: 'Sender of alerts by mail.',
  }),
  smtpUrl: text({
    default: undefined,
    defaultText: 'none: no mail is sent',
    expects: 'an address such as smtps://user:password@mail.example.org',
    pattern: /^smtps?:\/\/\S+$/,
    isSecret: true,
    describe:
      'Mail server for alerts. smtps:// encrypts from the start (port 465); smtp:// (port 587) by STARTTLS, which is required where there is a password, except on this machine.',
  }),
  connectorPackages: list({
    default: [],
    expects: 'a list of npm packages such as recalld-connector-mail-archive',
    isElement: (name) => /^(@[a-z0-9._~-]+\/)?recalld-connector-[a-z0-9._~-]+$/.test(name),
    describe:
      'npm packages with further connectors. Their code runs with the rights of recalld: it can read your files, your memories and your tokens. Install each in the home folder, with `npm install --prefix HOME NAME`. See docs/write-a-connector.md.',
  }),
  pipelineThreads: integer({
    default: 0,
    min: 0,
    max: 64,
    describe:
      'Threads that turn uploads into memories, plus as many for slow items when there are any. Each has its own copy of the models, about 70 MB. 0: one, and while many uploads wait one for each processor, at most 4; one for slow items.',
  }),
  ocr: choice({
    default: 'auto',
    choices: ['auto', 'off'],
    describe:
      'Reads the text in images and scanned PDFs by the program tesseract, if it is installed. off: images are refused as unreadable.',
  }),
  ocrLanguages: list({
    default: ['eng'],
    expects: 'a list of names of tesseract, such as eng, deu or chi_sim',
    isElement: (text) => /^[A-Za-z]{3,}(?:_[A-Za-z]+)*$/.test(text),
    describe:
      'Languages of the text in images. Each needs its data: `tesseract --list-langs` shows what is installed, Debian has packages such as tesseract-ocr-deu.',
  }),
} satisfies Record<string, Setting<unknown>>

type SettingName = keyof typeof SETTINGS

type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never
}

/** The settings the service starts with. */
export interface Config extends Omit<Settings, 'timeZone'> {
  /** Absolute path of the folder that holds database, keys and config.yaml. */
  readonly home: string
  readonly timeZone: string
  /** As written in config.yaml; the connectors check it. Absent when none is configured. */
  readonly connectors: FileSection | undefined
  /** As `connectors`. */
  readonly models: FileSection | undefined
  /** As `connectors`. */
  readonly oidc: FileSection | undefined
  /** Days to keep items, by source type. */
  readonly retention: RetentionDays
}

export interface ConfigSources {
  readonly home: string
  /** config.yaml; an absent file is an empty one. */
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** By setting name, as typed on the command line. */
  readonly flags?: Readonly<Record<string, string>>
}

/**
 * Flags override the environment, which overrides config.yaml, which overrides the defaults.
 *
 * @throws AppError `invalid`, naming the flag, variable or line at fault and what is accepted there
 */
export function loadConfig(sources: ConfigSources): Config {
  const file = readConfigFile(sources.file, { settings: Object.keys(SETTINGS).map(fileKey), env: sources.env })
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    values[name] = settingValue(name, setting, sources, file.values.get(fileKey(name)))
  }
  const settings = values as Settings
  if (settings.baseUrl !== undefined && !URL.canParse(settings.baseUrl)) {
    const { expects } = SETTINGS.baseUrl
    throw new AppError('invalid', `base_url must be ${expects}, but is "${settings.baseUrl}"`, { field: 'baseUrl' })
  }
  checkAlerts(settings)
  const { connectors, models, oidc } = file.sections
  const retention = retentionSection(file.sections.retention)
  const known = { ...settings, home: sources.home, connectors, models, oidc, retention }
  return withTimeZone(known, SETTINGS.timeZone.expects)
}

function checkAlerts({ alertWebhookUrl, alertMailTo, smtpUrl }: Settings): void {
  const { alertWebhookUrl: webhook, smtpUrl: smtp } = SETTINGS
  if (alertWebhookUrl !== undefined && !URL.canParse(alertWebhookUrl)) {
    throw new AppError('invalid', `alert_webhook_url must be ${webhook.expects}`, { field: 'alertWebhookUrl' })
  }
  if (smtpUrl !== undefined && !URL.canParse(smtpUrl)) {
    throw new AppError('invalid', `smtp_url must be ${smtp.expects}`, { field: 'smtpUrl' })
  }
  if (alertMailTo.length > 0 && smtpUrl === undefined) {
    throw new AppError('invalid', 'alert_mail_to needs smtp_url, the mail server', { field: 'smtpUrl' })
  }
}

/**
 * The section `connectors` of the text of a config.yaml; other settings are not checked.
 *
 * @throws AppError `invalid`, naming the line at fault
 */
export function connectorSection(source: string, env: ConfigSources['env']): FileSection | undefined {
  return sectionsOf(source, env).connectors
}

/** The section `models`, as `connectorSection`. */
export function modelsSection(source: string, env: ConfigSources['env']): FileSection | undefined {
  return sectionsOf(source, env).models
}

function sectionsOf(source: string, env: ConfigSources['env']) {
  return readConfigText(source, 'config.yaml', { settings: Object.keys(SETTINGS).map(fileKey), env }).sections
}

function settingValue(
  name: string,
  setting: Setting<unknown>,
  { flags, env }: ConfigSources,
  inFile: FileValue | undefined,
): unknown {
  const flag = flags?.[name]
  const variable = env[variableName(name)]
  if (flag !== undefined) return checked(setting, setting.fromText(flag), flagName(name))
  if (variable !== undefined && variable !== '') return checked(setting, setting.fromText(variable), variableName(name))
  if (inFile === undefined) return setting.default
  // A value from ${VARIABLE} or in quotes is text, so the setting parses it.
  const value = typeof inFile.value === 'string' ? setting.fromText(inFile.value) : inFile.value
  return checked(setting, value, `${inFile.where}: ${fileKey(name)}`)
}

function checked(setting: Setting<unknown>, value: unknown, where: string): unknown {
  const result = setting.schema.safeParse(value)
  if (result.success) return result.data
  const given = setting.isSecret === true ? 'is not' : `is ${JSON.stringify(value)}`
  throw new AppError('invalid', `${where} must be ${setting.expects}, but ${given}`)
}

/** Variables that clients, tests and the launcher read, besides the settings. */
const OTHER_VARIABLES = ['RECALLD_HOME', 'RECALLD_URL', 'RECALLD_API_KEY']

/** Warnings about `RECALLD_` variables that nothing reads, which are most likely misspelled settings. */
export function unknownVariables(env: ConfigSources['env']): string[] {
  const known = [...Object.keys(SETTINGS).map(variableName), ...OTHER_VARIABLES]
  return Object.keys(env)
    .filter((name) => name.startsWith('RECALLD_') && !name.startsWith('RECALLD_TEST_') && !known.includes(name))
    .map((name) => {
      const meant = closestName(name, known)
      return `The environment variable ${name} is not a setting.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
    })
}
