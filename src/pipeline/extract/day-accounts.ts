import type { SourceType } from '../../domain/source-type.ts'
import { clip } from '../../lib/sentences.ts'
import { sentenceWeight } from './speech/quotations.ts'

/** A narrative of a day of photos, website visits or health data, instead of its list. */
interface DayAccount {
  readonly narrative: string
  readonly headline: string
}

interface DayText {
  readonly sourceType: SourceType
  readonly text: string
  /** `4 May 2026`; absent when unknown. */
  readonly day: string | undefined
  /** Display names. */
  readonly people: readonly string[]
}

const LONGEST_HEADLINE = 90
/** Captions, and pages with a descriptive title. */
const MOST_NAMED = 4
const LONGEST_NAMED = 80

/** `undefined` unless the text has the format of the connectors for photos, browsers and health. */
export function dayAccount(day: DayText): DayAccount | undefined {
  if (day.sourceType === 'photos') return photoDay(day)
  if (day.sourceType === 'browser') return browserDay(day)
  return day.sourceType === 'fit' ? healthDay(day) : undefined
}

const PHOTOS = /^(\d+ photos? (?:or video|and videos)) of mine, taken on \S+ (at \S+|between \S+ and \S+)$/m
const ALBUMS = /^Albums: (.+)$/m
const PHOTO = /^- \d\d:\d\d ([^\n:]+): (.+?)(?: \(([^()]*)\))?(, a favorite)?$/gm

function photoDay({ text, day, people }: DayText): DayAccount | undefined {
  const [head, count, times] = PHOTOS.exec(text) ?? []
  const captions = [...text.matchAll(PHOTO)].flatMap(({ 1: file = '', 2: caption = '', 4: favorite }) =>
    // Programs fill in the name of the file.
    file.replace(/\.\w+$/, '') === caption.replace(/\.\w+$/, '')
      ? []
      : [{ words: caption, weight: favorite ? 10 : sentenceWeight(caption) }],
  )
  if (head === undefined && captions.length === 0) return undefined
  const album = ALBUMS.exec(text)?.[1]
  const what = count === undefined ? 'more photos' : count === '1 photo or video' ? 'a photo or video' : count
  const whom = people.length > 0 && head !== undefined ? ` with ${listed(people)}` : ''
  const where = album ? ` They are in the album "${album.replaceAll('"', "'")}".` : ''
  const lead = [day ? `On ${day}` : '', times ?? ''].filter((part) => part !== '').join(', ')
  const shown = captions.length === 0 ? '' : ` They show ${named(captions).join('; ')}.`
  const narrative = `${lead === '' ? 'I' : `${lead}${times ? ',' : ''} I`} took ${what}${whom}.${where}${shown}`
  const best = captions.toSorted((a, b) => b.weight - a.weight)[0]?.words
  // Without people, an album and captions, a number is all there is to tell.
  const bare = count === undefined || best !== undefined ? 'Photos' : capitalized(what)
  const title = people.length > 0 ? `Photos with ${listed(people)}` : album ? `Photos for ${album}` : bare
  return { narrative, headline: clip(best ? `${title}: ${best}` : title, LONGEST_HEADLINE) }
}

const PAGES = /^(?:On .{4,40} )?I read (a page|\d+ pages) on (\S+?)\.?$/m
const PAGE =
  /^- \d\d:\d\d \[(.+)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)(?:, (twice|\d+ times))?(?: until \d\d:\d\d)?$/gm
/** Intermediate pages that lead to others. */
const ON_THE_WAY =
  /^(?:sign ?in|log ?in|sign ?up|register|cart|basket|checkout|home|search|new tab|anmelden|warenkorb|kasse|startseite|suche|connexion|panier|accueil|recherche|iniciar sesión|carrito|inicio|ログイン|カート|ホーム|登录|购物车|首页)$/i

function browserDay({ text, day }: DayText): DayAccount | undefined {
  const [head, count = 'more pages', site = ''] = PAGES.exec(text) ?? []
  const pages = [...text.matchAll(PAGE)].map(({ 1: title = '', 2: times }) => ({
    words: title,
    times,
    weight: (times === undefined ? 0 : times === 'twice' ? 1 : 2) + sentenceWeight(title),
  }))
  const worth = pages.filter(({ words }) => !ON_THE_WAY.test(words))
  if (head === undefined && worth.length === 0) return undefined
  const titles = named(worth, ({ times }) => (times ? ` (${times})` : ''))
  const read = count === 'a page' ? 'a page' : count
  const narrative = `${day ? `On ${day} ` : ''}I read ${read}${site === '' ? '' : ` on ${site}`}${titles.length > 0 ? `: ${titles.join('; ')}` : ''}.`
  const best = worth.toSorted((a, b) => b.weight - a.weight)[0]?.words ?? 'Pages'
  const of = site === '' ? '' : ` (${site})`
  return {
    narrative,
    headline: best.length + of.length <= LONGEST_HEADLINE ? `${best}${of}` : clip(best, LONGEST_HEADLINE),
  }
}

const EXERCISE = /^(.{1,80}) on \d{4}-\d\d-\d\d:$/m
const NUMBERS = /^My day \d{4}-\d\d-\d\d in numbers:$/m
const SPAN = /^\d\d:\d\d to \d\d:\d\d$/

function healthDay({ text, day }: DayText): DayAccount | undefined {
  const exercise = EXERCISE.exec(text)?.[1]
  if (exercise === undefined && !NUMBERS.test(text)) return undefined
  const lines = [...text.matchAll(/^- (.+)$/gm)].map(([, line = '']) => line)
  const span = lines.find((line) => SPAN.test(line))
  const values = lines.filter((line) => line !== span).map(withoutColon)
  const notes = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('- ') && !EXERCISE.test(line) && !NUMBERS.test(line))
    .join(' ')
  const what = exercise === undefined ? '' : `"${exercise.replaceAll('"', "'")}"${span ? ` from ${span}` : ''}`
  const measured = [what, values.join('; ')].filter((part) => part !== '').join(': ')
  const noted = notes === '' ? '' : ` I noted: "${clip(notes, 300).replaceAll('"', "'")}"`
  const title = [exercise ?? 'Health', span, ...values].filter((part) => part !== undefined).join(', ')
  return {
    narrative: `${day ? `On ${day} ` : ''}I recorded ${measured}.${noted}`,
    headline:
      title.length <= LONGEST_HEADLINE ? title : [exercise ?? 'Health', span, values[0]].filter(Boolean).join(', '),
  }
}

/** `energy 910 kcal` from `Energy: 910 kcal`. */
function withoutColon(line: string): string {
  return line.replace(/^(\p{Lu})(.{0,30}?): /u, (_, first: string, rest: string) => `${first.toLowerCase()}${rest} `)
}

interface Weighted {
  readonly words: string
  readonly weight: number
}

/** The ones with the highest weight in order, in quotation marks. */
function named<T extends Weighted>(all: readonly T[], behind: (one: T) => string = () => ''): string[] {
  const heaviest = new Set(all.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_NAMED))
  return all
    .filter((one) => heaviest.has(one))
    .map((one) => `"${clip(one.words, LONGEST_NAMED).replaceAll('"', "'")}"${behind(one)}`)
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
