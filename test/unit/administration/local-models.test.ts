import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openLocalModels } from '../../../src/administration/local-models.ts'
import { homeFiles } from '../../../src/config/home-folder.ts'
import type { SpareResources } from '../../../src/lib/machine.ts'
import { hasEngine, localModelFiles } from '../../../src/models/local/local-models.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const ENOUGH: SpareResources = { cores: 2, memoryBytes: 1_000_000_000 }

function modelsOf(home: string, spare: SpareResources | undefined = ENOUGH) {
  return openLocalModels(homeFiles(home), spare && (() => spare))
}

function isOffered(home: string, spare?: SpareResources): boolean | undefined {
  return modelsOf(home, spare).list()[0]?.is_offered
}

function homeWith(yaml: string): string {
  const home = temporaryFolder()
  writeFileSync(homeFiles(home).config, yaml)
  return home
}

describe.skipIf(!hasEngine())('a local model', () => {
  test('is offered by a machine with two cores and a gigabyte to spare, and by no smaller one', () => {
    const home = homeWith('')
    expect(isOffered(home)).toBe(true)
    expect(isOffered(home, { ...ENOUGH, cores: 1 })).toBe(false)
    expect(isOffered(home, { ...ENOUGH, memoryBytes: 999_999_999 })).toBe(false)
    expect(openLocalModels(homeFiles(home)).list()[0]?.is_offered).toBe(false)
  })

  test('is not offered once it was declined, also after a restart', () => {
    const home = homeWith('')
    modelsOf(home).decline('minilm')
    expect(isOffered(home)).toBe(false)
  })

  test('is not offered again once it was removed', () => {
    const home = homeWith('')
    modelsOf(home).delete('minilm')
    expect(isOffered(home)).toBe(false)
  })

  test('is not offered while it is installed, or another embedding model is chosen', () => {
    const installed = homeWith('')
    const { folder, graph, tokenizer, engine } = localModelFiles('minilm', homeFiles(installed).models)
    for (const path of [folder, engine]) mkdirSync(path, { recursive: true })
    for (const path of [graph, tokenizer]) writeFileSync(path, '')
    expect(isOffered(installed)).toBe(false)
    const other = 'models:\n  embedding: {provider: openai-compatible, model: bge-m3, url: "http://127.0.0.1:9/v1"}\n'
    expect(isOffered(homeWith(other))).toBe(false)
  })
})
