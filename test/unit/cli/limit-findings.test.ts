import { describe, expect, test } from 'vitest'
import { connectionLimits } from '../../../src/config/connection-limits.ts'
import { runCommand } from '../../lib/command-line.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

async function limits(openFiles: number | undefined, env: Record<string, string> = {}) {
  const machine = { platform: 'darwin', openFileLimit: () => openFiles }
  const { stdout } = await runCommand(['doctor', '--json'], { RECALLD_HOME: temporaryFolder(), ...env }, { machine })
  const findings: { check: string }[] = JSON.parse(stdout)
  return findings.find(({ check }) => check === 'limits')
}

describe('doctor', () => {
  test('tells how many connections the open files allow', async () => {
    expect(await limits(65_536)).toMatchObject({
      result: 'ok',
      measured: { files: 65_536, perProcess: 10_000, perAddress: 1_250 },
    })
    expect(await limits(undefined)).toMatchObject({ result: 'skipped' })
  })

  test('finds a limit that is low, or too low to start, and says how to raise it', async () => {
    for (const [files, words] of [
      [256, 'up to 64 connections'],
      [64, 'needs at least 192'],
    ] as const) {
      const finding = await limits(files)
      expect(finding).toMatchObject({ result: 'problem', message: expect.stringContaining(words) })
      expect(finding).toMatchObject({ message: expect.stringContaining('LimitNOFILE') })
    }
  })
})

test('the caps leave files for the database, for others, and one for each connection', () => {
  for (const files of [215, 256, 1_024, 20_000, 1_000_000]) {
    const { perProcess, perAddress } = connectionLimits(files, 22)
    expect(perProcess).toBeGreaterThanOrEqual(32)
    expect(2 * perProcess).toBeLessThanOrEqual(files - 22 - 128)
    expect(perAddress).toBeLessThanOrEqual(perProcess)
  }
  expect(() => connectionLimits(213, 22)).toThrow('can open 213 files, but recalld needs at least 214')
})
