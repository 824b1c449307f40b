import { expect } from 'vitest'
import { RECALLED_NOTICE } from '../../src/domain/recalled-fence.ts'
import { SOURCE_TYPES } from '../../src/domain/source-type.ts'

const FENCED = /^<recalled:([a-z0-9]{8,64})>\n([\s\S]*)\n<\/recalled:\1>$/
/** No text of the set is spelled with any of them. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|(?![\t\n])\p{Cc}/u
const ANY_FENCE =
  /(?:[<＜‹&]|\\u003c)\s*(?:lt;|#60;)?\s*[/／]?\s*(?:recalled|ｒｅｃａｌｌｅｄ|rеcаllеd|𝐫𝐞𝐜𝐚𝐥𝐥𝐞𝐝|récàllëd)\s*[:：&]/iu
const FRAME = new RegExp(
  [
    String.raw`[<＜][|｜]\w`,
    String.raw`[<＜【⟨][/／]?(?:system|system-reminder|assistant|tool_result|function_calls|invoke|user_query|user_info|additional_data|attached_files|environment_context|user_instructions|permissions|command-\w+|local-command-\w+|bash-input|task-notification|think|tools)[\s/>＞】⟩]`,
    String.raw`_of_turn>(?<=<\w+>)|<<SYS|</s>\n`,
    String.raw`[[［][/／]?(?:INST|AVAILABLE_TOOLS|SYSTEM_PROMPT)[\]］]|\[system\]\(#`,
    String.raw`^[ \t>*]*(?:Human|User|System|Assistant|Developer)\**[:：]`,
    String.raw`^#+ \**(?:Instruction|System|System Prompt|Assistant)\**:?$`,
  ].join('|'),
  'im',
)
const RENDERED =
  /\]\(\s*<?(?:[a-z]+\\?:|\/\/|&#)|\]:[\s>]*<?[a-z]+:|<(?:img|script|style|iframe|svg)[\s/>]|<(?:a|b|div)\s[^<]*\b(?:href|style|on[a-z]+)\s*=|javascript:|data:text/i

export function expectHarmless(text: string): void {
  expect(text).not.toMatch(INVISIBLE)
  expect(text).not.toMatch(ANY_FENCE)
  expect(text).not.toMatch(FRAME)
  expect(text).not.toMatch(RENDERED)
}

/** What stands between the fences, which must be one pair. */
export function quoted(text: string): { id: string; inner: string } {
  const [, id = '', inner = ''] = FENCED.exec(text) ?? []
  expect(id).not.toBe('')
  return { id, inner }
}

const ID = String.raw`[\p{L}\p{M}\p{N}_\-=!:]{1,520}`
const SOURCE = `(?:${SOURCE_TYPES.join('|')})`
const TIME = String.raw`(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}(?:, \d\d:\d\d)?(?: to [\d: ]+)?`
const URI = String.raw`memory://${SOURCE}/[\w%.~!*'()-]+`
/** What a tool that answers with a text may say below the fence. */
const NOTES = [
  String.raw`No match\. Try other words.*`,
  String.raw`Weak match: it may not answer the question\.`,
  String.raw`\d+ more: raise max_tokens or limit, or narrow by source, person or time\.`,
  String.raw`Long passages end with …: detail full shows more\.`,
  String.raw`No answer found: say so and do not guess\.`,
  'No language model.*',
]
const NOTE = new RegExp(`^(?:${NOTES.join('|')})$`)
const FENCED_TEXT = /^(<recalled:([a-z0-9]{8,64})>\n[\s\S]*\n<\/recalled:\2>)\n([\s\S]*)$/

/**
 * The text of an answer is one harmless quotation and sentences of ours below it.
 *
 * @returns what is quoted
 */
export function expectOnlyOurText(answered: string): string {
  const [, fence = '', id = '', notes = ''] = FENCED_TEXT.exec(answered) ?? []
  const { inner } = quoted(fence)
  expectHarmless(inner)
  expect(inner).not.toContain(id)
  for (const note of notes.split('\n')) if (note !== RECALLED_NOTICE) expect(note).toMatch(NOTE)
  return inner
}

/** What may stand beside a fence, by the name of its field; nobody but recalld writes any of it. */
const OURS: Readonly<Record<string, RegExp>> = {
  id: new RegExp(`^(?:${SOURCE}/)?${ID}$`, 'u'),
  item_id: new RegExp(`^${ID}$`, 'u'),
  source: new RegExp(`^${SOURCE}$`),
  when: new RegExp(`^${TIME}$`),
  uri: new RegExp(`^${URI}$`),
  url: new RegExp(`^${URI}$`),
  title: new RegExp(`^(?:An item of ${SOURCE}|${SOURCE}, ${TIME})$`),
  mimeType: /^text\/plain$/,
}

/**
 * Every text in what a tool answered is either one harmless quotation, or of a form that nobody else could fill.
 *
 * @param asked what the host itself sent, and gets back
 * @returns the ids of the fences, without repetitions
 */
export function expectOnlyOurs(answered: unknown, asked: string, field = ''): ReadonlySet<string> {
  if (Array.isArray(answered)) return union(answered.map((one) => expectOnlyOurs(one, asked, field)))
  if (answered !== null && typeof answered === 'object') {
    return union(Object.entries(answered).map(([name, value]) => expectOnlyOurs(value, asked, name)))
  }
  if (typeof answered !== 'string' || answered === asked || answered === RECALLED_NOTICE) return new Set()
  if (!answered.startsWith('<recalled:')) {
    expect(answered, field).toMatch(OURS[field] ?? /^(?!)/)
    return new Set()
  }
  const { id, inner } = quoted(answered)
  expectHarmless(inner)
  expect(inner).not.toContain(id)
  return new Set([id])
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]))
}
