import type { Command } from 'commander'
import type { MemoryResult, RecalledContent, RecallResult } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { type Io, jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { integerArgument, sourceTypeArgument, timeArgument } from '../terminal/arguments.ts'
import { lineWidth, styleFor, wrapped } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface Options {
  readonly source?: SourceType
  readonly limit: number
  readonly since?: string
  readonly until?: string
  readonly person?: string
  readonly asOf?: string
  readonly json?: boolean
}

export function addRecall(program: Command, context: Context): void {
  program
    .command('recall')
    .description(messages.recall)
    .argument('<query...>', messages.query)
    .option('--source <type>', messages.onlySource, sourceTypeArgument)
    .option('--limit <n>', messages.mostMemories, integerArgument(1, 100), 10)
    .option('--since <time>', messages.since, timeArgument)
    .option('--until <time>', messages.until, timeArgument)
    .option('--person <name>', messages.person)
    .option('--as-of <time>', messages.asOf, timeArgument)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.recallExample))
    .action(async (words: string[], { json, ...options }: Options) => {
      const memory = await context.memory()
      const { fence: _, ...result } = await memory.recall({ text: words.join(' '), ...options })
      if (result.notice !== undefined && !json) context.io.stderr.write(`${printable(result.notice)}\n`)
      context.io.stdout.write(json ? `${jsonText(result, 2)}\n` : recallCards(result, context.io))
    })
}

/** Memories as cards for a person to read. */
export function recallCards(result: RecallResult, io: Io): string {
  if (result.memories.length > 0) return result.memories.map((memory) => card(memory, io)).join('\n')
  if (result.chunks.length === 0) return `${messages.nothingFound}\n`
  const style = styleFor(io.stdout, io.env)
  return result.chunks
    .map((chunk) => {
      const head = `${chunk.score.toFixed(2)}  ${chunk.source}  ${chunk.item_id}`
      const text = wrapped(printable(chunk.text), lineWidth(io.stdout), '  ')
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
    `${style('bold', memory.score.toFixed(2))}  ${style('cyan', memory.source)}  ${style('dim', memory.custom_id)}\n`,
    title === '' ? '' : wrapped(printable(title), width, '  ').replace(/^.*$/gm, (line) => line && style('bold', line)),
    wrapped(printable(narrative), width, '  '),
    facts.length === 0 ? '' : style('dim', wrapped(printable(facts.join(' | ')), width, '  ')),
    ...relations(content).map((line) => style('dim', wrapped(printable(line), width, '  '))),
    link(content.url, style),
  ].join('')
}

/** What the memory replaces, what replaces it, and its duplicates. */
function relations({ also_in = [], superseded_by, supersedes = [], correction, pin }: RecalledContent): string[] {
  const named = ({ custom_id, when }: { custom_id: string; when?: string }) =>
    [custom_id, when].filter(Boolean).join(', ')
  return [
    ...(correction === undefined ? [] : [messages.correction(correction.by, correction.at.slice(0, 10))]),
    ...(pin === undefined ? [] : [messages.pinnedBy(pin.by, pin.at.slice(0, 10))]),
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
  program
    .command('ask')
    .description(messages.ask)
    .argument('<question...>')
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.askExample))
    .action(async (words: string[], options: { json?: boolean }) => {
      const memory = await context.memory()
      const { fence: _, ...answer } = await memory.ask({ text: words.join(' ') })
      if (answer.notice !== undefined && !options.json) context.io.stderr.write(`${printable(answer.notice)}\n`)
      const text = options.json ? jsonText(answer, 2) : printable(answer.response)
      context.io.stdout.write(`${text}\n`)
    })
}
