import mammoth from 'mammoth'
import { htmlToMarkdown } from '../../../lib/html-to-markdown.ts'
import type { DocumentFailure, DocumentProperties } from './document-text.ts'
import { openZip, readCoreProperties } from './office-package.ts'

/** Largest unpacked size: a file of 10 MB can unpack to gigabytes. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024

export interface DocxText {
  readonly format: 'docx'
  readonly markdown: string
  readonly properties: DocumentProperties
  readonly images: number
  /** Parts of which only the words are read. */
  readonly flattened: number
}

/** The text of a Word document as Markdown, or why there is none. */
export async function readDocx(bytes: Uint8Array): Promise<DocxText | DocumentFailure> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (unpackedSize(buffer) > MAX_UNPACKED_BYTES) return 'too_large'
  let images = 0
  const convertImage = mammoth.images.imgElement(async () => {
    images++
    return { src: '' }
  })
  const html = await convert(buffer, convertImage)
  if (html === undefined) return 'damaged'
  const { markdown, flattened } = htmlToMarkdown(html.replace(/<img\b[^<>]{0,2000}>/g, ''))
  if (markdown.trim() === '') return 'no_text'
  return { format: 'docx', markdown, properties: await propertiesOf(bytes), images, flattened }
}

async function convert(
  buffer: Buffer,
  convertImage: ReturnType<typeof mammoth.images.imgElement>,
): Promise<string | undefined> {
  try {
    return (await mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false })).value
  } catch (error) {
    // Errors of the library mean a damaged file: bad zip, missing parts, bad XML.
    if (error instanceof Error) return undefined
    throw error
  }
}

/** No properties when they are unreadable, because the text matters more. */
async function propertiesOf(bytes: Uint8Array): Promise<DocumentProperties> {
  try {
    return await readCoreProperties(await openZip(bytes))
  } catch (error) {
    if (error instanceof Error) return {}
    throw error
  }
}

/** Sum of the sizes that the central directory declares (PKWARE APPNOTE 4.3.12). */
function unpackedSize(zip: Buffer): number {
  let total = 0
  for (
    let at = zip.indexOf('PK\x01\x02', 0, 'latin1');
    at >= 0 && at + 46 <= zip.length;
    at = zip.indexOf('PK\x01\x02', at + 46, 'latin1')
  ) {
    total += zip.readUInt32LE(at + 24)
  }
  return total
}
