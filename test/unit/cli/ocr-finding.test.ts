import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findProgram } from '../../../src/lib/find-program.ts'
import { runCommand } from '../../lib/command-line.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

/** A folder with a program `tesseract` that has these languages. */
function tesseractWith(...languages: readonly string[]): string {
  const folder = temporaryFolder()
  const list = ['List of available languages in "/usr/share/tessdata/" (3):', ...languages, 'osd'].join('\\n')
  program(folder, 'tesseract', `case "$1" in --version) echo "tesseract 5.3.0";; *) printf '${list}\\n';; esac`)
  return folder
}

function program(folder: string, name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
}

async function ocr(env: Record<string, string>) {
  const { stdout } = await runCommand(['doctor', '--json'], { RECALLD_HOME: temporaryFolder(), ...env })
  const findings: { check: string }[] = JSON.parse(stdout)
  return findings.find(({ check }) => check === 'ocr')
}

describe('doctor', () => {
  test('names the program that reads text in images, and its languages', async () => {
    const PATH = tesseractWith('deu', 'eng', 'chi_sim')
    program(PATH, 'pdftoppm', 'true')
    expect(await ocr({ PATH })).toEqual({
      check: 'ocr',
      result: 'ok',
      message: 'tesseract 5.3.0 reads text in images (eng).',
      measured: { version: '5.3.0', installed: ['deu', 'eng', 'chi_sim'] },
    })
  })

  test('says which language data to install', async () => {
    const finding = await ocr({ PATH: tesseractWith('eng'), RECALLD_OCR_LANGUAGES: 'eng,chi_sim' })
    expect(finding).toMatchObject({ result: 'problem', message: expect.stringContaining('tesseract-ocr-chi-sim') })
  })

  test('finds nothing wrong where OCR is off', async () => {
    expect(await ocr({ RECALLD_OCR: 'off' })).toMatchObject({ result: 'skipped' })
  })
})

test('a program is found on PATH before the usual folders, and only if it can be run', () => {
  const [first, second] = [tesseractWith(), tesseractWith()]
  expect(findProgram('tesseract', { PATH: first }, [second])).toBe(join(first, 'tesseract'))
  expect(findProgram('tesseract', { PATH: '/nowhere' }, [second])).toBe(join(second, 'tesseract'))
  writeFileSync(join(first, 'plain'), '')
  expect(findProgram('plain', { PATH: first }, [])).toBeUndefined()
})
