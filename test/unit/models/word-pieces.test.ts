import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import { describe, expect, it } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { createWordPieces } from '../../../src/models/static/word-pieces.ts'
import { createCorpus } from '../../bench/corpus.ts'

const definition = JSON.parse(readFileSync(packagePath('models/static-en-40k/tokenizer.json'), 'utf8'))

describe('word pieces of ASCII', () => {
  it('are those of the library: words, made-up words, names in code, numbers, marks, and names of properties', () => {
    const library = new Tokenizer(definition, {})
    const wordPieces = createWordPieces(definition)!
    const texts = [
      createCorpus().text(1, 8_000),
      readFileSync(packagePath('src/models/static/static-embedder.ts'), 'utf8'),
      readFileSync(packagePath('README.md'), 'utf8'),
      'constructor toString hasOwnProperty Qz9 1234567890 ! " # $ % & ( ) * + , - . / : ; < = > ? @ [ ] ^ _ ` { | } ~',
      `${'a'.repeat(100)} ${'a'.repeat(101)} ${'qx'.repeat(60)}`,
    ]
    const pieces = [...new Set(texts.flatMap((text) => text.match(/[A-Za-z0-9]+|[!-~]/g) ?? []))]
    expect(pieces.length).toBeGreaterThan(1_000)
    expect(pieces.map(wordPieces)).toEqual(pieces.map((piece) => library.encode(piece).ids))
  })

  it.each([
    { difference: 'keeps capitals', changed: { normalizer: { ...definition.normalizer, lowercase: false } } },
    { difference: 'has another model', changed: { model: { ...definition.model, type: 'BPE' } } },
    { difference: 'adds a word of its own', changed: { added_tokens: [{ id: 0, content: 'unused' }] } },
  ])('are not known for a tokenizer that $difference', ({ changed }) => {
    expect(createWordPieces({ ...definition, ...changed })).toBeUndefined()
  })
})
