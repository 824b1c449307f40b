import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { packagePath } from '../../../src/lib/files.ts'
import { importsOf } from '../../lib/import-table.ts'
import { repositoryFiles } from '../../lib/repository-files.ts'

/** Permissive: they ask for no more than that their text goes along. */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'],
  ...['BlueOak-1.0.0', 'Zlib', 'Unlicense', 'OFL-1.1'],
])
/** Asks for the source of its own files, which are used unchanged, and for nothing of ours. */
const ALLOWED_FOR = new Map([['ical.js', 'MPL-2.0']])

const LOCK = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      license: z.string().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

function lockedPackages() {
  const { packages } = LOCK.parse(JSON.parse(readFileSync(packagePath('package-lock.json'), 'utf8')))
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, about]) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 13), ...about }))
}

/** `(MIT OR GPL-3.0)` leaves the choice to us; `(MIT AND Zlib)` does not. */
function isAllowed(name: string, license: string | undefined): boolean {
  if (license === undefined) return false
  const one = (id: string) => ALLOWED.has(id.trim()) || ALLOWED_FOR.get(name) === id.trim()
  const expression = license.replace(/^\((.*)\)$/, '$1')
  if (/[()]/.test(expression)) return false
  return expression.split(' OR ').some((choice) => choice.split(' AND ').every(one))
}

/** What is bundled into the pages, though npm calls it a dependency of developers. */
function bundledNames(packages: ReturnType<typeof lockedPackages>): Set<string> {
  const pages = repositoryFiles(/^src\/web\/.*\.(tsx?|css)$/)
  const specifiers = pages.flatMap(({ path, source }) =>
    path.endsWith('.css')
      ? [...source.matchAll(/@import ['"]([^'"]+)/g)].map(([, specifier]) => specifier ?? '')
      : importsOf(path, source),
  )
  const found = new Set<string>()
  const waiting = specifiers.flatMap((each) => /^(@[\w.-]+\/)?[\w-][\w.-]*/.exec(each)?.[0] ?? [])
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const about = packages.find(({ path }) => path === `node_modules/${name}`)
    if (about === undefined || found.has(name)) continue
    found.add(name)
    waiting.push(...Object.keys(about.dependencies ?? {}))
  }
  return found
}

describe('the licenses of what is published', () => {
  test('are permissive for everything that is installed with recalld, or bundled into its pages', () => {
    const packages = lockedPackages()
    const bundled = bundledNames(packages)
    for (const name of ['react-dom', 'wouter', '@fontsource-variable/inter']) expect(bundled).toContain(name)
    const published = packages.filter(({ dev, name }) => dev !== true || bundled.has(name))
    expect(published.length).toBeGreaterThan(200)
    const refused = published.filter(({ name, license }) => !isAllowed(name, license))
    expect(refused.map(({ name, license }) => `${name}: ${license ?? 'no license'}`)).toEqual([])
  })

  test.each([
    'GPL-3.0-only',
    'AGPL-3.0',
    'MPL-2.0',
    'MIT AND GPL-2.0',
    '(MIT OR (GPL-2.0))',
    'SEE LICENSE IN x',
    undefined,
  ])('would not be allowed to be %s', (license) => {
    expect(isAllowed('some-package', license)).toBe(false)
  })
})
