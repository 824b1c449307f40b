import { DocumentProblem, type DocumentText } from './document-text.ts'
import { readProperties } from './office-package.ts'
import { OpenDocumentReader } from './open-document-reader.ts'
import { readOpenSheets } from './open-document-sheets.ts'
import { readXml } from './read-xml.ts'
import type { ZipParts } from './zip-parts.ts'

/** A text, a presentation or a spreadsheet of OpenDocument (ISO/IEC 26300, OASIS ODF 1.3). */
export async function readOpenDocument(format: 'odt' | 'odp' | 'ods', parts: ZipParts): Promise<DocumentText> {
  if (await isEncrypted(parts)) throw new DocumentProblem('encrypted')
  if (!parts.has('content.xml')) throw new DocumentProblem('damaged')
  const properties = await readProperties(parts, 'meta.xml')
  const content = parts.text('content.xml')
  if (format === 'ods') return { format, ...(await readOpenSheets(content)), properties }
  const reader = new OpenDocumentReader()
  await readXml(content, reader)
  const { blocks, title, skips } = reader.finish()
  return { format, blocks, properties: { ...(title !== undefined && { title }), ...properties }, skips }
}

/** With a password the manifest says how each part was encrypted (ODF 1.3 part 2, 3.4). */
async function isEncrypted(parts: ZipParts): Promise<boolean> {
  let encrypted = false
  await readXml(parts.text('META-INF/manifest.xml'), {
    open(name) {
      if (name === 'encryption-data') encrypted = true
      return undefined
    },
  })
  return encrypted
}
