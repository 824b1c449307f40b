import { readFileSync } from 'node:fs'
import { connectionLimits, maxDatabaseConnections, raiseOpenFiles } from '../../config/connection-limits.ts'
import type { Config } from '../../config.ts'
import { lockHolder } from '../../lib/process-lock.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { type Finding, ok, problem, skipped } from './finding.ts'
import { messages } from './messages.ts'

const CHECK = 'limits'
/** Enough for a few hundred connections. */
const LOW_OPEN_FILES = 1_024

/** The open file limit of the running service, otherwise of this process, and how many connections it allows. */
export function limitFinding(context: Context): Finding {
  const ofService = openFilesOfService(context)
  const files = ofService ?? context.machine.openFileLimit?.()
  if (files === undefined) return skipped(CHECK, messages.noFileLimit)
  const limits = ofService === undefined ? messages.processLimits : messages.serviceLimits
  let config: Config
  try {
    config = context.config()
  } catch (error) {
    return skipped(CHECK, messages.notChecked(failureSentence(error)))
  }
  try {
    const { perProcess, perAddress } = connectionLimits(files, maxDatabaseConnections(config))
    const allowed = limits(files, perProcess, perAddress)
    if (files >= LOW_OPEN_FILES) return ok(CHECK, `${allowed}.`, { files, perProcess, perAddress })
    return problem(CHECK, `${allowed}. ${raiseOpenFiles(messages.raiseLimit)}`)
  } catch (error) {
    return problem(CHECK, failureSentence(error))
  }
}

/** Linux reports it for every process of the same user. */
function openFilesOfService({ home, machine }: Context): number | undefined {
  const pid = machine.platform === 'linux' ? lockHolder(home().locks.api)?.pid : undefined
  if (pid === undefined) return undefined
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch (error) {
    // It has ended, or belongs to another user.
    if (error instanceof Error) return undefined
    throw error
  }
}
