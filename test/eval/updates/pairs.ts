import { BOTH_HOLD } from './both-hold.ts'
import { REPLACED } from './replaced.ts'

/** In many forms, most of them without words such as "moved" or "now"; written before anything was tuned on them. */
const PAIRS = [...REPLACED, ...BOTH_HOLD]

export const DEVELOPMENT_PAIRS = PAIRS.filter((_, i) => i % 2 === 0)
/** Measured once the work is done, by `npm run eval -- --updates --final`; nobody looks at which of them fail. */
export const FINAL_PAIRS = PAIRS.filter((_, i) => i % 2 === 1)
