import { posix } from 'node:path'
import { SaxesParser } from 'saxes'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { DocumentProblem, type DocumentProperties } from './document-text.ts'

/** Unpacked, all parts together: a file of 10 MB can unpack to gigabytes. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024
const MAX_PARTS = 20_000

/** The parts of an Office document; their names are compared without case, as ECMA-376 part 2 (6.2.2.3) says. */
export interface ZipParts {
  has(name: string): boolean
  /** The text of a part, in chunks; nothing for a missing part. @throws DocumentProblem `too_large` */
  text(name: string): AsyncGenerator<string>
}

/**
 * Opens a zip by its central directory. Throws for unsafe names, sizes that contradict the directory and other damage.
 * @param most maximum unpacked bytes
 * @throws DocumentProblem `encrypted`, or `too_large` by the sizes in the directory
 */
export async function openZip(bytes: Uint8Array, most = MAX_UNPACKED_BYTES): Promise<ZipParts> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (zip.entryCount > MAX_PARTS) throw new DocumentProblem('too_large')
  const parts = new Map<string, Entry>()
  let declared = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new DocumentProblem('encrypted')
    declared += entry.uncompressedSize
    if (declared > most) throw new DocumentProblem('too_large')
    parts.set(entry.fileName.toLowerCase(), entry)
  }
  return new OpenZip(zip, parts, most)
}

class OpenZip implements ZipParts {
  readonly #zip: ZipFile
  readonly #parts: ReadonlyMap<string, Entry>
  readonly #most: number
  /** Bytes unpacked so far: several names may share the same bytes, and a part may be read more than once. */
  #unpacked = 0

  constructor(zip: ZipFile, parts: ReadonlyMap<string, Entry>, most: number) {
    this.#most = most
    this.#zip = zip
    this.#parts = parts
  }

  has(name: string): boolean {
    return this.#parts.has(name.toLowerCase())
  }

  async *text(name: string): AsyncGenerator<string> {
    const entry = this.#parts.get(name.toLowerCase())
    if (entry === undefined) return
    let decoder: InstanceType<typeof TextDecoder> | undefined
    // The stream fails as soon as it exceeds the size in the directory.
    for await (const piece of await this.#zip.openReadStreamPromise(entry)) {
      const bytes: Uint8Array = piece
      this.#unpacked += bytes.length
      if (this.#unpacked > this.#most) throw new DocumentProblem('too_large')
      decoder ??= new TextDecoder(encodingOf(bytes))
      yield decoder.decode(bytes, { stream: true })
    }
    if (decoder !== undefined) yield decoder.decode()
  }
}

/** XML in Office documents is UTF-8 or UTF-16 (ECMA-376 part 2, 6.2.5), which begins with its byte order mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

export type XmlAttributes = Readonly<Record<string, string>>

/** Handlers for a part's XML; element names have no prefix. */
export interface XmlHandler {
  /** @returns `skip`: no further events for the element's content and end */
  open(name: string, attributes: XmlAttributes): 'skip' | undefined
  close?(name: string): void
  text?(text: string): void
}

/**
 * Parses XML in chunks. Document type declarations are ignored, and an entity that only they could declare is an error,
 * so nothing external is read and nothing expands. Throws on malformed XML.
 */
export async function readXml(pieces: AsyncIterable<string>, handler: XmlHandler): Promise<void> {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  let skipping = 0
  parser.on('opentag', ({ name, attributes }) => {
    if (skipping > 0 || handler.open(localName(name), attributes) === 'skip') skipping++
  })
  parser.on('closetag', ({ name }) => {
    if (skipping > 0) skipping--
    else handler.close?.(localName(name))
  })
  const onText = (text: string) => {
    if (skipping === 0) handler.text?.(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  let isEmpty = true
  for await (const piece of pieces) {
    isEmpty = false
    parser.write(piece)
  }
  if (!isEmpty) parser.close()
}

/** The value of an attribute, with any prefix. */
export function attribute(attributes: XmlAttributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name]
  for (const key in attributes) if (key.endsWith(`:${name}`)) return attributes[key]
  return undefined
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** The target of a relationship in an Office Open XML package (ECMA-376 part 2, 6.5). */
export interface Relation {
  readonly id: string
  /** The last word of its type, the same in the transitional and the strict form: `slide`, `worksheet`. */
  readonly type: string
  /** The name of the part. */
  readonly target: string
}

const PROPERTY_MAX = 300
const LOCAL_TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]+)?$/
/** Default authors of programs and libraries. */
const STANDARD_AUTHOR =
  /^(?:un-?named|unknown|author|user|admin(?:istrator)?|microsoft office user|openpyxl|python-docx|python-pptx|apache poi)$/i

/** The relationships of a part inside the package; of the package itself with an empty name. */
export async function readRelations(parts: ZipParts, part: string): Promise<Relation[]> {
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
 * The main part of the package, which is `standard` in all but rare ones.
 * @throws DocumentProblem `damaged` when it is missing
 */
export async function mainPart(parts: ZipParts, standard: string): Promise<string> {
  const main = (await readRelations(parts, '')).find(({ type }) => type === 'officeDocument')
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
  const changedAt = documentTime(value('modified', 'date') ?? value('created', 'creation-date'))
  return {
    ...(title !== undefined && !isStandardTitle(title) && { title }),
    ...(author !== undefined && !STANDARD_AUTHOR.test(author) && { author }),
    ...(changedAt !== undefined && { changedAt }),
  }
}

/** The part with the core properties, which some programs name differently. */
export async function readCoreProperties(parts: ZipParts): Promise<DocumentProperties> {
  const core = (await readRelations(parts, '')).find(({ type }) => type === 'core-properties')
  return readProperties(parts, core?.target ?? 'docProps/core.xml')
}

/** `r:id`, which differs from a plain `id`. */
export function relationId(attributes: XmlAttributes): string | undefined {
  const key = Object.keys(attributes).find((name) => name.endsWith(':id'))
  return key === undefined ? undefined : attributes[key]
}

/** Default titles of programs, and file names. */
function isStandardTitle(title: string): boolean {
  return /^(?:untitled.{0,20}|microsoft (?:word|powerpoint|excel) - .*|powerpoint presentation|powerpoint-präsentation|présentation powerpoint|presentación de powerpoint|.*\.(?:docx?|pptx?|xlsx?|od[tps]|dotx?|potx?))$/i.test(
    title,
  )
}

function documentTime(value: string | undefined): string | undefined {
  const at = new Date(value ?? '')
  // Files created without a clock have 1601, 1970 or 1980.
  if (value === undefined || Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1985) return undefined
  // OpenDocument has local times: the zone of this machine is unrelated.
  return LOCAL_TIME.test(value) ? value : at.toISOString()
}
