import { readFileSync } from 'node:fs'
import type { Upload } from '../../../src/domain/memory.ts'
import type { SourceType } from '../../../src/domain/source-type.ts'
import { zonedTime } from '../../../src/lib/dates/zoned-time.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { repositoryFiles } from '../../lib/repository-files.ts'
import type { AskedAccount } from '../answer-service.ts'
import type { HomeHalf, OwnQuestion } from '../home/questions.ts'
import { readSections } from '../home/sections.ts'

/** The files of a made-up person as they would upload them, and questions about them. */
export interface Life {
  readonly name: string
  readonly owner: string
  readonly timeZone: string
  /** When everything is uploaded and all questions are asked, there. */
  readonly askedAt: readonly [year: number, month: number, day: number, hour: number, minute: number]
  /** Files of this repository that are uploaded too. */
  readonly documents?: RegExp
  /** The other half of its questions is in a file of its own. */
  readonly hasHeldBackHalf?: boolean
}

export const LIVES: readonly Life[] = [
  {
    name: 'nurse',
    owner: 'Niamh Kavanagh',
    timeZone: 'Europe/Dublin',
    askedAt: [2026, 10, 16, 18, 0],
  },
  { name: 'band', owner: 'Mateo Ibarra', timeZone: 'Europe/London', askedAt: [2026, 9, 18, 18, 0] },
  {
    name: 'workbench',
    owner: 'Lena Brandt',
    timeZone: 'Europe/Berlin',
    askedAt: [2026, 10, 21, 18, 0],
    documents: /^(?:README|config\/README|docs\/[\w-]+|src\/decisions\/00\d\d-[\w-]+)\.md$/,
  },
  { name: 'teacher', owner: 'Harriet Lindley', timeZone: 'Europe/London', askedAt: [2026, 11, 8, 18, 0] },
  { name: 'studio', owner: 'Vera Horvat', timeZone: 'Europe/Berlin', askedAt: [2026, 10, 24, 10, 0] },
  { name: 'vet', owner: 'Maren Visser', timeZone: 'Europe/Amsterdam', askedAt: [2026, 11, 15, 10, 0] },
  { name: 'release', owner: 'Jonas Reiter', timeZone: 'Europe/Vienna', askedAt: [2026, 10, 29, 10, 0] },
  { name: 'carpenter', owner: 'Rafe Sorley', timeZone: 'Europe/London', askedAt: [2026, 11, 24, 18, 0] },
]

/** Lives in other languages than English, which take no part in any fit. */
export const LANGUAGE_LIVES: readonly Life[] = [
  {
    name: 'german',
    owner: 'Silke Matthiesen',
    timeZone: 'Europe/Berlin',
    askedAt: [2026, 11, 18, 18, 0],
    hasHeldBackHalf: true,
  },
  {
    name: 'french',
    owner: 'Damien Rochefort',
    timeZone: 'Europe/Paris',
    askedAt: [2026, 11, 20, 19, 0],
    hasHeldBackHalf: true,
  },
  {
    name: 'spanish',
    owner: 'Florencia Bustos',
    timeZone: 'America/Argentina/Mendoza',
    askedAt: [2026, 11, 21, 11, 0],
    hasHeldBackHalf: true,
  },
  {
    name: 'japanese',
    owner: '三浦 航平',
    timeZone: 'Asia/Tokyo',
    askedAt: [2026, 11, 22, 10, 0],
    hasHeldBackHalf: true,
  },
  {
    name: 'chinese',
    owner: '林书瑶',
    timeZone: 'Asia/Shanghai',
    askedAt: [2026, 11, 19, 20, 0],
    hasHeldBackHalf: true,
  },
]

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  eml: 'message/rfc822',
  ics: 'text/calendar',
  md: 'text/markdown',
  csv: 'text/csv',
  txt: 'text/plain',
}

export function lifeAccount(life: Life): AskedAccount {
  const { name, owner, timeZone, askedAt } = life
  const [year, month, day, hour, minute] = askedAt
  const uploadedAt = zonedTime({ year, month, day, hour, minute }, timeZone)
  if (uploadedAt === undefined) throw new Error(`There is no time ${askedAt}`)
  return { id: name, userName: owner, timeZone, uploadedAt, uploads: lifeUploads(life) }
}

/** `=== file name | source type`, then the file; and the documents of this repository. */
export function lifeUploads({ name, owner, documents }: Life): Upload[] {
  const own = readSections(`${lifeFolder(name)}/files.txt`).map(({ id, fields, lines }) =>
    lifeUpload(owner, id, fields[0] as SourceType, `${lines.join('\n').trim()}\n`),
  )
  if (documents === undefined) return own
  const texts = repositoryFiles(documents)
  return [
    ...own,
    ...texts.map(({ path, source }) => lifeUpload(owner, path.replaceAll('/', '-'), 'technical_docs', source)),
  ]
}

function lifeUpload(userName: string, fileName: string, sourceType: SourceType, text: string): Upload {
  const [itemId] = fileName.split('.')
  const contentType = CONTENT_TYPES[fileName.split('.').at(-1)!]!
  return { itemId: itemId!, sourceType, userName, fileName, contentType, body: new TextEncoder().encode(text) }
}

/** The questions of one half, or all where a life has no halves. */
export function lifeQuestions({ name, hasHeldBackHalf = false }: Life, half: HomeHalf = 'dev'): OwnQuestion[] {
  const file = hasHeldBackHalf && half === 'final-2' ? 'questions-final' : 'questions'
  const lines = readFileSync(`${lifeFolder(name)}/${file}.jsonl`, 'utf8')
    .trim()
    .split('\n')
  return lines.map((line): OwnQuestion => JSON.parse(line))
}

function lifeFolder(name: string): string {
  return packagePath(`test/eval/lives/${name}`)
}
