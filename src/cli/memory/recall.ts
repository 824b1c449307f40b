import type { Command } from 'commander'
import { connectorTitle, specificConnector } from '../../domain/connector-name.ts'
import type { MemoryResult, RecalledContent, RecallResult, RecentResult } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { plainLines, plainText } from '../../lib/markup/plain-words.ts'
import { type Io, jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { integerArgument, sourceTypeArgument, timeArgument } from '../terminal/arguments.ts'
import { lineWidth, shellWord, styleFor, wrapped } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface FilterOptions {
  readonly since?: string
  readonly until?: string
  readonly person?: string
  readonly project?: string
  readonly connector?: string
  readonly tag?: string
}

interface AskOptions extends FilterOptions {
  readonly asOf?: string
  readonly json?: boolean
}

interface Options extends AskOptions {
  readonly source?: SourceType
  readonly limit: number
}

interface RecentOptions extends FilterOptions {
  readonly source?: SourceType
  readonly limit: number
  readonly json?: boolean
}

function withFilters(command: Command): Command {
  return command
    .option('--since <time>', messages.since, timeArgument)
    .option('--until <time>', messages.until, timeArgument)
    .option('--person <name>', messages.person)
    .option('--project <name>', messages.project)
    .option('--connector <name>', messages.connector)
    .option('--tag <tag>', messages.tagFilter)
}

export function addRecall(program: Command, context: Context): void {
  withFilters(
    program
      .command('recall')
      .description(messages.recall)
      .argument('<query...>', messages.query)
      .option('--source <type>', messages.onlySource, sourceTypeArgument)
      .option('--limit <n>', messages.mostMemories, integerArgument(1, 100), 10),
  )
    .option('--as-of <time>', messages.asOf, timeArgument)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.recallExample))
    .action(async (words: string[], { json, ...options }: Options) => {
      const memory = await context.memory()
      const { fence: _, ...result } = await memory.recall({ text: words.join(' '), ...options })
      if (result.notice !== undefined && !json) context.io.stderr.write(`${printable(result.notice)}\n`)
      context.io.stdout.write(json ? `${jsonText(result, 2)}\n` : recallCards(result, context.io, setFilters(options)))
    })
}

/** As typed: `--tag nope`. */
function setFilters({ limit: _, asOf, ...filters }: Omit<Options, 'json'>): string[] {
  const typed = Object.entries({ ...filters, 'as-of': asOf })
  return typed.flatMap(([name, value]) => (value === undefined ? [] : `--${name} ${shellWord(String(value))}`))
}

/** Memories as cards for a person to read. */
export function recallCards(result: RecallResult, io: Io, filters: readonly string[] = []): string {
  if (result.memories.length > 0) return result.memories.map((memory) => card(memory, io)).join('\n')
  if (result.chunks.length === 0) {
    return `${filters.length === 0 ? messages.nothingFound : printable(messages.nothingFiltered(filters))}\n`
  }
  const style = styleFor(io.stdout, io.env)
  return result.chunks
    .map((chunk) => {
      const head = `${chunk.score.toFixed(2)}  ${sourceName(chunk)}  ${chunk.item_id}`
      const text = wrapped(printable(plainText(chunk.text)), lineWidth(io.stdout), '  ')
      return `${style('dim', printable(head))}\n${text}${link(chunk.url, style)}`
    })
    .join('\n')
}

function card({ content, ...memory }: MemoryResult, io: Io): string {
  const style = styleFor(io.stdout, io.env)
  const width = lineWidth(io.stdout)
  const narrative = content.narrative ?? content.body ?? ''
  const title = content.headline ?? ''
  const facts = [content.when, content.where ?? undefined, content.participants?.join(', ')].filter((fact) => fact)
  return [
    `${style('bold', memory.score.toFixed(2))}  ${style('cyan', printable(sourceName(memory)))}  ${style('dim', memory.custom_id)}\n`,
    title === '' ? '' : wrapped(printable(title), width, '  ').replace(/^.*$/gm, (line) => line && style('bold', line)),
    wrapped(printable(plainText(narrative)), width, '  '),
    facts.length === 0 ? '' : style('dim', wrapped(printable(facts.join(' | ')), width, '  ')),
    ...relations(content).map((line) => style('dim', wrapped(printable(line), width, '  '))),
    link(content.url, style),
  ].join('')
}

/** `tasks (Jira)`: the source type, as `--source` accepts it, and the connector if more specific. */
function sourceName({ source, connector }: Pick<MemoryResult, 'source' | 'connector'>): string {
  const telling = specificConnector(source, connector)
  return telling === undefined ? source : `${source} (${connectorTitle(telling)})`
}

/** What the owner changed, what the memory replaces, what replaces it, and its duplicates. */
function relations(content: RecalledContent): string[] {
  const { also_in = [], superseded_by, supersedes = [], correction, note, notes = [], pin } = content
  const named = ({ custom_id, when }: { custom_id: string; when?: string }) =>
    [custom_id, when].filter(Boolean).join(', ')
  return [
    ...(correction === undefined ? [] : [messages.correction(correction.by, correction.at.slice(0, 10))]),
    ...(note === undefined ? [] : [messages.noteOn(note.by, note.at.slice(0, 10), note.item_id)]),
    ...(pin === undefined ? [] : [messages.pinnedBy(pin.by, pin.at.slice(0, 10))]),
    ...notes.map(({ by, at, text }) => messages.noteBy(by, at.slice(0, 10), text)),
    ...(superseded_by === undefined ? [] : [messages.replacedBy(superseded_by)]),
    ...supersedes.map((older) => messages.replaces(named(older))),
    ...also_in.map((copy) => messages.alsoIn(copy.source, named(copy))),
  ]
}

/** On one line, so that terminals can open it. */
function link(url: string | undefined, style: ReturnType<typeof styleFor>): string {
  return url === undefined ? '' : `  ${style('dim', printable(url))}\n`
}

export function addAsk(program: Command, context: Context): void {
  withFilters(program.command('ask').description(messages.ask).argument('<question...>'))
    .option('--as-of <time>', messages.asOf, timeArgument)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.askExample))
    .action(async (words: string[], { json, ...options }: AskOptions) => {
      const memory = await context.memory()
      const { fence: _, ...answer } = await memory.ask({ text: words.join(' '), ...options })
      if (answer.notice !== undefined && !json) context.io.stderr.write(`${printable(answer.notice)}\n`)
      const text = json ? jsonText(answer, 2) : printable(plainLines(answer.response))
      context.io.stdout.write(`${text}\n`)
    })
}

export function addRecent(program: Command, context: Context): void {
  withFilters(
    program
      .command('recent')
      .description(messages.recent)
      .option('--source <type>', messages.onlySource, sourceTypeArgument)
      .option('--limit <n>', messages.mostItems, integerArgument(1, 100), 20),
  )
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.recentExample))
    .action(async ({ json, ...options }: RecentOptions) => {
      const memory = await context.memory()
      const { fence: _, ...result } = await memory.recent(options)
      context.io.stdout.write(json ? `${jsonText(result, 2)}\n` : recentCards(result, context.io))
    })
}

/** By source, the newest first. */
function recentCards({ passages }: RecentResult, io: Io): string {
  if (passages.length === 0) return `${messages.nothingRecent}\n`
  const style = styleFor(io.stdout, io.env)
  const ordered = [...Map.groupBy(passages, ({ source }) => source).values()].flat()
  return ordered
    .map(({ source, connector, item_id: itemId, title, when, where, participants = [], text, url }) => {
      const width = lineWidth(io.stdout)
      const facts = [when, where, participants.join(', ')].filter((fact) => fact !== undefined && fact !== '')
      return [
        `${style('cyan', printable(sourceName({ source, connector })))}  ${style('dim', printable(itemId))}\n`,
        title === undefined
          ? ''
          : wrapped(printable(title), width, '  ').replace(/^.*$/gm, (line) => line && style('bold', line)),
        wrapped(printable(plainText(text)), width, '  '),
        facts.length === 0 ? '' : style('dim', wrapped(printable(facts.join(' | ')), width, '  ')),
        link(url, style),
      ].join('')
    })
    .join('\n')
}
