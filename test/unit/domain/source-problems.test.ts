import { expect, test } from 'vitest'
import { fillSentence, SOURCE_PROBLEMS, sourceProblem } from '../../../src/domain/source-problems.ts'
import { german } from '../../../src/web/languages/de/german.ts'
import { japanese } from '../../../src/web/languages/ja/japanese.ts'
import { repositoryFiles } from '../../lib/repository-files.ts'
import { type Node, syntaxTree } from '../../lib/syntax-tree.ts'

const CODES = Object.keys(SOURCE_PROBLEMS) as (keyof typeof SOURCE_PROBLEMS)[]
const names = (sentence: string) => Array.from(sentence.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

test.each(CODES)('a stored sentence leads back to its words: %s', (code) => {
  const values = Object.fromEntries(names(SOURCE_PROBLEMS[code]).map((name) => [name, `~/${name} (of 3)`]))
  const sentence = fillSentence(SOURCE_PROBLEMS[code], values)
  const found = sourceProblem(sentence)
  expect(fillSentence(SOURCE_PROBLEMS[found?.code ?? 'no_token'], found?.parameters ?? {})).toBe(sentence)
})

test('a sentence that nobody gave a code has none', () => {
  expect(sourceProblem('The moon is in the way.')).toBeUndefined()
})

test.each([
  ['German', german.sourceProblems],
  ['Japanese', japanese.sourceProblems],
])('no sentence in %s names what the English one does not know', (_, sentences) => {
  for (const code of CODES) {
    const known = names(SOURCE_PROBLEMS[code])
    expect(
      names(sentences[code]).filter((name) => !known.includes(name)),
      code,
    ).toEqual([])
  }
})

const SOURCES = /^(?:connectors|src\/(?:connector|connections|sync))\/.*\.ts$/

test('sources state every sentence that has a code, so rewording one is noticed', () => {
  const stated = new Set<string>()
  for (const { path, source } of repositoryFiles(SOURCES)) {
    syntaxTree(path, source).walk((node, [around, beyond]) => {
      const text = skeleton(node)
      if (text === undefined) return
      const call = around?.type === 'ConditionalExpression' ? beyond : around
      const isCode = call?.type === 'CallExpression' && source.startsWith('problemSentence(', call.start)
      const code = isCode ? text : sourceProblem(text)?.code
      if (code !== undefined) stated.add(code)
    })
  }
  expect(CODES.filter((code) => !stated.has(code))).toEqual([])
})

/** The text of a literal, with a word for each expression in it. */
function skeleton(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  return node.quasis.map(({ value }, index) => `${value.cooked}${index < node.expressions.length ? 'X' : ''}`).join('')
}
