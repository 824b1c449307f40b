import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { CalendarDay } from '../../src/connector/source-time.ts'
import { errorCode } from './file-scan.ts'

/** What the settings of a vault say about its notes. */
export interface Vault {
  readonly path: string
  readonly name: string
  /** Whether it has the folder in which Obsidian keeps its settings. */
  readonly isOpened: boolean
  /** Folders with templates, relative to the vault, with `/`. */
  readonly templates: readonly string[]
  readonly daily: DailyNotes
}

/** Where daily notes are, and how they are named: a format of moment.js such as `YYYY-MM-DD`. */
export interface DailyNotes {
  readonly folder: string
  readonly format: string
}

const text = z.string().optional().catch(undefined)
const templatesSettings = z.looseObject({ folder: text, templates_folder: text })
const dailySettings = z.looseObject({ folder: text, format: text })

/** @param folder of the vault */
export async function openVault(folder: string): Promise<Vault> {
  const path = await realpath(folder).catch(() => folder)
  const settings = join(path, '.obsidian')
  const core = templatesSettings.safeParse(await json(join(settings, 'templates.json'))).data
  const plugin = templatesSettings.safeParse(await json(join(settings, 'plugins/templater-obsidian/data.json'))).data
  const daily = dailySettings.safeParse(await json(join(settings, 'daily-notes.json'))).data
  const folders = [core?.folder, plugin?.templates_folder].flatMap((folder) => relativeFolder(folder) || [])
  return {
    path,
    name: basename(path),
    isOpened: await stat(settings).then(
      (found) => found.isDirectory(),
      () => false,
    ),
    templates: [...new Set(folders)],
    daily: { folder: relativeFolder(daily?.folder), format: daily?.format || 'YYYY-MM-DD' },
  }
}

function relativeFolder(folder = ''): string {
  return folder.replace(/^\/+|\/+$/g, '')
}

/** Settings that are missing or damaged are those of a new vault. */
async function json(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR')
      return undefined
    throw error
  }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TOKENS: readonly (readonly [token: string, pattern: string])[] = [
  ['YYYY', '(?<year>\\d{4})'],
  ['YY', '(?<shortYear>\\d{2})'],
  ['MMMM', '(?<month>[A-Za-z]{3,9})'],
  ['MMM', '(?<month>[A-Za-z]{3})'],
  ['MM', '(?<month>\\d{2})'],
  ['M', '(?<month>\\d{1,2})'],
  ['Do', '(?<day>\\d{1,2})[a-z]{2}'],
  ['DD', '(?<day>\\d{2})'],
  ['D', '(?<day>\\d{1,2})'],
  ['dddd', '\\p{L}+'],
  ['ddd', '\\p{L}+\\.?'],
  ['dd', '\\p{L}+\\.?'],
  ['WW', '\\d{2}'],
  ['W', '\\d{1,2}'],
]

/** The day of a daily note. @param relative of the note, with `/` and without its extension */
export function dailyNoteDay({ folder, format }: DailyNotes, relative: string): CalendarDay | undefined {
  if (folder !== '' && !relative.startsWith(`${folder}/`)) return undefined
  const name = folder === '' ? relative : relative.slice(folder.length + 1)
  const found = formatPattern(format)?.exec(name)?.groups
  if (found === undefined) return undefined
  const { year = found.shortYear && `20${found.shortYear}`, month = '', day = '' } = found
  const number = /^\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1
  const date = new Date(Date.UTC(Number(year), number - 1, Number(day)))
  const isReal = date.getUTCFullYear() === Number(year) && date.getUTCMonth() === number - 1 && number > 0
  return isReal && date.getUTCDate() === Number(day)
    ? { year: Number(year), month: number, day: Number(day) }
    : undefined
}

/** The day that the name of a note begins with: `2026-03-04 Standup`. */
export function namedDay(name: string): CalendarDay | undefined {
  return dailyNoteDay({ folder: '', format: 'YYYY-MM-DD' }, /^\d{4}-\d{2}-\d{2}(?=$|[ _])/.exec(name)?.[0] ?? '')
}

/** `undefined` for a format that names no day. A part that is repeated has to be equal. */
function formatPattern(format: string): RegExp | undefined {
  const named = new Set<string>()
  let pattern = ''
  for (let at = 0; at < format.length; ) {
    const literal = /^\[([^\]]*)\]/.exec(format.slice(at))
    const token = literal ? undefined : TOKENS.find(([one]) => format.startsWith(one, at))
    if (token === undefined) {
      pattern += (literal?.[1] ?? format[at] ?? '').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      at += literal?.[0].length ?? 1
      continue
    }
    const group = /^\(\?<(\w+)>/.exec(token[1])?.[1]
    pattern += group !== undefined && named.has(group) ? token[1].replace(/\(\?<\w+>/, '(?:') : token[1]
    if (group !== undefined) named.add(group)
    at += token[0].length
  }
  const isWhole = (named.has('year') || named.has('shortYear')) && named.has('month') && named.has('day')
  return isWhole ? new RegExp(`^${pattern}$`, 'u') : undefined
}
