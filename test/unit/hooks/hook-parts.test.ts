import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { PROMPT_TOKENS } from '../../../src/domain/suggestions.ts'
import { projectOf } from '../../../src/hooks/project-folders.ts'
import { readInput } from '../../../src/hooks/read-input.ts'
import { shownContext } from '../../../src/hooks/shown-context.ts'
import { SwitchedOff } from '../../../src/hooks/switched-off.ts'
import { estimateTokens } from '../../../src/lib/estimate-tokens.ts'
import { runCommand } from '../../lib/command-line.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

describe('what a host writes', () => {
  test('is read whole, also in pieces', async () => {
    expect(await readInput(Readable.from(['{"a":', '"ü"}']))).toBe('{"a":"ü"}')
  })

  test('is nothing when it is too long, or does not end', async () => {
    expect(await readInput(Readable.from(['x'.repeat(11)]), { mostBytes: 10 })).toBe('')
    const open = new PassThrough()
    open.write('{"a"')
    expect(await readInput(open, { patienceMs: 20 })).toBe('')
    expect(open.destroyed).toBe(true)
  })
})

test('what is shown stays within its tokens, with fence and introduction', () => {
  const passages = Array.from({ length: 9 }, (_, i) => ({
    text: `Passage ${i}. ${'Some words of it. '.repeat(20)}`,
    title: 'Planning',
    source: 'slack' as const,
    when: '2026-03-04',
  }))
  const fence = 'f'.repeat(32)
  const { context, shown, tokens } = shownContext(passages, {
    introduction: 'i'.repeat(240),
    fence,
    mostTokens: PROMPT_TOKENS,
  })
  expect(shown.length).toBeGreaterThan(2)
  expect(shown.length).toBeLessThan(9)
  expect(tokens).toBeLessThanOrEqual(PROMPT_TOKENS)
  expect(estimateTokens(context)).toBeLessThanOrEqual(tokens)
  expect(context.match(/<recalled:/g)).toHaveLength(1)
})

describe('the project of a folder', () => {
  test('is its repository, with the main working tree and the name of origin', () => {
    const home = temporaryFolder()
    const main = join(home, 'src', 'shop')
    const tree = join(home, 'src', 'shop-fix')
    mkdirSync(join(main, '.git', 'worktrees', 'fix'), { recursive: true })
    mkdirSync(join(tree, 'lib'), { recursive: true })
    writeFileSync(join(main, '.git', 'config'), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n')
    writeFileSync(join(tree, '.git'), `gitdir: ${join(main, '.git', 'worktrees', 'fix')}\n`)
    expect(projectOf(main, home)).toEqual({ folders: ['~/src/shop'], repository: 'acme/shop' })
    expect(projectOf(join(tree, 'lib'), home)).toEqual({
      folders: ['~/src/shop-fix', '~/src/shop'],
      repository: 'acme/shop',
    })
  })

  test('is the folder itself without a repository', () => {
    const home = temporaryFolder()
    expect(projectOf(join(home, 'notes'), home)).toEqual({ folders: ['~/notes'] })
    expect(projectOf('/srv', home)).toEqual({ folders: ['/srv'] })
  })
})

test('hooks are switched off and on for a folder and what lies below it', async () => {
  const home = temporaryFolder()
  const folder = temporaryFolder()
  const run = (...args: string[]) => runCommand(['hook', ...args], { RECALLD_HOME: home })
  expect((await run('off', folder)).stdout).toBe(`Hooks are off in ${folder}\n`)
  const switched = new SwitchedOff(join(home, 'hooks'))
  expect(switched.above(join(folder, 'src', 'lib'))).toBe(folder)
  expect((await run('status')).stdout).toContain(`Hooks are off in ${folder}`)
  expect((await run('on', join(folder, 'src'))).stdout).toContain(`they are off in ${folder}`)
  expect((await run('on', folder)).stdout).toBe(`Hooks are on in ${folder}\n`)
  expect(switched.above(folder)).toBe(undefined)
})
