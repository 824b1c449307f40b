import { analyze } from '../lib/analyze.ts'

const ASKS_STILL = /\b(?:still|any ?more|any longer)\b/i
/** Something that was and is no more: as done to it (`we dropped the granite`), or said of it (`the trip is off`). */
const ENDED =
  /\b(?:dropped|cancell?ed|scrapped|abandoned|sold|quit|stopped|ended|closed|discontinued|withdr(?:ew|awn)|retired|removed|rejected|(?:called|broke|put) off|(?:gave|given) up|ruled out|decided against|got rid of|no longer|replaced|moved away from)\b/i
const IS_ENDED =
  /\b(?:is|are|was|were|been|got|has|have)\s+(?:now |already |finally )?(?:dropped|cancell?ed|scrapped|abandoned|sold|stopped|ended|closed|discontinued|withdrawn|retired|removed|rejected|called off|given up|ruled out|no longer|off|over|gone|replaced)\b|\b(?:fell through|no longer)\b/i
/** Words between the verb and what it ended. */
const NEAR = 3

/** Whether a sentence says that what a question asks about, whether it still is, ended: `we dropped the granite`. */
export function saysEnded(question: string, sentence: string): boolean {
  if (!ASKS_STILL.test(question)) return false
  const asked = new Set(analyze(question))
  return sentence.split(/[;:–—]\s|,\s|\bbut\b/).some((clause) => endsAsked(clause, asked))
}

function endsAsked(clause: string, asked: ReadonlySet<string>): boolean {
  const passive = IS_ENDED.exec(clause)
  if (passive !== null && holdsAny(clause.slice(0, passive.index), asked)) return true
  const active = ENDED.exec(clause)
  if (active === null) return false
  const behind = clause.slice(active.index + active[0].length).trim()
  return holdsAny(behind.split(/\s+/).slice(0, NEAR).join(' '), asked)
}

function holdsAny(words: string, asked: ReadonlySet<string>): boolean {
  return analyze(words).some((term) => asked.has(term))
}
