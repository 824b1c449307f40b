import { type ConnectionChange, findConnectionEntry, writeConnectionEntries } from '../../config/connection-entry.ts'
import type { ConnectorView, SourceChoices, SyncTarget } from '../../connections/sync-service.ts'
import { AppError } from '../../domain/errors.ts'
import { printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { table } from '../terminal/layout.ts'
import { type Input, openPrompter } from '../terminal/prompter.ts'
import { ago } from '../terminal/relative-time.ts'
import { messages } from './messages.ts'

type Choice = SourceChoices['choices'][number]

/** Rows of one page of the list. */
const ROWS = 30

/** Asked at a terminal, for a new connection without the setting. */
export function asksForContent(
  view: ConnectorView | undefined,
  { ref, settings }: ConnectionChange,
  { config, stdin }: { readonly config: string; readonly stdin: Input },
): boolean {
  const setting = view?.choosing
  if (setting === undefined || setting in settings || stdin.isTTY !== true) return false
  return findConnectionEntry(config, ref) === undefined
}

/** Paused until the person has chosen, because a running service would begin with everything. */
export function pausedChange({ ref, settings }: ConnectionChange): ConnectionChange {
  return { ref, settings: { ...settings, paused: true } }
}

interface Choosing {
  readonly context: Context
  readonly stdin: Input
  readonly stop: AbortSignal
}

/**
 * Asks what a paused connection syncs, and resumes it.
 * @throws AppError `invalid` when nothing can be listed or the person stops; the connection is still paused then
 */
export async function chooseContent(target: SyncTarget, { context, stdin, stop }: Choosing): Promise<void> {
  const { io } = context
  const name = `${target.connector}/${target.name}`
  await using service = await context.sync()
  const found = await service.choices(target, stop).catch((error: unknown) => {
    if (stop.aborted || !(error instanceof Error)) throw error
    io.stdout.write(`${messages.noteOf(name, printable(messages.notListed(failureSentence(error))))}\n`)
    throw new AppError('invalid', messages.stillPaused(name))
  })
  const rules =
    found && found.choices.length > 0 ? await askForRules(found.choices, name, { context, stdin, stop }) : []
  const chosen = found !== undefined && rules.length > 0 ? { [found.setting]: rules } : {}
  writeConnectionEntries(context.home().config, [{ ref: target, settings: { paused: null, ...chosen } }])
}

/** @returns patterns that each match something; none for everything */
async function askForRules(
  choices: readonly Choice[],
  name: string,
  { context, stdin, stop }: Choosing,
): Promise<readonly string[]> {
  const { stdout, stderr } = context.io
  using prompter = openPrompter(stdin, stderr)
  const groups = [...Map.groupBy(choices, ({ group }) => group)]
  const counts = groups.map(([group, ofGroup]) => [`  ${printable(group)}`, String(ofGroup.length)])
  const [first] = choices
  const example = { group: printable(first?.groupValue ?? ''), one: printable(first?.value ?? '') }
  stdout.write(`\n${messages.reaches(choices.length)}\n${table(counts)}\n${messages.howToChoose(example)}\n`)
  const list = pagedList(choices)
  for (;;) {
    const answer = await prompter.ask(messages.choicePrompt, { signal: stop })
    if (answer === undefined) throw new AppError('invalid', messages.stillPaused(name))
    const [, search] = /^list(?:\s+(.*))?$/i.exec(answer) ?? []
    if (/^(list|more)\b/i.test(answer)) {
      stdout.write(list(/^more$/i.test(answer) ? undefined : (search ?? '')))
      continue
    }
    const rules = answer.split(/[\s,]+/).filter((rule) => rule !== '')
    const unmatched = rules.filter((rule) => !choices.some(({ value }) => pattern(rule).test(value)))
    if (unmatched.length > 0) {
      stdout.write(`${messages.matchesNothing(unmatched.map(printable))}\n`)
      continue
    }
    const chosen = choices.filter(({ value }) => rules.length === 0 || rules.some((rule) => pattern(rule).test(value)))
    stdout.write(`${messages.chosen(chosen.length, choices.length)}\n\n`)
    return rules
  }
}

/** Pages of the list; without a search, the next page of the last one. */
function pagedList(choices: readonly Choice[]): (search: string | undefined) => string {
  let rest: readonly Choice[] = []
  return (search) => {
    if (search !== undefined) {
      rest = choices.filter(({ value }) => value.toLowerCase().includes(search.trim().toLowerCase()))
      if (rest.length === 0) return `${messages.matchesNothing([printable(search)])}\n`
    }
    const page = rest.slice(0, ROWS)
    rest = rest.slice(ROWS)
    const rows = page.map(({ value, isPrivate, updatedAt }) => [
      `  ${printable(value)}`,
      isPrivate ? messages.privateChoice : '',
      updatedAt === undefined ? '' : ago(updatedAt.toISOString(), new Date()),
    ])
    return `${page.length === 0 ? '' : table(rows)}${rest.length === 0 ? '' : `${messages.moreChoices(rest.length)}\n`}`
  }
}

/** `*` and `?` match within a name. */
function pattern(rule: string): RegExp {
  const source = rule.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/[*?]/g, (wild) => (wild === '*' ? '[^/]*' : '[^/]'))
  return new RegExp(`^${source}$`, 'i')
}
