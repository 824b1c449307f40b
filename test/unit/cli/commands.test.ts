import { Command } from 'commander'
import { expect, test } from 'vitest'
import { COMMANDS, loadCommand } from '../../../src/cli/commands.ts'
import type { ConnectContext } from '../../../src/cli/connect/connect.ts'
import { runCommand } from '../../lib/command-line.ts'

test('every command of the help runs by its name and its other name, also behind the home', async () => {
  const { stdout } = await runCommand(['--help'], {})
  const listed = /\nStart and check:\n(.*?)\nExamples:\n/s.exec(stdout)?.[1] ?? ''
  const names = [...listed.matchAll(/^ {2}([a-z][a-z|-]+)/gm)].flatMap(([, name = '']) => name.split('|'))
  expect(names.length).toBeGreaterThan(35)
  for (const name of names.filter((one) => one !== 'help')) {
    const { stdout: help } = await runCommand(['--home', '/nonexistent', name, '--help'], {})
    expect(help, name).toContain('Usage: recalld ')
    expect(help, name).not.toContain('Start and check:')
  }
})

test('an unknown command is answered with the closest of all', async () => {
  const { code, stderr } = await runCommand(['recal'], {})
  expect(code).toBe(2)
  expect(stderr).toContain('recall')
})

test('the help lists each command as the command describes itself', async () => {
  // Commands are only declared, which needs nothing else.
  const context = { machine: { userName: 'ada' } } as ConnectContext
  for (const [names, usage, summary] of COMMANDS) {
    const [name = ''] = names.split('|')
    const program = new Command('recalld')
    const add = await loadCommand([name])
    add?.(program, context)
    const help = program.createHelp()
    const declared = program.commands.find((command) => command.name() === name)
    expect(declared && help.subcommandTerm(declared)).toBe(`${names} ${usage}`.trim())
    expect(declared?.description()).toBe(summary)
  }
})
