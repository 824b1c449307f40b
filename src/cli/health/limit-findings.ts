import { readFileSync } from 'node:fs'
import { connectionLimits, mostDatabaseConnections, raiseOpenFiles } from '../../config/connection-limits.ts'
import type { Config } from '../../config.ts'
import { lockHolder } from '../../lib/process-lock.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { type Finding, ok, problem, skipped } from './finding.ts'

const CHECK = 'limits'
/** Room for some hundred connections. */
const LOW_OPEN_FILES = 1_024

/** How many files the running service may have open, else this process, and how many connections that allows. */
export function limitFinding(context: Context): Finding {
  const ofService = openFilesOfService(context)
  const files = ofService ?? context.machine.openFileLimit?.()
  if (files === undefined) return skipped(CHECK, 'the system does not limit open files, or does not say so.')
  const who = ofService === undefined ? 'A process started here' : 'The service'
  let config: Config
  try {
    config = context.config()
  } catch (error) {
    return skipped(CHECK, `not looked at: ${failureSentence(error)}`)
  }
  try {
    const { perProcess, perAddress } = connectionLimits(files, mostDatabaseConnections(config))
    const allowed = `${who} may open ${files} files: up to ${perProcess} connections, ${perAddress} from one address`
    if (files >= LOW_OPEN_FILES) return ok(CHECK, `${allowed}.`, { files, perProcess, perAddress })
    return problem(CHECK, `${allowed}. ${raiseOpenFiles('That is few; raise it')}`)
  } catch (error) {
    return problem(CHECK, failureSentence(error))
  }
}

/** Linux tells it of every process of the same user. */
function openFilesOfService({ home, machine }: Context): number | undefined {
  const pid = machine.platform === 'linux' ? lockHolder(home().locks.api)?.pid : undefined
  if (pid === undefined) return undefined
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch (error) {
    // It has ended, or belongs to somebody else.
    if (error instanceof Error) return undefined
    throw error
  }
}
