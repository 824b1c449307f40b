import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSourceType, type SourceType } from '../../domain/source-type.ts'
import { packagePath } from '../../lib/files.ts'

export interface Sample {
  readonly sourceType: SourceType
  readonly fileName: string
  readonly body: Uint8Array
  readonly itemId: string
}

/** The owner of the samples and her time zone. */
export const SAMPLE_USER = { name: 'Mara Lindqvist', timeZone: 'Europe/Berlin' }

/** The files that come with recalld: `samples/<source type>/<file>`. */
export async function readSamples(): Promise<Sample[]> {
  const root = packagePath('samples')
  const samples: Sample[] = []
  for (const sourceType of (await readdir(root)).filter(isSourceType).sort()) {
    for (const fileName of (await readdir(join(root, sourceType))).sort()) {
      const itemId = `${sourceType}-${fileName.replace(/[^\w-]+/g, '-')}`
      samples.push({ sourceType, fileName, itemId, body: await readFile(join(root, sourceType, fileName)) })
    }
  }
  return samples
}
