import type { Command } from 'commander'
import { AppError } from '../../domain/errors.ts'
import { foldName } from '../../domain/fold-name.ts'
import type {
  KnowingMemory,
  KnownStatement,
  Profile,
  StatementSource,
  SubjectKind,
  SubjectList,
  SubjectPage,
} from '../../domain/profile.ts'
import { plainText } from '../../lib/markup/plain-words.ts'
import { type Io, jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { lineWidth, styleFor, table, wrapped } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'
import { addPersonNames } from './person-names.ts'

interface Options {
  readonly json?: boolean
}

export function addProfile(program: Command, context: Context): void {
  program
    .command('profile')
    .description(messages.profile)
    .option('--json', terminal.responseJson)
    .action(async ({ json }: Options) => {
      const found = await (await context.memory()).profile()
      context.io.stdout.write(json ? `${jsonText(found, 2)}\n` : profileText(found, context.io))
    })
}

export function addSubjects(program: Command, context: Context): void {
  addPersonNames(subjectCommand(program, context, 'person', messages.aboutPerson), context)
  subjectCommand(program, context, 'project', messages.aboutProject)
  subjectCommand(program, context, 'place', messages.aboutPlace)
}

function subjectCommand(program: Command, context: Context, kind: SubjectKind, description: string): Command {
  return program
    .command(kind)
    .description(description)
    .argument('[name...]', messages.subjectName)
    .option('--json', terminal.responseJson)
    .action(async (words: string[], { json }: Options) => {
      const memory = await context.memory()
      const name = words.join(' ')
      const { io } = context
      if (name === '') {
        const list = await memory.subjects({ kind })
        io.stdout.write(json ? `${jsonText(list, 2)}\n` : listText(list))
      } else {
        const page = await readPage(memory, kind, name)
        io.stdout.write(json ? `${jsonText(page, 2)}\n` : pageText(page, io))
      }
    })
}

/** @throws AppError `not_found`, with the people of whose names this one is a part */
async function readPage(memory: KnowingMemory, kind: SubjectKind, name: string): Promise<SubjectPage> {
  try {
    return await memory.subject({ kind, name })
  } catch (error) {
    if (kind !== 'person' || !(error instanceof AppError) || error.code !== 'not_found') throw error
    const { subjects } = await memory.subjects({ kind, name })
    const wanted = foldName(name)
    const known = subjects.map((one) => one.name).filter((one) => ` ${foldName(one)} `.includes(` ${wanted} `))
    if (known.length === 0) throw error
    throw new AppError('not_found', messages.noPerson(name, known), { field: 'name' })
  }
}

function profileText(found: Profile, io: Io): string {
  const sections = [
    section(messages.preferences, found.preferences, io),
    section(messages.roles, found.roles, io),
    section(messages.routines, found.routines, io),
    section(messages.openPromises, found.open_promises, io),
    names(messages.people30, found.people, io),
    names(messages.projects30, found.projects, io),
  ]
  const text = sections.filter((part) => part !== '').join('\n')
  return text === '' ? `${messages.nothingKnown}\n` : `${text}${extentLine(found)}`
}

function pageText(page: SubjectPage, io: Io): string {
  const style = styleFor(io.stdout, io.env)
  const also = page.aliases.length === 0 ? '' : ` (${messages.alsoNamed(page.aliases)})`
  const counts = page.sources.map(({ source, memories }) => `${source} ${memories}`).join(', ')
  const head = [
    `${style('bold', printable(page.name))}${printable(also)}`,
    messages.seen(page.memories, page.first, page.last, counts),
    ...(page.last_contact === undefined ? [] : [messages.lastContact(citation(page.last_contact))]),
  ]
  const sections = [
    section(messages.theirPromises, page.their_promises, io),
    section(messages.myPromises, page.my_promises, io),
    section(messages.decisions, page.decisions, io),
    section(messages.facts, page.facts, io),
  ].filter((part) => part !== '')
  return `${[`${head.map(printable).join('\n')}\n`, ...sections].join('\n')}${extentLine(page)}`
}

function listText({ subjects, total, ...extent }: SubjectList): string {
  if (subjects.length === 0) return `${messages.nothingKnown}\n`
  const rows = subjects.map(({ name, memories, last = '' }) => [printable(name), String(memories), last])
  const more = total > subjects.length ? `${messages.moreSubjects(total - subjects.length)}\n` : ''
  return `${table([messages.subjectColumns, ...rows])}${more}${extentLine(extent)}`
}

function section(title: string, statements: readonly KnownStatement[], io: Io): string {
  if (statements.length === 0) return ''
  const style = styleFor(io.stdout, io.env)
  const width = lineWidth(io.stdout)
  const lines = statements.map(({ text, citations: [first, ...others] }) => {
    const more = others.length === 0 ? '' : ` ${messages.moreCitations(others.length)}`
    const from = first === undefined ? '' : style('dim', wrapped(printable(`${citation(first)}${more}`), width, '    '))
    return `${wrapped(printable(plainText(text)), width, '  ')}${from}`
  })
  return `${style('bold', title)}\n${lines.join('')}`
}

function names(title: string, subjects: Profile['people'], io: Io): string {
  if (subjects.length === 0) return ''
  const list = subjects.map(({ name, memories }) => `${name} (${memories})`).join(', ')
  return `${styleFor(io.stdout, io.env)('bold', title)}\n${wrapped(printable(list), lineWidth(io.stdout), '  ')}`
}

function citation({ title, when, source, custom_id }: StatementSource): string {
  return [title, when, source, custom_id].filter((part) => part !== undefined).join(', ')
}

function extentLine({ looked_at, is_complete }: { readonly looked_at: number; readonly is_complete: boolean }): string {
  return is_complete ? '' : `\n${messages.onlyNewest(looked_at)}\n`
}
