import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Administration, AppStart, RestoreResult, RunningApp } from '../administration/administration.ts'
import type { MigrationRequest } from '../administration/migrate-store.ts'
import { loadWithFirstFetch } from '../client/first-fetch.ts'
import { type Credentials, clientCredentials, serviceBaseUrl, usableCredentials } from '../config/credentials.ts'
import { type HomeFiles, homeFiles, homeFolder } from '../config/home-folder.ts'
import { type Config, loadConfig, SETTINGS, unknownVariables } from '../config.ts'
import type { ProcessInfo } from '../connections/sync-environment.ts'
import type { Memory } from '../domain/memory.ts'
import { packagePath } from '../lib/files.ts'
import type { Log } from '../lib/log.ts'
import type { Machine } from '../lib/machine.ts'
import { lockHolder } from '../lib/process-lock.ts'
import { readableLogLine } from '../lib/readable-log-line.ts'
import { escapeHidden, type Io, terminalIo } from '../lib/terminal-text.ts'

/** Logged for each protocol error of a host. */
const REPORT = 'a message from the agent failed'
const DEFAULT_URL = `http://${SETTINGS.host.default}:${SETTINGS.port.default}`

export interface CommandEnvironment {
  readonly io: Io
  readonly machine: Machine
  readonly pid: number
  /** Standard input, if piped. */
  readonly standardInput?: () => AsyncIterable<Uint8Array> | undefined
  /** Standard input and output as a whole, for a protocol. */
  standardStreams(): { readonly stdin: Readable; readonly stdout: Writable }
  /** Called before files that only their owner may read are created: database, its log, backups. */
  onlyForOwner(): void
  /** Called with the log of a service that is about to start. */
  watchDefects(log: Log): void
  stopRequested(): Promise<string>
}

/**
 * The real context of commands. Parts of the service are loaded only by the commands that need them, so that the others
 * start in a tenth of the time.
 */
export function createCommandContext(environment: CommandEnvironment) {
  const parts = new CommandParts(environment)
  const { io, version } = parts
  return {
    io,
    machine: environment.machine,
    version,
    home: () => parts.home(),
    config: (flags?: Readonly<Record<string, string>>) => parts.config(flags),
    setHome: (folder: string) => parts.setHome(folder),
    defaultConfig: (folder: string) => loadConfig({ home: folder, file: homeFiles(folder).config, env: {} }),
    ...serviceClients(parts),
    ...openedHomes(parts),
    ...modelChecks(parts),
    ...startedServices(parts),
    ...storeMoves(parts),
    stopRequested: () => environment.stopRequested(),
    close: () => parts.close(),
  }
}

/** Shared by the commands of one process. */
class CommandParts {
  readonly environment: CommandEnvironment
  readonly io: Io
  readonly version: string
  readonly #memories: { close(): Promise<void> }[] = []
  #homeFlag: string | undefined

  constructor(environment: CommandEnvironment) {
    this.environment = environment
    this.io = terminalIo(environment.io)
    this.version = packageManifest().version
  }

  setHome(folder: string): void {
    this.#homeFlag = folder
  }

  home(): HomeFiles {
    const { platform, userHome } = this.environment.machine
    return homeFiles(homeFolder({ flag: this.#homeFlag, env: this.io.env, platform, userHome }))
  }

  config(flags?: Readonly<Record<string, string>>): Config {
    return loadConfig({ home: this.home().home, file: this.home().config, env: this.io.env, flags })
  }

  credentials(): Credentials {
    return clientCredentials(this.home().credentials, this.io.env, DEFAULT_URL)
  }

  async createLog(level: string, format: Config['logFormat'] = 'auto'): Promise<Log> {
    const { createPinoLog } = await import('../lib/log.ts')
    const { stderr } = this.io
    const isPretty = format === 'pretty' || (format === 'auto' && stderr.isTTY)
    return createPinoLog(level, (line) => void stderr.write(isPretty ? readableLogLine(line) : escapeHidden(line)))
  }

  processInfo(userName: string): ProcessInfo {
    const { machine, pid } = this.environment
    const { platform, userHome } = machine
    return { pid, env: this.io.env, platform, userHome, userName }
  }

  /** Has `close` close it. */
  keep(memory: { close(): Promise<void> }): void {
    this.#memories.push(memory)
  }

  async close(): Promise<void> {
    await Promise.all(this.#memories.map((memory) => memory.close()))
  }
}

function serviceClients(parts: CommandParts) {
  const { io } = parts
  return {
    serviceUrl: () =>
      serviceBaseUrl(io.env.RECALLD_URL || usableCredentials(parts.home().credentials)?.baseUrl || DEFAULT_URL),
    async memory(credentials = parts.credentials()) {
      const { createRestMemory } = await import('../client/rest-memory.ts')
      const memory = createRestMemory(credentials)
      parts.keep(memory)
      return memory
    },
  }
}

/** Only where many requests are sent, because loading it takes a few hundredths of a second. */
async function loadFetchDispatcher(env: NodeJS.ProcessEnv): Promise<void> {
  const { installFetchDispatcher } = await import('../client/fetch-dispatcher.ts')
  installFetchDispatcher(env)
}

function openedHomes(parts: CommandParts) {
  const { environment, io, version } = parts
  const { userName } = environment.machine
  return {
    async administration({ create = false } = {}): Promise<Administration> {
      const { openAdministration } = await import('./open-administration.ts')
      environment.onlyForOwner()
      return openAdministration(parts.config(), { log: await parts.createLog('warn'), create, env: io.env })
    },
    async sync() {
      await loadFetchDispatcher(io.env)
      const { openHomeSync } = await import('./sync-home.ts')
      environment.onlyForOwner()
      const { standardInput } = environment
      const log = await parts.createLog('warn')
      return openHomeSync(parts.config(), {
        log,
        processInfo: parts.processInfo(userName),
        ...(standardInput && { standardInput }),
      })
    },
    async photos() {
      await loadFetchDispatcher(io.env)
      const { openHomePhotos } = await import('./sync-home.ts')
      environment.onlyForOwner()
      const log = await parts.createLog('warn')
      return openHomePhotos(parts.config(), { log, processInfo: parts.processInfo(userName) })
    },
    async reindex() {
      await loadFetchDispatcher(io.env)
      const { openHomeReindex } = await import('./open-administration.ts')
      environment.onlyForOwner()
      return openHomeReindex(parts.config(), { log: await parts.createLog('error'), version })
    },
  }
}

function modelChecks(parts: CommandParts) {
  return {
    async databaseServers() {
      const { databaseServers } = await import('../administration/database-servers.ts')
      return databaseServers(parts.config())
    },
    async modelProblem() {
      const { modelProblem } = await import('../models/configured/try-models.ts')
      return modelProblem()
    },
    async localModels() {
      const { openLocalModels } = await import('../administration/local-models.ts')
      return openLocalModels(parts.home(), parts.environment.machine.spareResources)
    },
    async hasMemory() {
      const { hasStore } = await import('./open-store.ts')
      return hasStore(parts.config())
    },
    isServing: () => lockHolder(parts.home().locks.api) !== undefined,
    async tryModels() {
      const { models } = parts.config()
      if (models === undefined) return []
      const { tryModels } = await import('../models/configured/try-models.ts')
      return tryModels(models, { cacheFolder: parts.home().models })
    },
  }
}

function startedServices(parts: CommandParts) {
  const { environment, io, version } = parts
  const { machine } = environment
  return {
    async startApp(started: Config, { userName, patience, acceptDatabase = false }: AppStart): Promise<RunningApp> {
      // Takes 70 ms, and a service without sources or models sends no request.
      loadWithFirstFetch(() => loadFetchDispatcher(io.env))
      const { startApp } = await import('./start-app.ts')
      const log = await parts.createLog(started.logLevel, started.logFormat)
      environment.watchDefects(log)
      for (const sentence of unknownVariables(io.env)) log.warn(sentence)
      environment.onlyForOwner()
      const { openFileLimit, spareResources } = machine
      const service = { ...parts.processInfo(userName), openFileLimit: openFileLimit?.(), spareResources }
      return startApp(started, { log, version, processInfo: service, patience, acceptDatabase })
    },
    async serveMcp(
      this: ReturnType<typeof serviceClients>,
      { mcpTools, mcpWrite }: Config,
      stop: AbortSignal,
    ): Promise<void> {
      const { serveStdio } = await import('../mcp/mcp-server.ts')
      const { offeredTools } = await import('../mcp/mcp-context.ts')
      const tools = offeredTools(mcpTools, mcpWrite === 'on')
      let open: { readonly credentials: Credentials; readonly memory: Memory } | undefined
      // Read for each call: the service may have a new address or key since the host started this process.
      const memory = async () => {
        const credentials = parts.credentials()
        if (open === undefined || !isDeepStrictEqual(open.credentials, credentials)) {
          open = { credentials, memory: await this.memory(credentials) }
        }
        return open.memory
      }
      const { serviceUrl } = this
      const mcp = { memory, serviceUrl, version, tools, userName: machine.userName }
      // Loaded with the first report, because most connections have none. By then, an update may have removed its file.
      const report = (error: Error) =>
        parts.createLog('warn').then(
          (log) => log.warn({ err: error }, REPORT),
          () => void io.stderr.write(`recalld: ${REPORT}\n`),
        )
      await serveStdio(mcp, environment.standardStreams(), stop, (error) => void report(error))
    },
  }
}

function storeMoves(parts: CommandParts) {
  const { environment } = parts
  const { pid } = environment
  return {
    async restore(backup: string): Promise<RestoreResult> {
      const { restoreBackup } = await import('../administration/restore-backup.ts')
      environment.onlyForOwner()
      return restoreBackup(parts.config(), backup, { log: await parts.createLog('warn'), pid })
    },
    async migrateStore(request: MigrationRequest) {
      const { migrateStore } = await import('../administration/migrate-store.ts')
      environment.onlyForOwner()
      return migrateStore(parts.config(), request, { log: await parts.createLog('warn'), pid })
    },
  }
}

function packageManifest(): { version: string } {
  const manifest: unknown = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
    return { version: String(manifest.version) }
  }
  throw new Error('package.json holds no version')
}
