import { grantJson } from '../../connections/grant-views.ts'
import { type Io, jsonText, printable } from '../../lib/terminal-text.ts'
import { styleFor } from '../terminal/layout.ts'
import type { CheckedEntry } from './config-entries.ts'
import type { Granted } from './consent.ts'
import { messages } from './messages.ts'

/** A requested source that is not connected. */
export interface LeftOut {
  readonly connector: string
  readonly reason: string
}

export interface ConnectOutcome {
  readonly granted: readonly Granted[]
  readonly checked: readonly CheckedEntry[]
  /** Whether config.yaml was changed. */
  readonly isChanged: boolean
  readonly left: readonly LeftOut[]
  readonly more: readonly string[]
  /** Path of config.yaml. */
  readonly config: string
}

export function outcomeText({ granted, checked, isChanged, left, more, config }: ConnectOutcome, io: Io): string {
  const style = styleFor(io.stdout, io.env)
  const connected = checked.filter(({ refusal }) => refusal === undefined).map(entryName)
  const lines = checked.flatMap((entry) => [
    ...(entry.account === undefined ? [] : [messages.connected(entryName(entry), printable(entry.account))]),
    ...entry.warnings.map((warning) => style('yellow', messages.noteOf(entryName(entry), printable(warning)))),
  ])
  for (const { connector, reason } of leftOut(checked, left)) {
    lines.push(style('yellow', messages.notConnected(connector, printable(reason))))
  }
  if (connected.length > 0) {
    lines.push(
      isChanged ? messages.saved(config) : messages.alreadySaved(config),
      isChanged ? messages.syncNow(connected) : messages.syncNowNewAccess(connected),
    )
  } else lines.push(messages.nothingConnected)
  const title = granted[0]?.plan.provider.title
  if (more.length > 0 && title !== undefined) lines.push(messages.asksSeparately(title, more))
  return lines.map((line) => `${line}\n`).join('')
}

export function outcomeJson({ granted, checked, left }: ConnectOutcome): string {
  const connections = checked
    .filter(({ refusal }) => refusal === undefined)
    .map(({ target: { connector, name }, account = null, warnings }) => ({ connector, name, account, warnings }))
  return jsonText(
    { grants: granted.map(({ grant }) => grantJson(grant)), connections, left_out: leftOut(checked, left) },
    2,
  )
}

function leftOut(checked: readonly CheckedEntry[], left: readonly LeftOut[]): readonly LeftOut[] {
  const refused = checked.flatMap(({ target, refusal }) =>
    refusal === undefined ? [] : [{ connector: target.connector, reason: refusal }],
  )
  return [...left, ...refused]
}

function entryName({ target: { connector, name } }: CheckedEntry): string {
  return `${connector}/${name}`
}
