import { analyze } from '../../lib/analyze.ts'

/** British and American spellings, each as an ending (or a part) and what it becomes. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<=\p{L}{2})our(?=(?:s|ed|ing|ful|ite|ites|able|ist|hood)?$)/u, 'or'],
  [/(?<=\p{L}{2})or(?=(?:s|ed|ing|ful|ite|ites|able|ist|hood)?$)/u, 'our'],
  [/(?<=\p{L}t|\p{L}b)re(?=[sd]?$)/u, 'er'],
  [/(?<=\p{L}t|\p{L}b)er(?=s?$)/u, 're'],
  [/(?<=\p{L}{2}[iy])s(?=(?:e[sdr]?|ers|ing|ations?)$)/u, 'z'],
  [/(?<=\p{L}{2}[iy])z(?=(?:e[sdr]?|ers|ing|ations?)$)/u, 's'],
  [/(?<=^(?:licen|defen|offen|preten|practi))c(?=(?:e[sd]?|ing)$)/u, 's'],
  [/(?<=^(?:licen|defen|offen|preten|practi))s(?=(?:e[sd]?|ing)$)/u, 'c'],
  [/ll(?=(?:ed|ing|ers?|ations?)$)/u, 'l'],
  [/(?<=[aeiou])l(?=(?:ed|ing|ers?|ations?)$)/u, 'll'],
  [/ogue(?=s?$)/u, 'og'],
  [/(?<=\p{L}{2})og(?=s?$)/u, 'ogue'],
  [/(?<=\p{L})[ao]e(?=\p{L}{3})/u, 'e'],
  [/amme(?=s?$)/u, 'am'],
  [/(?<=\p{L}{2})am(?=s?$)/u, 'amme'],
  [/^grey/u, 'gray'],
  [/^gray/u, 'grey'],
  [/^tyre/u, 'tire'],
  [/^tire(?=s?$)/u, 'tyre'],
]
/** A noun of a verb and its particle: `rollback`, `setup`; with `in` and `on` only after verbs that seldom begin another word. */
const COMPOUND =
  /^(\p{L}{3,})(?:back|up|out|off|down|over)$|^((?:log|sign|check|plug|opt|drop|lock)(?=in$)|(?:log|sign|add)(?=on$))(?:in|on)$/u
const PHRASE = /(?<!\p{L})(\p{L}{3,}) (back|up|out|off|down|over|in|on)(?!\p{L})/gu

/** The stems of the other spellings of the words of a question, by their own stem: most of them are no words. */
export function spellingVariants(question: string): ReadonlyMap<string, readonly string[]> {
  const text = question.toLowerCase()
  const variants = new Map<string, string[]>()
  const add = (word: string, other: string) => {
    const [[term], [stem]] = [analyze(word), analyze(other)]
    if (term === undefined || stem === undefined || term === stem) return
    variants.set(term, [...(variants.get(term) ?? []), stem])
  }
  for (const [, verb = '', particle = ''] of text.matchAll(PHRASE)) add(verb, `${verb}${particle}`)
  for (const [word] of text.matchAll(/\p{L}{3,}/gu)) {
    const parts = COMPOUND.exec(word)
    if (parts !== null) add(word, (parts[1] ?? parts[2])!)
    for (const [pattern, other] of SPELLINGS) if (pattern.test(word)) add(word, word.replace(pattern, other))
  }
  return variants
}
