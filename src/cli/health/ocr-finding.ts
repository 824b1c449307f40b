import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram } from '../../lib/find-program.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { type Finding, ok, problem, skipped } from './finding.ts'
import { messages } from './messages.ts'

const CHECK = 'ocr'
const PATIENCE_MS = 10_000

/** The program that reads text in images, its languages, and the one that draws pages of scanned PDFs. */
export async function ocrFinding(context: Context): Promise<Finding> {
  const { env } = context.io
  try {
    const { ocr, ocrLanguages } = context.config()
    if (ocr === 'off') return skipped(CHECK, messages.ocrOff)
    const program = findProgram('tesseract', env)
    if (program === undefined) return skipped(CHECK, messages.noTesseract(packages(ocrLanguages)))
    const version = /^tesseract v?(\S+)/m.exec(await outputOf(program, '--version'))?.[1] ?? ''
    const installed = languagesIn(await outputOf(program, '--list-langs'))
    const missing = ocrLanguages.filter((language) => !installed.includes(language))
    if (missing.length > 0) return problem(CHECK, messages.noLanguageData(missing, installed, packages(missing)))
    const renderer = findProgram('pdftoppm', env)
    const reads = messages.readsImages(version, ocrLanguages)
    return ok(CHECK, renderer === undefined ? `${reads} ${messages.noPoppler}` : reads, { version, installed })
  } catch (error) {
    return skipped(CHECK, messages.notChecked(failureSentence(error)))
  }
}

/** Older versions write to standard error. */
async function outputOf(program: string, argument: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, [argument], { timeout: PATIENCE_MS })
  return `${stdout}\n${stderr}`
}

/** One a line, after a heading. `osd` detects how a page is turned; it is no language. */
function languagesIn(output: string): string[] {
  return output.split(/\r?\n/).filter((line) => /^[A-Za-z]{3,}(?:[_/][A-Za-z]+)*$/.test(line) && line !== 'osd')
}

/** Debian's packages of language data. */
function packages(languages: readonly string[]): string {
  return languages.map((language) => `tesseract-ocr-${language.toLowerCase().replaceAll('_', '-')}`).join(' ')
}
