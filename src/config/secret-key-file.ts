import { resolve } from 'node:path'
import { homeFiles } from './home-folder.ts'

/** Where the key lies that seals access and sessions, and whether it is made when it is not there. */
export interface SecretKeyFile {
  readonly file: string
  /** Not one that the settings name: it is shared with others, and a new one would open nothing of theirs. */
  readonly isMade: boolean
}

export function secretKeyFile(config: {
  readonly home: string
  readonly secretKeyFile: string | undefined
}): SecretKeyFile {
  const { home, secretKeyFile: named } = config
  if (named === undefined) return { file: homeFiles(home).secretKey, isMade: true }
  return { file: resolve(home, named), isMade: false }
}
