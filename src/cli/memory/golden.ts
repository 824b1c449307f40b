import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { AppError } from '../../domain/errors.ts'
import type { RecallResult } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { GoldenUseCases } from '../../service/golden.ts'
import { goldenChanges } from '../../service/golden-report.ts'
import type { ConnectContext } from '../connect/connect.ts'
import type { Context } from '../context.ts'
import { integerArgument, sourceTypeArgument } from '../terminal/arguments.ts'
import { ExitCode } from '../terminal/failure.ts'
import { cut, lineWidth, table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { questionsText, rankText, scoresText } from './golden-text.ts'
import { messages } from './messages.ts'

interface Item {
  readonly sourceType: SourceType
  readonly itemId: string
}

interface AccountOption {
  readonly account?: string
  readonly json?: boolean
}

type AddOptions = AccountOption & { readonly item?: readonly Item[]; readonly fromRecall?: boolean }
type RunOptions = AccountOption & { readonly check?: boolean }

const RESULTS_SHOWN = 10
const SHOWN_CHARACTERS = 200

export function addGolden(program: Command, context: ConnectContext): void {
  const golden = program.command('golden').description(messages.golden).addHelpText('after', messages.goldenHelp)
  golden
    .command('add')
    .description(messages.goldenAdd)
    .argument('<question...>')
    .option('--item <source/item_id>', messages.goldenItem, itemArgument)
    .option('--from-recall', messages.fromRecall)
    .option('--account <id>', terminal.account)
    .option('--json', terminal.json)
    .action((words: string[], options: AddOptions, command: Command) => {
      const isChosen = options.fromRecall === true
      if (isChosen === (options.item !== undefined)) command.error(messages.itemOrRecall)
      if (isChosen && options.account !== undefined) {
        command.error(messages.recallOwnAccount)
      }
      return addQuestion(context, words.join(' '), options)
    })
  golden
    .command('list')
    .description(messages.goldenList)
    .option('--account <id>', terminal.account)
    .option('--json', terminal.json)
    .action((options: AccountOption) => listQuestions(context, options))
  golden
    .command('remove')
    .description(messages.goldenRemove)
    .argument('<number>', messages.goldenNumber, integerArgument(1, Number.MAX_SAFE_INTEGER))
    .option('--account <id>', terminal.account)
    .option('--json', terminal.json)
    .action((number: number, options: AccountOption) => removeQuestion(context, number, options))
  golden
    .command('run')
    .description(messages.goldenRun)
    .option('--check', messages.goldenCheck)
    .option('--account <id>', terminal.account)
    .option('--json', terminal.json)
    .action((options: RunOptions) => runQuestions(context, options))
}

function itemArgument(value: string, before: readonly Item[] = []): readonly Item[] {
  const slash = value.indexOf('/')
  const itemId = value.slice(slash + 1)
  if (slash < 1 || itemId === '') {
    throw new InvalidArgumentError(messages.itemShape)
  }
  return [...before, { sourceType: sourceTypeArgument(value.slice(0, slash)), itemId }]
}

async function addQuestion(context: ConnectContext, question: string, options: AddOptions): Promise<void> {
  const items = options.item ?? (await chooseItems(context, question))
  const number = await withGolden(context, options, (golden, account) => golden.add({ ...account, question, items }))
  const { stdout } = context.io
  stdout.write(options.json ? `${jsonText({ number })}\n` : `${messages.goldenAdded(number)}\n`)
}

async function chooseItems(context: ConnectContext, question: string): Promise<Item[]> {
  const memory = await context.memory()
  const found = foundItems(await memory.recall({ text: question, limit: RESULTS_SHOWN }))
  if (found.length === 0) throw new AppError('not_found', messages.nothingToChoose)
  const { stderr } = context.io
  found.forEach(({ sourceType, itemId, text }, i) => {
    const shown = cut(printable(text.replace(/\s+/g, ' ')), Math.min(SHOWN_CHARACTERS, lineWidth(stderr) * 2))
    stderr.write(`${String(i + 1).padStart(2)}  ${printable(`${sourceType}/${itemId}`)}\n    ${shown}\n`)
  })
  const answer = await readLine(context, messages.chooseItems)
  const chosen = answer.split(/[\s,]+/).filter((word) => word !== '')
  const items = chosen.map((word) => (/^\d+$/.test(word) ? found[Number(word) - 1] : undefined))
  if (items.length === 0) throw new ExitCode(1, messages.nothingChosen)
  return items.map((item) => {
    if (item !== undefined) return { sourceType: item.sourceType, itemId: item.itemId }
    throw new AppError('invalid', messages.chooseNumbers(found.length))
  })
}

/** Each item once, with its best text. */
function foundItems({ memories, chunks }: RecallResult): (Item & { readonly text: string })[] {
  const results = [
    ...memories.map(({ source, item_id, score, content }) => {
      return { source, item_id, score, text: content.headline ?? content.narrative ?? content.body ?? '' }
    }),
    ...chunks,
  ].sort((a, b) => b.score - a.score)
  const items = new Map<string, Item & { readonly text: string }>()
  for (const { source, item_id: itemId, text } of results) {
    const key = `${source}/${itemId}`
    if (!items.has(key)) items.set(key, { sourceType: source, itemId, text })
  }
  return [...items.values()].slice(0, RESULTS_SHOWN)
}

async function readLine({ io, stdin = process.stdin }: ConnectContext, prompt: string): Promise<string> {
  io.stderr.write(prompt)
  const lines = createInterface({ input: stdin })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
  }
}

async function listQuestions(context: Context, options: AccountOption): Promise<void> {
  const { questions, runs } = await withGolden(context, options, (golden, { account }) => golden.list(account))
  const [last, before] = runs
  const changes = new Map(goldenChanges(before?.ranks, last?.ranks ?? new Map()).map((one) => [one.number, one]))
  const listed = questions.map(({ number, question, items, createdAt }) => ({
    number,
    question,
    items: items.map(({ sourceType, itemId, isHeld }) => ({ source: sourceType, item_id: itemId, held: isHeld })),
    created_at: createdAt.toISOString(),
    ...(changes.has(number) && { last_rank: changes.get(number)?.rank, change: changes.get(number)?.change }),
  }))
  const { stdout } = context.io
  if (options.json) {
    stdout.write(`${jsonText({ questions: listed, last_run_at: last?.ranAt.toISOString() ?? null }, 2)}\n`)
  } else if (listed.length === 0) {
    stdout.write(`${messages.noGolden}\n`)
  } else {
    const rows = listed.map(({ number, question, items }) => [
      String(number),
      changes.has(number) ? rankText(changes.get(number)!) : '-',
      printable(question),
      items.map(itemText).join(', '),
    ])
    stdout.write(printable(table([['', 'rank', 'question', 'answered by'], ...rows])))
  }
}

function itemText({ source, item_id: id, held }: { source: string; item_id: string; held: boolean }): string {
  return held ? `${source}/${id}` : messages.itemDeleted(`${source}/${id}`)
}

async function removeQuestion(context: Context, number: number, options: AccountOption): Promise<void> {
  await withGolden(context, options, (golden, account) => golden.remove({ ...account, number }))
  const { stdout } = context.io
  stdout.write(options.json ? `${jsonText({ removed: number })}\n` : `${messages.goldenRemoved(number)}\n`)
}

async function runQuestions(context: Context, options: RunOptions): Promise<void> {
  const account = await chosenAccount(context, options)
  await using service = await context.reindex()
  const { scores, questions, notice } = await service.askGolden(account)
  const { stdout, stderr } = context.io
  if (options.json) {
    stdout.write(`${jsonText({ ...scores, questions, ...(notice !== undefined && { notice }) }, 2)}\n`)
  } else if (questions.length === 0) {
    stdout.write(`${messages.noGolden}\n`)
  } else {
    stdout.write(`${questionsText(questions, context.io)}\n${scoresText(scores)}\n`)
    if (notice !== undefined) stderr.write(`${messages.runNotSaved(printable(notice))}\n`)
  }
  const worse = questions.filter(({ change }) => change === 'worse').length
  if (options.check && worse > 0) {
    throw new ExitCode(1, messages.gotWorse(worse))
  }
}

async function chosenAccount(context: Context, { account }: AccountOption): Promise<string | undefined> {
  if (account !== undefined) return account
  await using administration = await context.administration()
  return await administration.homeAccount()
}

async function withGolden<Result>(
  context: Context,
  options: AccountOption,
  work: (golden: GoldenUseCases, account: { account?: string }) => Promise<Result>,
): Promise<Result> {
  await using administration = await context.administration()
  const account = options.account ?? (await administration.homeAccount())
  return await work(administration.service.golden, account === undefined ? {} : { account })
}
