import { writeFileSync } from 'node:fs'
import { packagePath } from '../../../src/lib/files.ts'
import { extractionReport } from './extraction-report.ts'
import { extractionTable } from './extraction-table.ts'
import { hasFacts } from './labelled-passages.ts'
import { measureExtraction } from './measure-extraction.ts'
import { measureModel } from './measure-model.ts'
import { memorySheet } from './memory-sheet.ts'
import { memoryFaults, memoryRow, memoryTable, memoryTableHead } from './memory-table.ts'

export interface ExtractionRun {
  /** Measures the passages of `labels/final`, and prints their figures alone. */
  readonly isFinal: boolean
  /** Lets a scripted language model answer, and prints what is kept of its memories. */
  readonly isModel: boolean
  /** Prints so many memories for a person to read, and writes nothing. */
  readonly sheet?: number | undefined
  readonly seed: number
  /** Prints what is wrong with so many passages, and writes nothing. */
  readonly failures: number
}

/** Memories in EXTRACTION.md. */
const SHEET = 30

/** Measures what becomes of the labelled passages; without `--final`, `--model`, `--sheet` or `--failures` it writes EXTRACTION.md. */
export async function runExtraction({ isFinal, isModel, sheet, seed, failures }: ExtractionRun): Promise<void> {
  if (isModel) return console.log(await measureModel())
  if (isFinal) {
    const outcomes = await measureExtraction(['final'])
    console.log(extractionTable(outcomes, ['final']))
    console.log([...memoryTableHead(), memoryRow('final', outcomes)].join('\n'))
    return
  }
  const outcomes = await measureExtraction()
  if (sheet !== undefined) return console.log(memorySheet(outcomes, sheet, seed))
  if (failures > 0) {
    for (const part of ['tuned', 'held'] as const) {
      console.log(`${memoryTable(outcomes.filter(({ passage }) => passage.part === part && hasFacts(passage)))}\n`)
    }
    // What is only measured is not for whoever tunes the rules.
    const tuned = outcomes.filter(({ passage }) => passage.part === 'tuned' && hasFacts(passage))
    return console.log(tuned.flatMap(memoryFaults).slice(0, failures).join('\n\n'))
  }
  const report = extractionReport(outcomes, memorySheet(outcomes, SHEET, seed))
  console.log(report)
  writeFileSync(packagePath('test/eval/EXTRACTION.md'), report)
}
