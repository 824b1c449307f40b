import { describe, expect, test } from 'vitest'
import { SERVICE_PROBLEMS } from '../../../src/domain/service-problems.ts'
import { fillSentence, sentenceReader } from '../../../src/domain/source-problems.ts'
import { german } from '../../../src/web/languages/de/german.ts'
import { japanese } from '../../../src/web/languages/ja/japanese.ts'
import { repositoryFiles } from '../../lib/repository-files.ts'

const CODES = Object.keys(SERVICE_PROBLEMS) as (keyof typeof SERVICE_PROBLEMS)[]
const names = (sentence: string) => Array.from(sentence.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
const read = sentenceReader(SERVICE_PROBLEMS)

test.each(CODES)('an error of the service leads back to its words: %s', (code) => {
  const values = Object.fromEntries(names(SERVICE_PROBLEMS[code]).map((name) => [name, `the ${name} (of 3)`]))
  const sentence = fillSentence(SERVICE_PROBLEMS[code], values)
  expect(read(sentence)).toEqual({ code, parameters: values })
})

describe.each([
  ['German', german.serviceProblems],
  ['Japanese', japanese.serviceProblems],
])('in %s', (_, sentences) => {
  test.each(CODES)('%s has a sentence of its own with the same parameters', (code) => {
    expect(names(sentences[code]).toSorted()).toEqual(names(SERVICE_PROBLEMS[code]).toSorted())
    expect(sentences[code]).not.toBe(SERVICE_PROBLEMS[code])
  })
})

test('the service states each of these sentences, so rewording one is noticed', () => {
  const sources = repositoryFiles(
    /^(?:connectors|src\/(?:http|service|connections|connector|config|domain|administration|store|sync))\/(?!service-problems).*\.ts$/,
  )
  const texts = sources.map(({ source }) => source.replaceAll("\\'", "'")).join('\n')
  const partsOf = (code: (typeof CODES)[number]) =>
    SERVICE_PROBLEMS[code].split(/\{\w+\}/).flatMap((part) => part.trim() || [])
  expect(CODES.filter((code) => !partsOf(code).every((part) => texts.includes(part)))).toEqual([])
})
