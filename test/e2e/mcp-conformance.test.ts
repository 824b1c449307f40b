import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'

test('the conformance tests of MCP fail where the baselines say, with their reasons, and nowhere else', {
  timeout: 60_000,
}, async () => {
  const run = promisify(execFile)(process.execPath, [packagePath('test/conformance/run.ts')])
  const { stdout } = await run.catch(({ stdout }: { stdout: string }) => ({ stdout }))
  const passed = stdout.match(/Baseline check passed/g) ?? []
  expect(passed.length, stdout).toBe(3)
  expect(run.child.exitCode).toBe(0)
})
