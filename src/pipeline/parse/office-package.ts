import { posix } from 'node:path'
import { DocumentProblem, type DocumentProperties } from './document-text.ts'
import { readXml, type XmlAttributes } from './read-xml.ts'
import type { ZipParts } from './zip-parts.ts'

/** Where a part of an Office Open XML package points to (ECMA-376 part 2, 6.5). */
export interface Relation {
  readonly id: string
  /** The last word of its type, the same in the transitional and the strict form: `slide`, `worksheet`. */
  readonly type: string
  /** The name of the part. */
  readonly target: string
}

const PROPERTY_MAX = 300
const LOCAL_TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]+)?$/
/** Whom programs and libraries name when nobody has said who writes. */
const STANDARD_AUTHOR =
  /^(?:un-?named|unknown|author|user|admin(?:istrator)?|microsoft office user|openpyxl|python-docx|python-pptx|apache poi)$/i

/** The relations of a part inside the package; of the package itself with an empty name. */
export async function relationsOf(parts: ZipParts, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part === '' ? 'x' : part)
  const relations: Relation[] = []
  await readXml(parts.text(posix.join(folder, '_rels', `${posix.basename(part)}.rels`)), {
    open(name, attributes) {
      const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes
      if (name !== 'Relationship' || id === undefined || type === undefined || target === undefined) return undefined
      if (mode === 'External') return undefined
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: path })
      return undefined
    },
  })
  return relations
}

/**
 * The part that the package is about, which is `standard` in all but rare ones.
 *
 * @throws DocumentProblem `damaged` when it is not there
 */
export async function mainPart(parts: ZipParts, standard: string): Promise<string> {
  const main = (await relationsOf(parts, '')).find(({ type }) => type === 'officeDocument')
  const found = [main?.target ?? standard, standard].find((part) => parts.has(part))
  if (found === undefined) throw new DocumentProblem('damaged')
  return found
}

/** The properties of an Office Open XML package (docProps/core.xml) or an OpenDocument one (meta.xml). */
export async function readProperties(parts: ZipParts, part: string): Promise<DocumentProperties> {
  const found = new Map<string, string>()
  let open = ''
  await readXml(parts.text(part), {
    open(name) {
      open = name
      return undefined
    },
    close() {
      open = ''
    },
    text(text) {
      if (open !== '') found.set(open, ((found.get(open) ?? '') + text).slice(0, PROPERTY_MAX))
    },
  })
  const value = (...names: readonly string[]): string | undefined =>
    names.map((name) => found.get(name)?.replace(/\s+/g, ' ').trim()).find((text) => text !== undefined && text !== '')
  const title = value('title')
  const author = value('creator', 'initial-creator')
  const changedAt = timeOf(value('modified', 'date') ?? value('created', 'creation-date'))
  return {
    ...(title !== undefined && !isStandardTitle(title) && { title }),
    ...(author !== undefined && !STANDARD_AUTHOR.test(author) && { author }),
    ...(changedAt !== undefined && { changedAt }),
  }
}

/** The part with the core properties, which some programs name otherwise. */
export async function readCoreProperties(parts: ZipParts): Promise<DocumentProperties> {
  const core = (await relationsOf(parts, '')).find(({ type }) => type === 'core-properties')
  return readProperties(parts, core?.target ?? 'docProps/core.xml')
}

/** `r:id`, which stands beside an `id` of another meaning. */
export function relationId(attributes: XmlAttributes): string | undefined {
  const key = Object.keys(attributes).find((name) => name.endsWith(':id'))
  return key === undefined ? undefined : attributes[key]
}

/** What programs put there by themselves, and names of files. */
function isStandardTitle(title: string): boolean {
  return /^(?:untitled.{0,20}|microsoft (?:word|powerpoint|excel) - .*|powerpoint presentation|powerpoint-präsentation|présentation powerpoint|presentación de powerpoint|.*\.(?:docx?|pptx?|xlsx?|od[tps]|dotx?|potx?))$/i.test(
    title,
  )
}

function timeOf(value: string | undefined): string | undefined {
  const at = new Date(value ?? '')
  // Files that were made without a clock say 1601, 1970 or 1980.
  if (value === undefined || Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1985) return undefined
  // OpenDocument has the time on the wall: the zone of this machine says nothing about it.
  return LOCAL_TIME.test(value) ? value : at.toISOString()
}
