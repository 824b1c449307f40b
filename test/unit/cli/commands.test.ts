import { expect, test } from 'vitest'
import { runCommand } from '../../lib/command-line.ts'

test('every command of the help runs by its name and its other name, also behind the home', async () => {
  const { stdout } = await runCommand(['--help'], {})
  const listed = /\nCommands:\n(.*?)\n\n/s.exec(stdout)?.[1] ?? ''
  const names = [...listed.matchAll(/^ {2}([a-z][a-z|-]+)/gm)].flatMap(([, name = '']) => name.split('|'))
  expect(names.length).toBeGreaterThan(35)
  for (const name of names.filter((one) => one !== 'help')) {
    const { stdout: help } = await runCommand(['--home', '/nonexistent', name, '--help'], {})
    expect(help, name).toContain('Usage: recalld ')
    expect(help, name).not.toContain('Commands:\n  up ')
  }
})

test('an unknown command is answered with the closest of all', async () => {
  const { code, stderr } = await runCommand(['recal'], {})
  expect(code).toBe(2)
  expect(stderr).toContain('recall')
})
