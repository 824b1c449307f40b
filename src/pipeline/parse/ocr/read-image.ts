import { AppError } from '../../../domain/errors.ts'
import { createTextBuilder } from '../markdown.ts'
import type { Draft, ParseContext } from '../parse-context.ts'
import type { Ocr } from './ocr.ts'
import { ScannedPages } from './scanned-pages.ts'

/** The text in an image, titled with the file name. Rejects with `unreadable` when there is none. */
export async function readImage(ocr: Ocr, context: ParseContext): Promise<Draft> {
  const read = await ocr.read(context.file.body)
  const scans = new ScannedPages()
  scans.add(1, read)
  if (scans.pages.length === 0) {
    throw new AppError(
      'unreadable',
      read === undefined
        ? 'The image is damaged, too large or takes too long to read; save a smaller copy and upload that'
        : 'No text could be read in the image; upload one that shows text, with at least 20 pixels for each line',
    )
  }
  const builder = createTextBuilder(context)
  scans.write(builder, context)
  scans.noteSkips(context, read?.length ?? 0)
  return { kind: 'document', ...builder.build(), meta: { title: context.redact(context.file.fileName) } }
}
