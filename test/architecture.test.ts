import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectorImportFindings, importFindings, importsOf } from './lib/import-table.ts'
import { repositoryFiles } from './lib/repository-files.ts'

describe('the import table', () => {
  test('holds for every module of src/', () => {
    const findings = repositoryFiles(/^src\/.*\.tsx?$/).flatMap(({ path, source }) =>
      importFindings(path.slice('src/'.length), source),
    )
    expect(findings).toEqual([])
  })

  test('holds for every connector', () => {
    const findings = repositoryFiles(/^connectors\/.*\.tsx?$/).flatMap(({ path, source }) =>
      connectorImportFindings(path.slice('connectors/'.length), source),
    )
    expect(findings).toEqual([])
  })

  test.each([
    ['slack/x.ts', "import { y } from '../github/y.ts'"],
    ['slack/x.ts', "import { AppError } from '../../src/domain/errors.ts'"],
    ['slack/x.ts', "import { Octokit } from '@octokit/rest'"],
    ['slack/x.ts', "import { y } from './y.js'"],
  ])('refuses in connectors/%s: %s', (path, source) => {
    expect(connectorImportFindings(path, source)).toHaveLength(1)
  })

  test.each([
    ['slack/x.ts', "import { WebClient } from '@slack/web-api'\nimport { y } from './y.ts'"],
    ['slack/x.ts', "import { SourceError } from '../../src/connector/source-error.ts'"],
    ['index.ts', "const slack = () => import('./slack/slack.ts')"],
  ])('allows in connectors/%s: %s', (path, source) => {
    expect(connectorImportFindings(path, source)).toEqual([])
  })

  test.each([
    ['domain/x.ts', "import { hash } from '../lib/hash.ts'", 'domain may not import lib'],
    ['lib/x.ts', "import type { Scope } from '../domain/scope.ts'", 'lib may not import domain'],
    ['pipeline/x.ts', "import type { Store } from '../store/store.ts'", 'pipeline may not import store contract'],
    ['http/rest/x.ts', "const store = await import('../../store/store.ts')", 'http/rest may not import store contract'],
    ['service/x.ts', "export * from '../store/sqlite/sqlite-store.ts'", 'service may not import store'],
    ['cli/x.ts', "import { startApp } from '../boot/start-app.ts'", 'cli may not import boot'],
    ['client/x.ts', "export { createService } from '../service/create-service.ts'", 'client may not import service'],
    ['retrieval/question/x.ts', "import { y } from '../recall/y.ts'", 'questions may not import recall'],
    ['retrieval/recall/x.ts', "import { y } from '../answer/y.ts'", 'recall may not import retrieval'],
    [
      'retrieval/answer/x.ts',
      "type X = import('../../models/static/static-embedder.ts').X",
      'retrieval may not import models',
    ],
    ['service/x.ts', "import { sql } from 'kysely'", 'service may not import kysely; store may'],
    ['worker/x.ts', "import { generateText } from 'ai'", 'worker may not import ai; models may'],
    ['cli/x.ts', "import { y } from '../../test/lib/y.ts'", 'outside src/'],
    ['cli/x.ts', "import { CONNECTORS } from '../../connectors/index.ts'", 'outside src/'],
    ['sync/x.ts', "import { slack } from '../../connectors/slack/slack.ts'", 'outside src/'],
    ['domain/x.ts', "import { AppError } from './errors.js'", 'must end in .ts'],
    ['stuff/x.ts', '', 'no part of the import table'],
  ])('refuses in %s: %s', (path, source, sentence) => {
    expect(importFindings(path, source).join('\n')).toContain(sentence)
  })

  test.each([
    ['domain/scope.ts', "import { AppError } from './errors.ts'"],
    ['lib/retry.ts', "import { AppError } from '../domain/errors.ts'"],
    ['lib/dates/x.ts', "import type { MomentRange } from '../../domain/moment-range.ts'"],
    ['service/x.ts', "import { AppError } from '../domain/errors.ts'\nimport type { Store } from '../store/store.ts'"],
    ['store/sqlite/x.ts', "import { sql } from 'kysely'\nimport { y } from '../sql/y.ts'"],
    ['boot/open-store.ts', "import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'"],
    ['boot/x.ts', "import type { Store } from '../store/store.ts'"],
    ['connections/x.ts', "import { CONNECTORS } from '../../connectors/index.ts'"],
  ])('allows in %s: %s', (path, source) => {
    expect(importFindings(path, source)).toEqual([])
  })

  test('is applied to types, re-exports and dynamic imports alike', () => {
    const source =
      "import type { A } from './a.ts'\nexport { b } from './b.ts'\nconst c = import('./c.ts')\ntype D = import('./d.ts').D"
    expect(importsOf('x.ts', source)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts'])
  })
})

test('src/ and connectors/ have no import cycles', () => {
  const imports = new Map(
    repositoryFiles(/^(src|connectors)\/.*\.tsx?$/).map(({ path, source }) => {
      const relative = importsOf(path, source).filter((specifier) => specifier.startsWith('.'))
      return [path, relative.map((specifier) => posix.join(posix.dirname(path), specifier))]
    }),
  )
  expect(cyclesOf(imports)).toEqual([])
})

test('finds import cycles', () => {
  const imports = new Map([
    ['a', ['b', 'd']],
    ['b', ['c', 'gone']],
    ['c', ['b', 'e']],
    ['d', []],
    ['e', ['f']],
    ['f', ['c']],
    ['g', ['g']],
  ])
  expect(cyclesOf(imports)).toEqual([['b', 'c', 'e', 'f'], ['g']])
})

/** Strongly connected components of more than one module (Tarjan 1972), and modules that import themselves; sorted. */
function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (module: string): number => {
    const index = order.size
    order.set(module, index)
    stack.push(module)
    let low = index
    for (const target of imports.get(module) ?? []) {
      if (!imports.has(target)) continue
      if (!order.has(target)) low = Math.min(low, visit(target))
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low)
    }
    if (low === index) {
      const component = stack.splice(stack.indexOf(module)).sort()
      if (component.length > 1 || imports.get(module)?.includes(module) === true) cycles.push(component)
    }
    return low
  }
  for (const module of imports.keys()) if (!order.has(module)) visit(module)
  return cycles.sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
}
