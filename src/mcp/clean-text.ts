import { withoutInvisible } from '../kit/without-invisible.ts'

/*
 * What is stored was written by others, also by people who know that an agent will read it. Whether a reader obeys is
 * not ours to decide; what we can do is let nothing invisible through, nothing that a host would render or fetch by
 * itself, and nothing that looks like the end of the quotation or like the frame of a conversation. What is taken apart
 * stays readable, and code that only resembles it stays as it is. Every rule takes linear time: what a scan may cross
 * never holds a place where the next one starts.
 */

const IMAGE = /!\[([^[\]]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g
/** The start of an address that leads elsewhere: with a scheme, `//`, or an escape that could stand for one. */
const ELSEWHERE = String.raw`(?:[a-z&\\/][^\s()<>[\]{}]*?)?(?:(?<!:):(?![:\s])|//|\\|&#|&\w{1,31};)`
/** `](address`, and `]: address` of a link that is used in another place; not the call `[i](x)`, not `x[0]: y`. */
const LINK = new RegExp(String.raw`\](?=\(\s*<?${ELSEWHERE}|:[\s>]*<?${ELSEWHERE})`, 'gi')
const ACTIVE_ADDRESS = /\b(?:(?:java|vb)script\s*:(?=\S)|data:(?:[a-z]+\/[a-z0-9.+-]+)?[;,])[^\s"')\]>]*/gi
const ACTIVE_TAG = /<(?=\/?(?:img|image|script|style|iframe|svg|embed)[\s/>])/gi
/** Elements that do harm by an attribute only; as names of types (`Promise<object>`) they have none. */
const ELEMENT =
  /<(?=(?:a|abbr|area|article|audio|b|base|blockquote|body|button|center|code|dd|details|dialog|div|dl|dt|em|fieldset|figure|font|footer|form|frame|h[1-6]|header|hr|html|i|input|label|li|link|main|map|marquee|math|meta|nav|object|ol|p|picture|portal|pre|q|s|section|select|small|source|span|strong|sub|summary|sup|table|tbody|td|template|textarea|th|thead|time|tr|track|u|ul|use|video)[\s/])/gi
const ACTIVE_ATTRIBUTE =
  /[\s/"'](?:xlink:)?(?:href|src|srcset|srcdoc|style|action|formaction|poster|background|data|ping|on[a-z]{3,30})\s*=/i
const PARAGRAPH_END = /(\n[^\S\n]*\n)/
/** Marks by which models tell who speaks: tokens of chat templates, and tags that hosts use. */
const SPEAKER =
  /<(?=[|｜]\w|<\/?SYS>>|(?:start|end)_of_turn>)|\[(?=\/?INST\])|(?:(?<!\w)<|<(?=\/))(?=\/?(?:system(?:[-_](?:prompt|reminder|message))?|assistant|user|human|developer|instructions|tool_(?:result|use|call|response)s?|function_(?:call|result)s?|invoke|antml:[a-z_]+)(?:[\s/>]|$))/gi
const MARK = { '<': '‹', '[': '⟦' } as const
/** Whatever may be read as `<recalled:` or `</recalled:`. */
const FENCE =
  /(?:[<‹«〈《＜﹤˂ᐸ❮❰⟨⟪≺⋖]|&(?:lt|#0*60|#x0*3c);?|\\u003c|\\x3c|%3c)\s*(?:(?:[/\\／⁄∕]|%2f|&(?:sol|#0*47|#x0*2f);?)\s*)?([\p{L}\p{M}\p{N}|]{8,40})\s*(?:[:：ː∶﹕꞉]|%3a|&(?:colon|#0*58|#x0*3a);?)/giu

/**
 * Stored text as it may be shown to an agent: the words as they were, but nothing invisible, no image that would be
 * fetched, links with their address in sight, and no mark that ends the quotation.
 */
export function cleanText(text: string): string {
  const shown = withoutInvisible(text)
    .replace(IMAGE, (_, title: string) => (title.trim() === '' ? '[image]' : `[image: ${title.trim()}]`))
    .replace(ACTIVE_ADDRESS, '[address left out]')
    .replace(LINK, '] ')
    .replace(ACTIVE_TAG, '‹')
    .replace(FENCE, (mark, word: string) => (looksLikeRecalled(word) ? '(recalled) ' : mark))
    .replace(SPEAKER, (mark) => (mark === '[' ? MARK['['] : MARK['<']))
  return shown
    .split(PARAGRAPH_END)
    .map((part) => (ACTIVE_ATTRIBUTE.test(part) ? part.replace(ELEMENT, '‹') : part))
    .join('')
    .trim()
}

/** For titles and names: the same in one line, at most `most` characters. */
export function cleanLine(text: string, most: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ')
  if (line.length <= most) return line
  return `${withoutHalf(line.slice(0, most - 1)).trimEnd()}…`
}

/** Without the first half of a character of two, which is left when text is cut between them. */
export function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}

const ALIKE: Readonly<Record<string, string>> = {
  ...{ г: 'r', ʀ: 'r', ᴦ: 'r', е: 'e', ҽ: 'e', ε: 'e', '3': 'e', с: 'c', ϲ: 'c', ς: 'c', а: 'a', ɑ: 'a' },
  ...{ α: 'a', '4': 'a', ӏ: 'l', ı: 'l', ι: 'l', і: 'l', i: 'l', '1': 'l', '|': 'l', ԁ: 'd', ժ: 'd' },
}

/** Letters of other alphabets, wide, bold and accented ones count as those that they resemble. */
function looksLikeRecalled(word: string): boolean {
  const letters = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return [...letters].map((letter) => ALIKE[letter] ?? letter).join('') === 'recalled'
}
