import { type FileValue, readConfigFile, readConfigText } from './config/config-file.ts'
import type { FileSection } from './config/file-section.ts'
import { retentionSection } from './config/file-section.ts'
import { ALL_IN_ONE, ROLES } from './config/home-folder.ts'
import { choice, fileKey, flagName, integer, list, type Setting, someOf, text, variableName } from './config/setting.ts'
import { AppError } from './domain/errors.ts'
import { DEFAULT_LIMITS } from './domain/limits.ts'
import type { RetentionDays } from './domain/retention.ts'
import { closestName } from './lib/closest-name.ts'
import { isNetwork } from './lib/network-address.ts'

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
  port: integer({ default: 7411, min: 0, max: 65_535, describe: 'Port to listen on; 0 takes a free one.' }),
  baseUrl: text({
    default: undefined,
    defaultText: 'made from host and port',
    expects: 'an address such as https://memory.example.org',
    pattern: /^https?:\/\/[^\s/]+(\/\S*)?$/,
    describe: 'Address under which clients reach the service, when a proxy stands in front of it.',
  }),
  allowedHosts: list({
    default: [],
    expects: 'a list of host names',
    describe:
      'Further names the service answers to in the Host header, beside loopback, host and base_url. Protects against DNS rebinding.',
  }),
  trustedProxies: list({
    default: ['127.0.0.1', '::1'],
    expects: 'a list of IP addresses and networks such as 10.0.0.0/8',
    isElement: isNetwork,
    describe:
      'Proxies that are believed for whom they ask (X-Forwarded-For, X-Forwarded-Proto): wrong passwords and requests without a key are counted by that address. Name those that stand in front of the service, and no others.',
  }),
  roles: someOf({
    default: ALL_IN_ONE,
    choices: ROLES,
    describe:
      'What this process does: api answers requests, worker makes memories of uploads, scheduler runs the connectors; mcp answers agents at /mcp and nothing else, which api does too. Other processes may take the other roles of the same home, and with database_url the same ones.',
  }),
  databaseUrl: text({
    default: undefined,
    defaultText: 'recalld.db in the home folder',
    expects: 'an address such as postgres://user@host/database',
    pattern: DATABASE_URL,
    isSecret: true,
    describe:
      'Keeps everything in PostgreSQL 15 or later with pgvector 0.8 or later, for any number of processes. `recalld migrate-store` takes over what the home holds.',
  }),
  databaseReplicaUrl: text({
    default: undefined,
    defaultText: 'none: recall reads where everything is written',
    expects: 'an address such as postgres://user@host/database',
    pattern: DATABASE_URL,
    isSecret: true,
    describe:
      'A copy of the database that follows it, for the heavy part of recall. What is shown is read from the database itself.',
  }),
  databaseDirectUrl: text({
    default: undefined,
    defaultText: 'the address of database_url',
    expects: 'an address such as postgres://user@host/database',
    pattern: DATABASE_URL,
    isSecret: true,
    describe:
      'The server itself, where database_url names a pooler such as PgBouncer in transaction mode: one connection of each process hears by it what others do.',
  }),
  databaseConnections: integer({
    default: 10,
    min: 2,
    max: 1_000,
    describe:
      'Most connections of this process to the database; the server must allow those of all processes, and one more of each.',
  }),
  blobUrl: text({
    default: undefined,
    defaultText: 'none: all bytes of uploads are in the database',
    expects: 'an address such as s3://bucket/prefix?endpoint=https://s3.example.org',
    pattern: /^s3:\/\/\S+$/,
    isSecret: true,
    describe:
      'Keeps the bytes of uploads of 32 KiB and more in a bucket of S3 or a server that speaks its protocol. Options: endpoint, region, path_style; the key as in s3://key:secret@bucket, or as for all tools of AWS (AWS_ACCESS_KEY_ID, AWS_PROFILE, roles). See docs/blob-storage.md.',
  }),
  secretKeyFile: text({
    default: undefined,
    defaultText: 'secret.key in the home folder',
    expects: 'a path such as /run/secrets/recalld-key',
    describe:
      'The key of 32 bytes that seals access to sources and the sessions of people. Processes with one database need the same one. The one in the home folder is made when it is missing; one that is named here must be there (`openssl rand -out FILE 32`).',
  }),
  timeZone: text({
    default: undefined,
    defaultText: 'the time zone of the system',
    expects: 'an IANA time zone such as Europe/Berlin',
    describe: 'Time zone of accounts made here; what "yesterday" means in an upload or a question.',
  }),
  logLevel: choice({
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    describe: 'Least severe log line that is written. Lines carry ids, never contents or keys.',
  }),
  logFormat: choice({
    default: 'auto',
    choices: ['auto', 'json', 'pretty'],
    describe: 'How log lines are written: json for machines, pretty for people; auto is pretty on a terminal only.',
  }),
  metrics: choice({
    default: 'loopback',
    choices: ['loopback', 'everyone', 'off'],
    describe: 'Who may read Prometheus metrics at /metrics. They hold numbers only, and need no key.',
  }),
  metricsPort: integer({
    default: 0,
    min: 0,
    max: 65_535,
    describe:
      'A further port, on the same host, for /metrics, /v1/live, /v1/health and /v1/ready alone: for processes without the role api, and to keep probes apart. 0: none.',
  }),
  mcpTools: someOf({
    default: ['recall', 'ask'],
    choices: ['recall', 'ask', 'memorize', 'forget', 'search'],
    describe:
      'Tools that agents get over MCP. recall and ask only read; memorize and forget let an agent change the memory; search is the pair search and fetch that ChatGPT looks for.',
  }),
  rateLimitPerMinute: integer({
    default: 1_000,
    min: 1,
    max: 1_000_000,
    describe:
      'Requests an account may make in a minute; more are answered with 429. On PostgreSQL all processes count together: each may let through a twentieth more.',
  }),
  maxUploadsWaiting: integer({
    default: DEFAULT_LIMITS.maxUploadsWaiting,
    min: 1,
    max: 10_000_000,
    describe:
      'Uploads of all accounts that may wait for processing; while more are waiting, new ones are answered with 503.',
  }),
  maxUploadsWaitingPerAccount: integer({
    default: DEFAULT_LIMITS.maxUploadsWaitingPerAccount,
    min: 1,
    max: 10_000_000,
    describe:
      'Uploads of one account that may wait for processing; while more are waiting, new ones are answered with 429.',
  }),
  maxConcurrentUploads: integer({
    default: 16,
    min: 1,
    max: 1_000,
    describe:
      'Large upload bodies held in memory at a time. One account can use at most half of them, less while others use some. Further uploads wait, round robin by account, and get 503 after 20 seconds.',
  }),
  maxConcurrentAsks: integer({
    default: DEFAULT_LIMITS.maxConcurrentAsks,
    min: 1,
    max: 1_000,
    describe: 'Questions of an account answered at a time; further ones are answered with 429.',
  }),
  maxConcurrentSearches: integer({
    default: DEFAULT_LIMITS.maxConcurrentSearches,
    min: 1,
    max: 1_000,
    describe:
      'Searches for recall and ask that a process does at a time; further ones wait a moment, and are answered with 503 while more is asked than can be served.',
  }),
  activityDays: integer({
    default: DEFAULT_LIMITS.activityDays,
    min: 0,
    max: 3_650,
    describe:
      'Days for which the activity of every day is kept: what was asked, uploaded, forgotten and synced, and by whom. 0 records no questions, and keeps the rest for 90 days.',
  }),
  auditDays: integer({
    default: DEFAULT_LIMITS.auditDays,
    min: 1,
    max: 3_650,
    describe:
      'Days for which acts of administration are kept in the activity: keys, people, sources, billing, settings, sign-ins, exports and what retention forgot, and by whom.',
  }),
  pipelineThreads: integer({
    default: 1,
    min: 1,
    max: 64,
    describe:
      'Threads that turn uploads into memories, and as many again for slow items while there are any. Each holds its own copy of the models, about 70 MB.',
  }),
} satisfies Record<string, Setting<unknown>>

type SettingName = keyof typeof SETTINGS

type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never
}

/** Everything the service is started with. */
export interface Config extends Omit<Settings, 'timeZone'> {
  /** Absolute path of the folder that holds database, keys and config.yaml. */
  readonly home: string
  readonly timeZone: string
  /** As written in config.yaml; what it means the connectors know. Absent when none is configured. */
  readonly connectors: FileSection | undefined
  /** As `connectors`. */
  readonly models: FileSection | undefined
  /** As `connectors`. */
  readonly oidc: FileSection | undefined
  /** For how many days items are kept, by source type. */
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
 * Flags over environment over config.yaml over defaults.
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
  const { connectors, models, oidc } = file.sections
  const retention = retentionSection(file.sections.retention)
  return { ...settings, timeZone: timeZone(settings.timeZone), home: sources.home, connectors, models, oidc, retention }
}

/**
 * What stands below `connectors` in a text of config.yaml, whatever its other settings are.
 *
 * @throws AppError `invalid`, naming the line at fault
 */
export function connectorSection(source: string, env: ConfigSources['env']): FileSection | undefined {
  return readConfigText(source, 'config.yaml', { settings: Object.keys(SETTINGS).map(fileKey), env }).sections
    .connectors
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
  // A value that came from ${VARIABLE}, or was quoted, is text; what it means depends on the setting.
  const value = typeof inFile.value === 'string' ? setting.fromText(inFile.value) : inFile.value
  return checked(setting, value, `${inFile.where}: ${fileKey(name)}`)
}

function checked(setting: Setting<unknown>, value: unknown, where: string): unknown {
  const result = setting.schema.safeParse(value)
  if (result.success) return result.data
  const given = setting.isSecret === true ? 'is not' : `is ${JSON.stringify(value)}`
  throw new AppError('invalid', `${where} must be ${setting.expects}, but ${given}`)
}

function timeZone(configured: string | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: configured }).resolvedOptions().timeZone
  } catch (cause) {
    throw new AppError('invalid', `time_zone must be ${SETTINGS.timeZone.expects}, but is "${configured}"`, { cause })
  }
}

/** Read by clients, tests and the launcher, beside the settings. */
const OTHER_VARIABLES = ['RECALLD_HOME', 'RECALLD_URL', 'RECALLD_API_KEY']

/** Sentences about `RECALLD_` variables that nothing reads: most likely misspelt settings. */
export function unknownVariables(env: ConfigSources['env']): string[] {
  const known = [...Object.keys(SETTINGS).map(variableName), ...OTHER_VARIABLES]
  return Object.keys(env)
    .filter((name) => name.startsWith('RECALLD_') && !name.startsWith('RECALLD_TEST_') && !known.includes(name))
    .map((name) => {
      const meant = closestName(name, known)
      return `The environment variable ${name} is not a setting${meant === undefined ? '' : `; did you mean ${meant}?`}`
    })
}
