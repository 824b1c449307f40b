import { describe, expect, test } from 'vitest'
import { commandText, inputValue } from '../../../src/lib/command-text.ts'

describe('the command of an agent’s tool', () => {
  test.each([
    [['bash', '-lc', 'npm test'], 'npm test'],
    [['/bin/zsh', '-c', 'cd app && npm run build'], 'cd app && npm run build'],
    [['powershell.exe', '-Command', 'Get-ChildItem'], 'Get-ChildItem'],
    [['git', 'commit', '-m', 'fix the pump'], 'git commit -m "fix the pump"'],
    [['bash', '-lc', 'echo "$1"', 'x'], 'bash -lc "echo \\"$1\\"" x'],
    [['ls'], 'ls'],
  ])('%j is shown as it would be typed', (args, command) => {
    expect(commandText(args)).toBe(command)
  })

  test('is a list only where it is called a command; other input stays JSON', () => {
    expect(inputValue('command', ['bash', '-lc', 'npm test'])).toBe('npm test')
    expect(inputValue('paths', ['a', 'b'])).toBe('["a","b"]')
    expect(inputValue('command', ['sleep', 5])).toBe('["sleep",5]')
    expect(inputValue('timeout', 5)).toBe('5')
  })
})
