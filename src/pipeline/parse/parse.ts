import { isDocumentFormat, isImageFormat, UNREAD_FORMATS } from '../../domain/content-format.ts'
import type { Block, DocumentKind, DocumentMeta, ParsedDocument, SourceFile } from '../../domain/document.ts'
import { AppError } from '../../domain/errors.ts'
import { trackedNoun } from '../../domain/source-type.ts'
import { originalUrl } from '../redact.ts'
import type { Stage } from '../stage.ts'
import { withSectionDays } from './dated-sections.ts'
import { createDocumentReader, type DocumentReader } from './document/document-reader.ts'
import { readDocument } from './document/read-document.ts'
import { isDeclaredMail, isMail, readMail } from './mail.ts'
import { readMails } from './mailbox.ts'
import { dayInName } from './named-day.ts'
import { OCR_OFF, type Ocr } from './ocr/ocr.ts'
import { readImage } from './ocr/read-image.ts'
import { createParseContext, type Draft, decodeText, type ParseContext } from './parse-context.ts'
import { printedMail } from './printed-mail.ts'
import { readText } from './read-text.ts'
import { sniffContent } from './sniff.ts'
import { decodeVCards, isVCards } from './vcard.ts'

/** The first stage, with the thread it may have started. */
export interface ParseStage extends Stage<'parse', SourceFile, ParsedDocument> {
  /** Ends the process that reads PDFs and Office documents; the stage can be used again afterwards. */
  close(): Promise<void>
}

/**
 * Converts any file to text with structure; its content determines the format. Rejects with `unreadable` and the remedy
 * when it has no readable text; partial omissions are recorded in `skips`.
 * @param reader reads PDFs and Office documents; a process that starts with the first of them when absent
 * @param ocr reads images; none are read when absent
 */
export function createParse(reader: DocumentReader = createDocumentReader(), ocr: Ocr = OCR_OFF): ParseStage {
  return {
    name: 'parse',
    run: (file) => parseFile(file, { reader, ocr }),
    close: () => reader.close(),
  }
}

export const parse: ParseStage = createParse()

interface Readers {
  readonly reader: DocumentReader
  readonly ocr: Ocr
}

async function parseFile(file: SourceFile, readers: Readers): Promise<ParsedDocument> {
  const context = createParseContext(file)
  const { kind: form, text, blocks, meta } = await readFile(file, readers, context)
  const kind = kindBySource(form, file)
  const when = meta.when ?? namedDay(kind, blocks, meta, file)
  const kept = blocks.filter((block) => isInsideText(block, text))
  const isProse = kind === 'note' || kind === 'document'
  return {
    kind,
    text,
    blocks: isProse ? withSectionDays(text, kept, { title: meta.title, when, file }) : kept,
    meta: presentFields({ ...meta, when }),
    skips: context.skips(),
  }
}

async function readFile(file: SourceFile, readers: Readers, context: ParseContext): Promise<Draft> {
  const format = sniffContent(file.body, file.fileName, file.contentType)
  if (isDocumentFormat(format)) return readDocument(format, readers, context)
  if (isImageFormat(format)) return readImage(readers.ocr, context)
  if (format !== 'text') throw new AppError('unreadable', UNREAD_FORMATS[format])
  const utf8 = decodeText(file.body)
  // Mails and contacts may be in other encodings, which they name.
  const head = utf8 ?? Buffer.from(file.body.subarray(0, 16_384)).toString('latin1').replace(/\r\n?/g, '\n')
  if (isMail(head, isDeclaredMail(file))) return readMails(file.body, context)
  const text = utf8 ?? (isVCards(head, file) ? decodeVCards(file.body) : undefined)
  if (text === undefined) {
    throw new AppError(
      'unreadable',
      'The file is not valid UTF-8 text; save it with the encoding UTF-8 and upload it again',
    )
  }
  const printed = printedMail(text, context)
  return printed ? readMail(printed, context) : readText(text, context)
}

/** The day in the title or the file name, if turns with their own time state nothing else. */
function namedDay(kind: DocumentKind, blocks: readonly Block[], { title }: DocumentMeta, file: SourceFile) {
  // The title of a mail, an issue or a session is its subject.
  if (kind === 'email' || kind === 'issue' || kind === 'calendar' || kind === 'agent') return undefined
  const day = dayInName(title, file)
  const first = blocks.find(({ at }) => at !== undefined)?.at
  return day && first && Math.abs(first.getTime() - day.start.getTime()) > 86_400_000 ? undefined : day
}

/** A thread written as turns looks like a chat; its source shows that it is mail or an issue. */
function kindBySource(kind: DocumentKind, { sourceType }: SourceFile): DocumentKind {
  if (kind !== 'chat') return kind
  if (sourceType === 'email' || sourceType === 'ms-outlook') return 'email'
  return trackedNoun(sourceType) === undefined ? kind : 'issue'
}

function isInsideText(block: Block, text: string): boolean {
  return block.start >= 0 && block.end <= text.length && block.end > block.start
}

/** Without absent fields, and without an address that may not be kept. */
function presentFields({ url: written, ...meta }: DocumentMeta): DocumentMeta {
  const url = written === undefined ? undefined : originalUrl(written)
  return Object.fromEntries(Object.entries({ ...meta, url }).filter(([, value]) => value !== undefined))
}
