import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { AppError } from '../../domain/errors.ts'
import type { RecallResult } from '../../domain/memory.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { GoldenUseCases } from '../../service/golden.ts'
import { goldenChanges } from '../../service/golden-report.ts'
import type { ConnectContext } from '../connect/connect.ts'
import type { Context } from '../context.ts'
import { integerArgument, sourceTypeArgument } from '../terminal/arguments.ts'
import { ExitCode } from '../terminal/failure.ts'
import { counted, cut, lineWidth, table } from '../terminal/layout.ts'
import { questionsText, rankText, scoresText } from './golden-text.ts'

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

const HELP = `
Golden questions are your own, with the items that answer them. They are asked after every upgrade and by "recalld
reindex", so that you see whether recall got better or worse for you.

Examples:
  $ recalld golden add when does the migration start --item slack/C024BE91L:1716205321.1 --item text/plan
  $ recalld golden add when does the migration start --from-recall
  $ recalld golden run --check      ends with code 1 when something got worse than the last time`

const RESULTS_SHOWN = 10
const SHOWN_CHARACTERS = 200

export function addGolden(program: Command, context: ConnectContext): void {
  const golden = program
    .command('golden')
    .description('keep your own questions with the items that answer them, and see how well they are found')
    .addHelpText('after', HELP)
  golden
    .command('add')
    .description('keep a question')
    .argument('<question...>')
    .option('--item <source/item_id>', 'an item that answers it; may be given several times', itemArgument)
    .option('--from-recall', 'show what is found now, and choose from it; the service must be running')
    .option('--account <id>', 'account; else the one of this home')
    .option('--json', 'print JSON')
    .action((words: string[], options: AddOptions, command: Command) => {
      const isChosen = options.fromRecall === true
      if (isChosen === (options.item !== undefined)) command.error('error: give --item, or --from-recall')
      if (isChosen && options.account !== undefined) {
        command.error('error: --from-recall asks with the key of this home: leave --account out')
      }
      return addQuestion(context, words.join(' '), options)
    })
  golden
    .command('list')
    .description('show the questions, and how they were answered the last time')
    .option('--account <id>', 'account; else the one of this home')
    .option('--json', 'print JSON')
    .action((options: AccountOption) => listQuestions(context, options))
  golden
    .command('remove')
    .description('forget a question')
    .argument('<number>', 'its number in the list', integerArgument(1, Number.MAX_SAFE_INTEGER))
    .option('--account <id>', 'account; else the one of this home')
    .option('--json', 'print JSON')
    .action((number: number, options: AccountOption) => removeQuestion(context, number, options))
  golden
    .command('run')
    .description('ask all questions, and compare with the last time')
    .option('--check', 'end with code 1 when something got worse')
    .option('--account <id>', 'account; else the one of this home')
    .option('--json', 'print JSON')
    .action((options: RunOptions) => runQuestions(context, options))
}

function itemArgument(value: string, before: readonly Item[] = []): readonly Item[] {
  const slash = value.indexOf('/')
  const itemId = value.slice(slash + 1)
  if (slash < 1 || itemId === '') {
    throw new InvalidArgumentError('It must be a source and an item id, such as slack/C024BE91L:1716205321.1.')
  }
  return [...before, { sourceType: sourceTypeArgument(value.slice(0, slash)), itemId }]
}

async function addQuestion(context: ConnectContext, question: string, options: AddOptions): Promise<void> {
  const items = options.item ?? (await chooseItems(context, question))
  const number = await withGolden(context, options, (golden, account) => golden.add({ ...account, question, items }))
  const { stdout } = context.io
  stdout.write(options.json ? `${jsonText({ number })}\n` : `Golden question ${number} is kept.\n`)
}

async function chooseItems(context: ConnectContext, question: string): Promise<Item[]> {
  const memory = await context.memory()
  const found = itemsOf(await memory.recall({ text: question, limit: RESULTS_SHOWN }))
  if (found.length === 0)
    throw new AppError('not_found', 'Nothing was found to choose from; name the item with --item.')
  const { stderr } = context.io
  found.forEach(({ sourceType, itemId, text }, i) => {
    const shown = cut(printable(text.replace(/\s+/g, ' ')), Math.min(SHOWN_CHARACTERS, lineWidth(stderr) * 2))
    stderr.write(`${String(i + 1).padStart(2)}  ${printable(`${sourceType}/${itemId}`)}\n    ${shown}\n`)
  })
  const answer = await readLine(context, 'Which of them answer it? Numbers, separated by spaces: ')
  const chosen = answer.split(/[\s,]+/).filter((word) => word !== '')
  const items = chosen.map((word) => (/^\d+$/.test(word) ? found[Number(word) - 1] : undefined))
  if (items.length === 0) throw new ExitCode(1, 'Nothing was chosen, so nothing is kept.')
  return items.map((item) => {
    if (item !== undefined) return { sourceType: item.sourceType, itemId: item.itemId }
    throw new AppError('invalid', `Choose by the numbers 1 to ${found.length}.`)
  })
}

/** Each item once, with the first text that stands for it. */
function itemsOf({ memories, chunks }: RecallResult): (Item & { readonly text: string })[] {
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
    stdout.write('There are no golden questions yet; "recalld golden add" keeps one.\n')
  } else {
    const rows = listed.map(({ number, question, items }) => [
      String(number),
      changes.has(number) ? rankText(changes.get(number)!) : '-',
      printable(question),
      items.map(({ source, item_id, held }) => `${source}/${item_id}${held ? '' : ' (forgotten)'}`).join(', '),
    ])
    stdout.write(printable(table([['', 'rank', 'question', 'answered by'], ...rows])))
  }
}

async function removeQuestion(context: Context, number: number, options: AccountOption): Promise<void> {
  await withGolden(context, options, (golden, account) => golden.remove({ ...account, number }))
  const { stdout } = context.io
  stdout.write(options.json ? `${jsonText({ removed: number })}\n` : `Golden question ${number} is forgotten.\n`)
}

async function runQuestions(context: Context, options: RunOptions): Promise<void> {
  const account = await accountOf(context, options)
  await using desk = await context.reindex()
  const { scores, questions, notice } = await desk.askGolden(account)
  const { stdout, stderr } = context.io
  if (options.json) {
    stdout.write(`${jsonText({ ...scores, questions, ...(notice !== undefined && { notice }) }, 2)}\n`)
  } else if (questions.length === 0) {
    stdout.write('There are no golden questions yet; "recalld golden add" keeps one.\n')
  } else {
    stdout.write(`${questionsText(questions, context.io)}\n${scoresText(scores)}\n`)
    if (notice !== undefined) stderr.write(`${printable(notice)} This run is not kept.\n`)
  }
  const worse = questions.filter(({ change }) => change === 'worse').length
  if (options.check && worse > 0) {
    throw new ExitCode(1, `${counted(worse, 'golden question is', 'golden questions are')} answered worse than before.`)
  }
}

async function accountOf(context: Context, { account }: AccountOption): Promise<string | undefined> {
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
