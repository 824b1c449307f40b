import { describe, expect, test } from 'vitest'
import { createPipeline } from '../../../src/pipeline/pipeline.ts'
import { wordEmbedder } from '../../lib/word-embedder.ts'
import { sourceFile } from './parse/parse-source-file.ts'

describe('the title of an item', () => {
  const titleOf = async (fileName: string, text: string) => {
    const pipeline = createPipeline({ embedder: wordEmbedder() })
    return (await pipeline.run({ ...sourceFile(text), fileName })).title
  }
  const text = 'The outage lasted 51 minutes. Nobody was charged twice.'

  test.each(['correction.md', 'note.md', 'note-2026-03-12-10-15-00.md'])(
    'of a text written in recalld is its headline, because nobody chose the name %s',
    async (fileName) => {
      expect(await titleOf(fileName, text)).toBe('The outage lasted 51 minutes')
    },
  )

  test('of other files is only what they state', async () => {
    expect(await titleOf('outage.md', text)).toBeUndefined()
    expect(await titleOf('note.md', `# Post-mortem\n\n${text}`)).toBe('Post-mortem')
  })
})
