import { grantJson } from '../../connections/grant-views.ts'
import { type Io, jsonText, printable } from '../../lib/terminal-text.ts'
import { styleFor } from '../terminal/layout.ts'
import type { CheckedEntry } from './config-entries.ts'
import type { Granted } from './consent.ts'

/** A source that was asked for and is not connected. */
export interface LeftOut {
  readonly connector: string
  readonly reason: string
}

export interface ConnectOutcome {
  readonly granted: readonly Granted[]
  readonly checked: readonly CheckedEntry[]
  /** Whether config.yaml says anything new. */
  readonly isChanged: boolean
  readonly left: readonly LeftOut[]
  readonly more: readonly string[]
  /** Path of config.yaml. */
  readonly config: string
}

export function outcomeText({ granted, checked, isChanged, left, more, config }: ConnectOutcome, io: Io): string {
  const style = styleFor(io.stdout, io.env)
  const connected = checked.filter(({ refusal }) => refusal === undefined).map(nameOf)
  const lines = checked.flatMap((entry) => [
    ...(entry.account === undefined ? [] : [`${nameOf(entry)} reads as ${printable(entry.account)}.`]),
    ...entry.warnings.map((warning) => style('yellow', `Note: ${nameOf(entry)}: ${printable(warning)}`)),
  ])
  for (const { connector, reason } of leftOut(checked, left)) {
    lines.push(style('yellow', `Left out: ${connector}. ${printable(reason)}`))
  }
  if (connected.length > 0) {
    const [they, them] = connected.length === 1 ? ['It stands', 'it'] : ['They stand', 'them']
    lines.push(
      `${they} in ${config}, where schedule and more can be set.`,
      `"recalld sync ${connected.join(' ')}" reads ${them} now. A service that is running reads ${them} on schedule${isChanged ? '' : ', with the new access'}.`,
    )
  } else lines.push('Nothing was connected. What was granted is kept: "recalld connect --list" shows it.')
  const title = granted[0]?.plan.provider.title
  if (more.length > 0 && title !== undefined) lines.push(`${title} asks separately for ${more.join(', ')}.`)
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

function nameOf({ target: { connector, name } }: CheckedEntry): string {
  return `${connector}/${name}`
}
