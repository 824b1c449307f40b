import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { replaceConfigFile } from '../config/config-document.ts'
import { commentedConfig } from '../config/documents.ts'
import { connectorSection, SETTINGS } from '../config.ts'
import { AppError, locatedMessage } from '../domain/errors.ts'
import {
  type ConfiguredConnections,
  type ConnectorRegistry,
  configuredConnections,
  type WrongConnection,
} from './configured-connections.ts'

/** config.yaml at one moment. */
export interface SettingsText {
  /** `undefined`: there is no file. */
  readonly found: string | undefined
  /** The text that a change starts with: the file, or without one the default with every setting as a comment. */
  readonly text: string
}

/** The content of config.yaml; if it is invalid, its last valid content and the error. */
export interface CurrentSettings {
  readonly text: string
  readonly configured: ConfiguredConnections
  /** Includes the line. */
  readonly problem?: string
}

/** The connections of config.yaml, read each time because people and commands change the file too. */
export interface SourceSettings {
  readonly fileName: string
  read(): SettingsText
  /** Running connections keep the last valid settings. */
  current(): Promise<CurrentSettings>
  /** @throws AppError `invalid` when the text is invalid */
  connectionsIn(text: string): Promise<ConfiguredConnections>
  /**
   * @throws AppError `conflict` when the file was changed meanwhile, `unavailable` when it cannot be written; it is
   * then unchanged
   */
  write(before: SettingsText, text: string): void
  /** Why it cannot be changed from here, for people; `undefined` when it can. */
  lockedReason(): string | undefined
}

export function sourceSettings({
  file,
  env,
  registry,
  wrong = [],
}: {
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly registry: ConnectorRegistry
  /** Connector packages that could not be loaded. */
  readonly wrong?: readonly WrongConnection[]
}): SourceSettings {
  const fileName = basename(file)
  let good: CurrentSettings = { text: '', configured: { connections: [], wrong: [] } }
  const read = () => {
    const found = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    return { found, text: found ?? commentedConfig(SETTINGS) }
  }
  const connectionsIn = async (text: string) => {
    const configured = await configuredConnections(connectorSection(text, env), registry)
    return { ...configured, wrong: [...wrong, ...configured.wrong] }
  }
  return {
    fileName,
    read,
    async current() {
      const { text } = read()
      try {
        good = { text, configured: await connectionsIn(text) }
        return good
      } catch (error) {
        if (error instanceof AppError) return { ...good, problem: locatedMessage(error) }
        throw error
      }
    },
    connectionsIn,
    write({ found }, text) {
      try {
        replaceConfigFile(file, found, text)
      } catch (cause) {
        if (cause instanceof AppError) throw cause
        throw new AppError('unavailable', unwritable(fileName, cause), { cause })
      }
    },
    lockedReason() {
      try {
        const place = existsSync(file) ? realpathSync(file) : file
        if (existsSync(place)) accessSync(place, constants.W_OK)
        // It is replaced by a new file in the same folder.
        accessSync(dirname(place), constants.W_OK)
        return undefined
      } catch (cause) {
        return unwritable(fileName, cause)
      }
    },
  }
}

function unwritable(fileName: string, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return `This service can't write ${fileName}${code}. Change sources in that file.`
}
