import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

test('the demo memorizes, recalls, asks and forgets, and nothing of it stays', async () => {
  const home = join(temporaryFolder(), 'home')
  const temporary = temporaryFolder()
  const { code, stdout, stderr } = await runCommand(['demo'], { RECALLD_HOME: home, TMPDIR: temporary })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const source of ['calendar', 'claude_code', 'email', 'github', 'google_meets', 'pdf', 'slack', 'text']) {
    expect(stdout).toMatch(new RegExp(`^ {2}${source} +\\S+ +\\d+ memor(y|ies)$`, 'm'))
  }
  const sections = stdout.split('\n== ')
  const sectionOf = (title: string) => sections.filter((section) => section.startsWith(title))
  expect(sectionOf('recall "which database')[0]).toContain('PostgreSQL')
  expect(sectionOf('ask "How long')[0]).toMatch(/49\s+minutes/)
  expect(stdout).toMatch(/== forget google_meets\/\S+\n {2}Deleted the file and \d+ memor(y|ies)\./)
  expect(sectionOf('recall "which database')[1]).toContain('No memories found.')
  expect(readdirSync(temporary)).toEqual([])
})
