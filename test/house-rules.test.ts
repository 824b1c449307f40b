import { describe, expect, test } from 'vitest'
import { houseRuleFindings } from './lib/house-rules.ts'
import { repositoryFiles } from './lib/repository-files.ts'

describe('the rules of the house', () => {
  test('hold for every module', () => {
    const modules = repositoryFiles(/^((src|connectors|test|bin|scripts)\/.*\.(ts|tsx|js)|[\w.]+\.ts)$/)
    expect(modules.length).toBeGreaterThan(50)
    expect(modules.flatMap(({ path, source }) => houseRuleFindings(path, source))).toEqual([])
  })

  test.each([
    ['src/kit/x.ts', 'export function f(a: any) { return a }', 'any is not used'],
    ['src/kit/x.ts', 'export const f = (a: unknown) => a as Array<any>', 'any is not used'],
    ['src/kit/x.ts', 'export function f() { try { g() } catch {} }', 'a catch rethrows'],
    ['src/kit/x.ts', 'export function f() { try { g() } catch (e) { /* fine */ } }', 'a catch rethrows'],
    ['src/kit/x.ts', "export function f() { console.log('x') }", 'console is for'],
    ['src/kit/x.ts', 'export const f = () => process.env.HOME', 'process is for'],
    ['src/kit/x.ts', "import { env } from 'node:process'", 'process is for'],
    ['src/cli/x.ts', 'export function f() { process.exit(1) }', 'process.exit is for src/main.ts'],
    ['src/kit/x.ts', 'export default function f() {}', 'no default exports'],
    ['src/kit/x.ts', 'export enum E { A }', 'no enums'],
    ['src/kit/x.ts', 'export class C { constructor(private readonly a: string) {} }', 'no parameter properties'],
    ['src/kit/x.ts', 'start()', 'it does nothing'],
    ['src/kit/x.ts', 'for (const a of b) c.push(a)', 'it does nothing'],
    ['src/kit/x.ts', '// line\n'.repeat(401), 'has 401 lines'],
    ['src/kit/x.ts', `export function f() {\n${'g()\n'.repeat(60)}}`, 'a function has 62 lines'],
    ['src/kit/utils.ts', '', 'name the file after'],
    ['src/kit/types.ts', '', 'name the file after'],
    ['src/kit/someThing.ts', '', 'kebab-case'],
    ['src/kit/some_thing.ts', '', 'kebab-case'],
  ])('refuse in %s: %s', (path, source, sentence) => {
    expect(houseRuleFindings(path, source).join('\n')).toContain(sentence)
  })

  test.each([
    ['src/kit/retry.ts', 'export function f(process: { run(): void }) { return [process] }'],
    ['src/kit/retry.ts', 'export function f() { try { g() } catch (error) { return { error } } }'],
    ['src/kit/retry.ts', 'export const f = (a: { process(): void }) => a.process()'],
    ['src/kit/retry.ts', '// line\n'.repeat(400)],
    ['src/cli/sync/retry.ts', "export function f() { console.log('x') }"],
    ['src/main.ts', 'process.exit(1)'],
    ['src/store/sqlite/writer-thread.ts', 'start()'],
    ['src/pipeline/document-process.ts', "process.on('message', start)"],
    ['vitest.config.ts', 'export default {}'],
  ])('allow in %s: %s', (path, source) => {
    expect(houseRuleFindings(path, source)).toEqual([])
  })
})
