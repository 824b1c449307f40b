import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Administration, RestoreResult, RunningApp } from '../administration/administration.ts'
import type { Machine } from '../cli/context.ts'
import type { ProgramContext } from '../cli/program.ts'
import { type Credentials, clientCredentials, serviceBaseUrl, usableCredentials } from '../config/credentials.ts'
import { homeFiles, homeFolder } from '../config/home-folder.ts'
import { type Config, loadConfig, SETTINGS, unknownVariables } from '../config.ts'
import type { Memory } from '../domain/memory.ts'
import { packagePath } from '../lib/files.ts'
import type { Log } from '../lib/log.ts'
import { readableLogLine } from '../lib/readable-log-line.ts'
import { escapeHidden, type Io, terminalIo } from '../lib/terminal-text.ts'

const DEFAULT_URL = `http://${SETTINGS.host.default}:${SETTINGS.port.default}`

export interface Surroundings {
  readonly io: Io
  readonly machine: Machine
  readonly pid: number
  /** What is piped into the command; `undefined` when nothing is. */
  readonly standardInput?: () => AsyncIterable<Uint8Array> | undefined
  /** Whole, for a protocol that has them to itself. */
  standardStreams(): { readonly stdin: Readable; readonly stdout: Writable }
  /** Called before files are made that only their owner may read: database, its log, backups. */
  onlyForOwner(): void
  /** Called with the log of a service that is about to start. */
  watchDefects(log: Log): void
  stopRequested(): Promise<string>
}

export interface CommandContext extends ProgramContext {
  /** Ends the connections that commands opened. */
  close(): Promise<void>
}

/**
 * What commands work with, for real. The parts behind the service are loaded by the commands that need them, so that the
 * others start in a tenth of the time.
 */
export function createCommandContext(surroundings: Surroundings): CommandContext {
  const { machine, pid } = surroundings
  const io = terminalIo(surroundings.io)
  const { version } = packageManifest()
  let homeFlag: string | undefined
  const memories: { close(): Promise<void> }[] = []
  const home = () =>
    homeFiles(homeFolder({ flag: homeFlag, env: io.env, platform: machine.platform, userHome: machine.userHome }))
  const config = (flags?: Readonly<Record<string, string>>) =>
    loadConfig({ home: home().home, file: home().config, env: io.env, flags })
  const createLog = async (level: string, format: Config['logFormat'] = 'auto') => {
    const { createPinoLog } = await import('../lib/log.ts')
    const isPretty = format === 'pretty' || (format === 'auto' && io.stderr.isTTY)
    return createPinoLog(level, (line) => void io.stderr.write(isPretty ? readableLogLine(line) : escapeHidden(line)))
  }

  const surroundingsOf = (userName: string) => {
    const { platform, userHome, temporaryFolder } = machine
    return { pid, env: io.env, platform, userHome, temporaryFolder, userName }
  }

  return {
    io,
    machine,
    version,
    home,
    config,
    setHome: (folder) => {
      homeFlag = folder
    },
    defaultConfig: (folder) => loadConfig({ home: folder, file: homeFiles(folder).config, env: {} }),
    serviceUrl: () =>
      serviceBaseUrl(io.env.RECALLD_URL || usableCredentials(home().credentials)?.baseUrl || DEFAULT_URL),
    async memory(credentials = clientCredentials(home().credentials, io.env, DEFAULT_URL)) {
      const { createRestMemory } = await import('../client/rest-memory.ts')
      const memory = createRestMemory(credentials)
      memories.push(memory)
      return memory
    },
    async administration({ create = false } = {}): Promise<Administration> {
      const { openAdministration } = await import('./open-administration.ts')
      surroundings.onlyForOwner()
      return openAdministration(config(), { log: await createLog('warn'), create, env: io.env })
    },
    async databaseServers() {
      const { databaseServers } = await import('../administration/database-servers.ts')
      return databaseServers(config())
    },
    async modelProblem() {
      const { modelProblem } = await import('../models/configured/try-models.ts')
      return modelProblem()
    },
    async tryModels() {
      const { models } = config()
      if (models === undefined) return []
      const { tryModels } = await import('../models/configured/try-models.ts')
      return tryModels(models, { cacheFolder: home().models })
    },
    async sync() {
      const { openHomeSync } = await import('./sync-home.ts')
      surroundings.onlyForOwner()
      const { standardInput } = surroundings
      const log = await createLog('warn')
      return openHomeSync(config(), {
        log,
        surroundings: surroundingsOf(machine.userName),
        ...(standardInput && { standardInput }),
      })
    },
    async photos() {
      const { openHomePhotos } = await import('./sync-home.ts')
      surroundings.onlyForOwner()
      return openHomePhotos(config(), { log: await createLog('warn'), surroundings: surroundingsOf(machine.userName) })
    },
    async reindex() {
      const { openHomeReindex } = await import('./open-administration.ts')
      surroundings.onlyForOwner()
      return openHomeReindex(config(), { log: await createLog('error'), version })
    },
    async startApp(started: Config, { userName, patience, acceptDatabase = false }): Promise<RunningApp> {
      const { startApp } = await import('./start-app.ts')
      const log = await createLog(started.logLevel, started.logFormat)
      surroundings.watchDefects(log)
      for (const sentence of unknownVariables(io.env)) log.warn(sentence)
      surroundings.onlyForOwner()
      const surroundingsOfService = { ...surroundingsOf(userName), openFileLimit: machine.openFileLimit?.() }
      return startApp(started, { log, version, surroundings: surroundingsOfService, patience, acceptDatabase })
    },
    async serveMcp({ mcpTools: tools }, stop) {
      const { serveStdio } = await import('../mcp/mcp-server.ts')
      const log = await createLog('warn')
      let open: { readonly credentials: Credentials; readonly memory: Memory } | undefined
      // Looked up for each call: the service may have got another address or key since the host started this.
      const memory = async () => {
        const credentials = clientCredentials(home().credentials, io.env, DEFAULT_URL)
        if (open === undefined || !isDeepStrictEqual(open.credentials, credentials)) {
          open = { credentials, memory: await this.memory(credentials) }
        }
        return open.memory
      }
      const { serviceUrl } = this
      const mcp = { memory, serviceUrl, version, tools, userName: machine.userName }
      await serveStdio(mcp, surroundings.standardStreams(), stop, (error) =>
        log.warn({ err: error }, 'a message of the agent could not be answered'),
      )
    },
    async restore(backup): Promise<RestoreResult> {
      const { restoreBackup } = await import('../administration/restore-backup.ts')
      surroundings.onlyForOwner()
      return restoreBackup(config(), backup, { log: await createLog('warn'), pid })
    },
    async migrateStore(request) {
      const { migrateStore } = await import('../administration/migrate-store.ts')
      surroundings.onlyForOwner()
      return migrateStore(config(), request, { log: await createLog('warn'), pid })
    },
    stopRequested: () => surroundings.stopRequested(),
    close: async () => {
      await Promise.all(memories.map((memory) => memory.close()))
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
