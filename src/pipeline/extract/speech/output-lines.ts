import { isMonthName, isWeekdayName } from '../../../lib/calendar-names.ts'
import { hasVerb } from './reported-speech.ts'

/**
 * What wrote a line: a program (`output`), a person (`prose`), or, as far as the line alone shows, either. Prose taken for
 * output would be lost, so that a doubtful line is prose.
 */
export type LineKind = 'output' | 'prose' | 'either'

const PROMPT =
  /^\s*(?:\([\w.-]+\) )?(?:[\w.-]+@[\w-]+(?:[\w.-]*(?:: ?| )[~/][\w./~-]*| [\w.-]+(?= [$#%]))? ?[$#%]|[$❯➜]|PS [A-Z]:\\[^>\n]*>|[A-Z]:\\[^>\n]*>)[ \t]+(?=[a-z./~_])(?!\S+:\d+(?::\d+)?$)(\S[^\n]*)$/
/** Programs whose names are no English words. */
const PROGRAMS =
  'git|npm|npx|pnpm|yarn|deno|python3?|pip3?|pytest|uv|bundle|rails|cargo|rustc|cmake|gcc|docker|docker-compose|podman|kubectl|terraform|aws|gcloud|az|gh|ssh|scp|rsync|curl|wget|ls|cd|grep|rg|sed|awk|chmod|chown|mkdir|rm|cp|mv|ln|env|sudo|apt|apt-get|brew|systemctl|journalctl|psql|mysql|sqlite3|redis-cli|java|javac|mvn|gradle|dotnet|php|composer|xcodebuild|flutter|adb|vitest|tsc|eslint|tar|unzip|nslookup|openssl|whoami|pwd'
const COMMAND = new RegExp(
  `^(?:(?:${PROGRAMS})(?![\\w'’])|(?:\\.{1,2}|~)?/\\S|[\\w./-]+ (?:\\S+ )?--?\\w|(?:make|node|bun|ruby|go|cat|find|tail|head|less|kill|echo|helm|swift|next|vue|ng)(?: [\\w./:-]+){0,2}$)`,
)
const QUOTED = /"[^"\n]*"|'[^'\n]*'/g
const FRAME =
  /^\s*at (?:async |new )?(?:[^()\n]{0,80}\((?:[^()\s]*[./\\][^()\s]*:\d+(?::\d+)?|native|<anonymous>|index \d+)\)|\S*[/\\]\S*:\d+(?::\d+)?|(?:[\w$<>`]+\.)+[\w$<>`]+\([^()\n]*\)(?: in \S[^\n]*:line \d+)?)$|^\s*File "[^"\n]+", line \d+|^Traceback \(most recent call last\)/
/** `TypeError: x is not a function`, `json.decoder.JSONDecodeError: ...`, `Cart.cs(41,17): error CS0103: ...`. */
const FAILURE =
  /^\s*(?:[\w.-]+\s+\| +)?(?:Uncaught |Unhandled |Caused by: |Exception in thread "[^"\n]*" )?((?:[\w$]+[.\\])*[A-Z]\w*(?:Error|Exception)(?: \[[\w-]+\])?: \S[^\n]*)|: error [A-Z]{1,4}\d+: (\S[^\n]*)/
/** The level stands directly behind the time, and more than a space apart if there is no day. */
const LOGGED =
  /^\[?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,Z+:-]{0,12}\]?(?: \[[^\]\n]{1,40}\])?[ \t]+\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b|\d\d:\d\d:\d\d[\d.,]{0,8}\]?(?: \[[^\]\n]{1,40}\])?[ \t]+\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)(?=\]|:| {2}| -))\]?[: ]*([^\n]*)/
const LOGGED_FAILURE = /^\S+ ?\S* .{0,45}\b(?:ERROR|FATAL)\b/
/** Of a program only if it stands among other lines. */
const STATED_FAILURE = /^\s*(?:[\w.-]+\s+\| +)?(?:(?:npm )?ERR!|error(?:\[\w+\])?:|fatal:|panic:) ?(\S[^\n]*)/i
/** Checked first because that is much faster. */
const MAY_BE_OUTPUT =
  /^[^\n]{0,60}[$#%❯➜>][ \t]+[a-z./~_]|^\s*(?:at |File "|Traceback )|(?:Error|Exception)(?: \[[\w-]+\])?: |: error [A-Z]|\b(?:INFO|WARN|ERROR|DEBUG|FATAL)\b/m
export function mayHoldOutput(text: string): boolean {
  return MAY_BE_OUTPUT.test(text)
}

/** Whether only a program writes such a line, whatever stands around it. */
export function isSurelyOutput(line: string): boolean {
  if (FRAME.test(line)) return true
  if (LOGGED.test(line)) return !SPEAKER.test(line)
  if (FAILURE.test(line)) return !isPersonal(line) && failureOf(line)!.length <= LONGEST_STATED
  return commandOf(line) !== undefined
}
/** In characters; a person goes on behind the message of a program. */
const LONGEST_STATED = 150

export function isStatedFailure(line: string): boolean {
  return STATED_FAILURE.test(line) && !isPersonal(line)
}

/** The command behind a prompt, unless it is what a person says about an amount. */
export function commandOf(line: string): string | undefined {
  const typed = PROMPT.exec(line)?.[1]
  if (typed === undefined || !COMMAND.test(typed)) return undefined
  const bare = typed.replace(QUOTED, '')
  return FUNCTION_WORD.test(bare) || isPersonal(bare) ? undefined : typed
}

/** The message of an exception or compiler. */
export function failureOf(line: string): string | undefined {
  const found = FAILURE.exec(line)
  return found?.[1] ?? found?.[2]
}

export function loggedFailureOf(line: string): string | undefined {
  const words = LOGGED.exec(line)?.[1]
  return words !== '' && LOGGED_FAILURE.test(line) ? words : undefined
}

export function statedFailureOf(line: string): string | undefined {
  return STATED_FAILURE.exec(line)?.[1]
}

/** Kind of a line of a paragraph that holds output. */
export function kindOfLine(line: string): LineKind {
  if (isSurelyOutput(line) || OF_PROGRAM.test(line)) return 'output'
  const words = plainWords(line)
  if (words >= LEAST_WORDS && isPersonal(line)) return 'prose'
  if (UNSPACED.test(line) && !MARKED.test(line)) return 'prose'
  if (KEYWORD.test(line)) return 'output'
  const isClause = words >= LEAST_WORDS && words * 2 > line.trim().split(/\s+/).length
  const isStated = hasVerb(line) || FUNCTION_WORD.test(line)
  if (MARKED.test(line)) return isClause && isStated && (ENDS.test(line) || words > LEAST_WORDS) ? 'prose' : 'output'
  return isClause && (isStated || ENDS.test(line)) ? 'prose' : 'either'
}
const LEAST_WORDS = 3

/** Whether a line that may be either is rather what a person wrote, when no output follows. */
export function mayBeProse(line: string): boolean {
  return plainWords(line) >= 2
}

/** Signs of a program at the start of a line, or columns. */
const MARKED =
  /^\s*(?:[>✓✔✗✘×❯●⎯│|+!]|\[[^\]\n]*\]|\d+(?: *[|│]|: \S)|[\w./\\-]+\.\w{1,4}[:(]\d)|^(?: {2,}|\t)|[^\s.!?:;,] {2,}\S|\S\t|^[^\p{L}]*$/u
const KEYWORD =
  /^\s*(?:hint: |info +- |npm (?:ERR!|WARN|warn|error|notice)|(?:Warning|Error|warning|error|fatal|panic)(?:\[\w+\])?: )/
/** Sentences of common programs. */
const OF_PROGRAM =
  /^\s*(?:already up to date\.?|everything up-to-date|on branch \S+|your branch is (?:up to date|ahead|behind)[^.]*\.|nothing to commit[^.!?]*|(?:added|removed|changed|audited|found) \d+ (?:packages?|vulnerabilities|modules|tests?|warnings?)(?:,? (?:in|and|from) [\w., ]{1,30})?|during handling of the above exception, another exception occurred:|the above exception was the direct cause of the following exception:|(?:process finished|command failed|exited) with (?:exit )?code \d+\.?)$/i
const ENDS = /(?<!\.\.)[.!?]["'”’)]*$/
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{3}/u

/** A first person, a plea or a day: programs write none of them. */
function isPersonal(line: string): boolean {
  return SPEAKER.test(line) || (line.match(DAY_WORD) ?? []).some(isDay)
}
const SPEAKER =
  /(?<![\p{L}\p{N}_.'"`/-])(?:I|I['’](?:m|ve|ll|d)|we|we['’](?:re|ve|ll|d)|our|my|please|today|tomorrow|yesterday|tonight|ich|wir|unsere?|meine?|bitte|heute|gestern|je|j['’]\p{L}+|nous|notre|nos|mon|demain|hier|yo|nosotros|nuestr[oa]|mañana|ayer)(?![\p{L}\p{N}_.]*[\p{N}_/(=])(?!\p{L})/u
const DAY_WORD = /(?<![\p{L}\d])(?:\d{1,2}\.? )?\p{Lu}\p{L}{3,}(?!\p{L})/gu

/** `Thursday`, `3 December`. */
function isDay(words: string): boolean {
  const [first = '', second] = words.split(' ')
  return second === undefined ? isWeekdayName(first) : isMonthName(second) || isWeekdayName(second)
}

const FUNCTION_WORD =
  /(?<![\p{L}\p{N}_.'"`/-])(?:the|a|an|is|are|was|were|this|that|these|those|it|they|he|she|who|what|why|when|not|no|but|because|der|die|das|den|dem|eine?|ist|sind|nicht|und|aber|les?|la|une?|est|sont|pas|et|mais|el|los|las|una|es|son|pero)(?![\p{L}\p{N}_./(=:-])/iu

/** Words as in prose: no paths, versions or names of code. */
function plainWords(line: string): number {
  return line.match(/\S+/g)?.filter((word) => PLAIN.test(word) && !/\p{Ll}\p{Lu}/u.test(word)).length ?? 0
}
const PLAIN = /^["'“„«(]*\p{L}[\p{L}'’-]*["'”’»)]*[,.;:!?…]*["'”’»)]*$/u
