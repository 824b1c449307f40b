import { withoutInvisible } from '../lib/without-invisible.ts'

/*
 * Against prompt injection: stored text may be written by people who know that an agent will read it. Removes invisible
 * characters, and defuses what a host would render or fetch by itself, what looks like the end of the fence, and what
 * looks like a message of another speaker. Defused text stays readable, and similar-looking code stays unchanged. Every
 * pattern takes linear time, because no match can contain the start of the next one.
 */

const IMAGE = /!\[([^[\]]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g
/** The start of an absolute address: a scheme, `//`, or an escape sequence that may encode one. */
const ELSEWHERE = String.raw`(?:[a-z&\\/][^\s()<>[\]{}]*?)?(?:(?<!:):(?![:\s])|//|\\|&#|&\w{1,31};)`
/** `](address`, and `]: address` of a reference link; not the call `[i](x)`, not `x[0]: y`. */
const LINK = new RegExp(String.raw`\](?=\(\s*<?${ELSEWHERE}|:[\s>]*<?${ELSEWHERE})`, 'gi')
const ACTIVE_ADDRESS = /\b(?:(?:java|vb)script\s*:(?=\S)|data:(?:[a-z]+\/[a-z0-9.+-]+)?[;,])[^\s"')\]>]*/gi
const ACTIVE_TAG = /<(?=\/?(?:img|image|script|style|iframe|svg|embed)[\s/>])/gi
/** Elements that are only harmful with attributes; type parameters such as `Promise<object>` have none. */
const ELEMENT =
  /<(?=(?:a|abbr|area|article|audio|b|base|blockquote|body|button|center|code|dd|details|dialog|div|dl|dt|em|fieldset|figure|font|footer|form|frame|h[1-6]|header|hr|html|i|input|label|li|link|main|map|marquee|math|meta|nav|object|ol|p|picture|portal|pre|q|s|section|select|small|source|span|strong|sub|summary|sup|table|tbody|td|template|textarea|th|thead|time|tr|track|u|ul|use|video)[\s/])/gi
const ACTIVE_ATTRIBUTE =
  /[\s/"'](?:xlink:)?(?:href|src|srcset|srcdoc|style|action|formaction|poster|background|data|ping|on[a-z]{3,30})\s*=/i
const PARAGRAPH_END = /(\n[^\S\n]*\n)/
/** Tags that mark speakers and messages of hosts and models. */
const TAGS = [
  'system(?:[-_](?:prompt|reminder|message|notification|instructions?))?|assistant|user|human|developer|prompt',
  'instructions?|user[-_](?:query|info|instructions|memory-input|message)|(?:custom|project)[-_]instructions',
  'tools?|tool_(?:result|use|call|response)s?|function_(?:call|result)s?|functions|invoke|parameter|antml:[a-z_]{1,40}',
  'environment_(?:context|details)|additional_data|attached_files|open_and_recently_viewed_files|rules|important',
  'permissions|collaboration_mode|skill|task-notification|subagent_notification|turn_aborted|command-(?:message|name|args)',
  'local-command-[a-z]{1,20}|bash-(?:input|stdout|stderr)|ide_[a-z]{1,30}|think(?:ing)?|antthinking|reasoning|INST|SYS',
].join('|')
const FRAMES = [
  // <|im_start|>, <｜User｜>, <<SYS>>, <end_of_turn>, </s> at the end of a line
  String.raw`[<＜](?=[|｜]\w|<?\/?SYS>>|(?:start|end)_of_turn>|\/s>[^\S\n]*$)`,
  // [INST], ［/INST］, [SYSTEM_PROMPT], [system](#context)
  String.raw`[[［](?=[/／]?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)[\]］]|(?:system|assistant|user)\]\(#)`,
  String.raw`(?:(?<!\w)<|<(?=\/))(?=\/?(?:${TAGS})(?:[\s/>]|$))`,
  `[＜〈《⟨«❮❬﹤【［〔](?=[/／]?(?:${TAGS})(?:[/／>＞〉》⟩»❯❭﹥】］〕:：]|$))`,
]
const SPEAKER = new RegExp(FRAMES.join('|'), 'gim')
const IS_SQUARE = /[[［【〔]/
const TURN_NAMES = 'Human|HUMAN|human|Assistant|ASSISTANT|assistant|System|SYSTEM|User|USER|Developer|DEVELOPER|AI'
/** Speakers at the start of a line, as in transcripts: `Human:`, `**Assistant:**`, `> System：`. */
const TURN = new RegExp(
  String.raw`^([^\S\n]{0,8}(?:[>*_-]{1,3}[^\S\n]{0,2}){0,3})(?=(?:${TURN_NAMES})[*_]{0,3}[^\S\n]{0,3}[:：])`,
  'gm',
)
const HEADING_NAMES =
  '(?:human|user|assistant|system|developer|instructions?)(?: (?:prompt|message|instructions?|override|turn))?'
/** Headings of prompt formats: `### System:`, `### Instruction`, `### Input`, `### Response`. */
const TURN_HEADING = new RegExp(
  String.raw`^([^\S\n]{0,3})(?=(?:#{1,6}[^\S\n]{0,3}[*_]{0,3}${HEADING_NAMES}|###[^\S\n]{0,3}(?:input|response))[*_]{0,3}[^\S\n]{0,3}(?:[:：]|$))`,
  'gim',
)
/** Anything that could be read as `<recalled:` or `</recalled:`. */
const FENCE =
  /(?:[<‹«〈《＜﹤˂ᐸ❮❰⟨⟪≺⋖]|&(?:lt|#0*60|#x0*3c);?|\\u003c|\\x3c|%3c)\s*(?:(?:[/\\／⁄∕]|%2f|&(?:sol|#0*47|#x0*2f);?)\s*)?([\p{L}\p{M}\p{N}|]{8,40})\s*(?:[:：ː∶﹕꞉]|%3a|&(?:colon|#0*58|#x0*3a);?)/giu

/**
 * Stored text that is safe to show to an agent: nothing invisible, no images, links with visible addresses, and nothing that
 * ends the fence or starts a message of another speaker.
 */
export function cleanText(text: string): string {
  const shown = withoutInvisible(text)
    .trim()
    .replace(IMAGE, (_, title: string) => (title.trim() === '' ? '[image]' : `[image: ${title.trim()}]`))
    .replace(ACTIVE_ADDRESS, '[address left out]')
    .replace(LINK, '] ')
    .replace(ACTIVE_TAG, '‹')
    .replace(FENCE, (mark, word: string) => (looksLikeRecalled(word) ? '(recalled) ' : mark))
    .replace(SPEAKER, (mark) => (IS_SQUARE.test(mark) ? '⟦' : '‹'))
    .replace(TURN, '$1› ')
    .replace(TURN_HEADING, '$1› ')
  return shown
    .split(PARAGRAPH_END)
    .map((part) => (ACTIVE_ATTRIBUTE.test(part) ? part.replace(ELEMENT, '‹') : part))
    .join('')
    .trim()
}

/** `cleanText` in one line of at most `most` characters, for titles and names. */
export function cleanLine(text: string, most: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ')
  if (line.length <= most) return line
  return `${withoutHalf(line.slice(0, most - 1)).trimEnd()}…`
}

/** Removes half of a surrogate pair at the end, left by cutting. */
function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}

const ALIKE: Readonly<Record<string, string>> = {
  ...{ г: 'r', ʀ: 'r', ᴦ: 'r', е: 'e', ҽ: 'e', ε: 'e', '3': 'e', с: 'c', ϲ: 'c', ς: 'c', а: 'a', ɑ: 'a' },
  ...{ α: 'a', '4': 'a', ӏ: 'l', ı: 'l', ι: 'l', і: 'l', i: 'l', '1': 'l', '|': 'l', ԁ: 'd', ժ: 'd' },
}

/** Whether the word is `recalled`, also in similar-looking letters of other alphabets and styles. */
function looksLikeRecalled(word: string): boolean {
  const letters = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return [...letters].map((letter) => ALIKE[letter] ?? letter).join('') === 'recalled'
}

/** At most `most` characters and an ellipsis, cut after a sentence, a line or at least a word. */
export function cutAtBoundary(text: string, most: number): string {
  if (text.length <= most) return text
  const head = withoutHalf(text.slice(0, most))
  const sentence = (head.match(/^[\s\S]*(?:[.!?](?=\s)|[。！？\n])/)?.[0] ?? '').length
  const word = head.search(/\s\S*$/)
  const at = [sentence, word].find((end) => end > most / 2) ?? head.length
  return `${head.slice(0, at).trimEnd()} …`
}
