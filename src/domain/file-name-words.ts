import type { SourceType } from './source-type.ts'

/** Sources whose files are named by people; elsewhere names are made from ids, times or titles, such as the subject of a mail. */
const NAMED: ReadonlySet<SourceType> = new Set([
  'text',
  'technical_docs',
  'pdf',
  'gdocs',
  'weekly_updates',
  'google_meets',
  'contacts',
  'photos',
  'ms-onedrive',
  'ms-sharepoint',
])

const EXTENSION = /(?:\.(?:tar|md|txt))?\.[a-z][a-z0-9]{0,9}$/i
/** `lease (1)` is a copy of `lease`. */
const COPY = /[ _-]*\(\d{1,2}\)$/
/** `2026-03-14`, `2026-03`, `20260314T101200`, `14.03.2026`, with a time: only the year is a word that anybody asks with. */
const DATE = new RegExp(
  [
    String.raw`(?<!\d)((?:19|20)\d\d)([-_. ]?)(?:0[1-9]|1[0-2])(?:\2(?:0[1-9]|[12]\d|3[01]))?`,
    String.raw`(?:(?:[ _-]|T| at )[012]?\d[-_.:h]?[0-5]\d(?:[-_.:m]?[0-5]\ds?)?)?(?!\d)`,
    String.raw`|(?<!\d)[0-3]?\d([-_.])[01]?\d\3((?:19|20)?\d\d)(?!\d)`,
  ].join(''),
  'gi',
)
/** A UUID, or what a camera or a scanner counts: `IMG_2031`. */
const COUNTED =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?:img|dscn?|dscf|pxl|mvimg|vid|mov|gopr|scan|doc|image|photo)[-_ ]?\d+/gi
/** Words of names that cameras, programs and hurried people give. */
const GENERIC: ReadonlySet<string> = new Set(
  `img dsc dscn dscf pxl mvimg vid mov gopr snap wa whatsapp signal image images photo photos picture pic screenshot screen
  shot capture video audio voice memo recording rec scan scanned doc docs document documents file files untitled unnamed
  noname unknown download downloads export exported upload uploaded attachment attachments att part page pages item items
  note notes correction mail email message messages msg event events invite calendar contacts chat text txt new copy of
  final draft version rev temp tmp test data output result results index readme main default the a at my from and gmt utc
  v pdf md html csv eml ics vcf docx xlsx pptx png jpg jpeg heic session transcript conversation conv thread day week`.split(
    /\s+/,
  ),
)
const MOST_CHARACTERS = 200
const LONGEST_WORD = 24
/** `HbA1c` */
const SHORT_WORD = 6

/**
 * The words of a file name that somebody chose, such as `lease 2026 signed` of `lease-2026-signed.pdf`; empty for names of
 * cameras, programs and ids, such as `IMG_2031.jpg`.
 */
export function fileNameWords({ fileName, sourceType }: { fileName: string; sourceType: SourceType }): string {
  if (!NAMED.has(sourceType)) return ''
  const bare = bareName(fileName)
    .slice(0, MOST_CHARACTERS)
    .replace(COUNTED, ' ')
    .replace(DATE, (_, year, __, ___, other) => ` ${year ?? other} `)
  const words = bare
    .split(/[^\p{L}\p{M}\p{N}'’]+/u)
    .filter((word) => word !== '' && !isMachineMade(word) && !GENERIC.has(word.toLowerCase()))
  return words.some(isWord) ? words.join(' ') : ''
}

/** Without folders, extension and the number of a copy. */
export function bareName(fileName: string): string {
  return fileName
    .normalize('NFC')
    .replace(/^.*[\\/]/s, '')
    .replace(EXTENSION, '')
    .replace(COPY, '')
}

function isWord(word: string): boolean {
  const letters = word.replace(/\P{L}+/gu, '')
  return letters.length > 1 && !GENERIC.has(letters.toLowerCase())
}

/** Parts of ids, hashes and times, and numbers of a series. */
function isMachineMade(word: string): boolean {
  if (/^\d+$/.test(word)) return word.length === 1 || word.length > 8
  if (word.length > LONGEST_WORD && !/[^\0-\x7f]/.test(word)) return true
  if (/^\p{L}{3,}(?:19|20)\d\d$/u.test(word)) return false
  if (/\d/.test(word) && (/^[0-9a-f]{7,}$/i.test(word) || /^[A-Z0-9]{8,}$/.test(word))) return true
  // `dQw4w9WgXcQ`: letters and digits in no order that a person writes.
  const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+/gu) ?? []
  return (
    (parts.length > 3 && word.length > SHORT_WORD && word.length / parts.length < 2.5) ||
    /^[bcdfghjklmnpqrstvwxz]{6,}$/i.test(word)
  )
}
