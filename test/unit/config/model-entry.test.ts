import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEmbeddingModel, removeModel, writeEmbeddingModel } from '../../../src/config/model-entry.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const MINILM = { provider: 'local', model: 'minilm' }

function configFile(text: string): string {
  const file = join(temporaryFolder(), 'config.yaml')
  writeFileSync(file, text)
  return file
}

test('an embedding model is named in config.yaml, whose comments stay', () => {
  const file = configFile('# mine\nport: 1234 # a good one\n')
  writeEmbeddingModel(file, MINILM)
  const text = '# mine\nport: 1234 # a good one\nmodels:\n  embedding:\n    provider: local\n    model: minilm\n'
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(readFileSync(`${file}.backup`, 'utf8')).toBe('# mine\nport: 1234 # a good one\n')
  expect(readEmbeddingModel(file)).toEqual(MINILM)
})

test('settings beside it stay when the same model is named again', () => {
  const text = 'models:\n  embedding: {provider: local, model: minilm, threads: 3}\n'
  const file = configFile(text)
  writeEmbeddingModel(file, MINILM)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('it stands beside other models, in a file of comments alone, and goes without a trace', () => {
  const comments = '# port: 1\n#\n# host: here\n'
  const file = configFile(comments)
  for (let round = 0; round < 2; round++) {
    writeEmbeddingModel(file, MINILM)
    expect(readFileSync(file, 'utf8')).toContain('\nmodels:\n  embedding:\n    provider: local\n')
    expect(removeModel(file, MINILM)).toBe(true)
    expect(readFileSync(file, 'utf8').trim()).toBe(comments.trim())
  }
  const both = configFile(
    'models:\n  reranker: {provider: onnx, model: ./x}\n  embedding: {provider: local, model: minilm}\n',
  )
  expect(removeModel(both, MINILM)).toBe(true)
  expect(readFileSync(both, 'utf8')).toBe('models:\n  reranker: {provider: onnx, model: ./x}\n')
})

test('it goes from the reranker too, which could not be opened without its files', () => {
  const own = '{provider: local, model: minilm}'
  const both = configFile(`models:\n  reranker: ${own}\n  embedding: ${own}\n`)
  expect(removeModel(both, MINILM)).toBe(true)
  expect(readFileSync(both, 'utf8')).not.toContain('minilm')
  const alone = configFile(`port: 1\nmodels:\n  reranker: ${own}\n`)
  expect(removeModel(alone, MINILM)).toBe(false)
  expect(readFileSync(alone, 'utf8')).toBe('port: 1\n')
})

test('another model is not removed, and no file is made for nothing', () => {
  const text = 'models:\n  embedding: {provider: onnx, model: ./mine}\n'
  const file = configFile(text)
  expect(removeModel(file, MINILM)).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe(text)
  const none = join(temporaryFolder(), 'config.yaml')
  expect(removeModel(none, MINILM)).toBe(false)
  expect(readEmbeddingModel(none)).toBeUndefined()
  expect(existsSync(none)).toBe(false)
})
