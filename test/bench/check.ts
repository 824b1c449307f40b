import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { packagePath } from '../../src/lib/files.ts'
import { measureRatios, type Ratio } from './ratios.ts'

/** `npm run bench -- --check` fails if something became slower than `expected.json` says; `--write` records what is measured. */
const { values: options } = parseArgs({
  options: { check: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const FILE = packagePath('test/bench/expected.json')
const schema = z.record(z.string(), z.object({ ratio: z.number().positive(), spread: z.number().nonnegative() }))
/** Slower by less than this is not worth a look. */
const TOLERANCE = 0.1
/** Three standard errors of a median of 15 rounds: 3 x 1.253 x 1.483 / sqrt(15) spreads. */
const ERRORS = 1.44

const measured = await measureRatios()
if (options.write) await writeFile(FILE, `${JSON.stringify(measured, rounded, 2)}\n`)
const expected = schema.parse(JSON.parse(await readFile(FILE, 'utf8')))
const slower = Object.entries(measured).filter(([what, found]) => !report(what, found, expected[what]))
process.exitCode = slower.length > 0 ? 1 : 0

/** Prints a line; `false`: slower beyond noise, or never recorded. */
function report(what: string, { ratio, spread }: Ratio, recorded: Ratio | undefined): boolean {
  const print = (verdict: string) => process.stdout.write(`${what}: ${ratio.toFixed(2)} x, ${verdict}\n`)
  if (recorded === undefined) {
    print('not recorded; run `npm run bench -- --check --write`')
    return false
  }
  const noise = ERRORS * Math.max(spread, recorded.spread)
  const most = recorded.ratio * (1 + TOLERANCE) + noise
  const least = recorded.ratio * (1 - TOLERANCE) - noise
  const against = `recorded ${recorded.ratio.toFixed(2)} x, at most ${most.toFixed(2)} x`
  if (ratio > most) print(`SLOWER (${against})`)
  else print(ratio < least ? `faster: record it (${against})` : `as before (${against})`)
  return ratio <= most
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}
