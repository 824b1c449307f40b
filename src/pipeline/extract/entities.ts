import type { OtherEntity } from '../../domain/memory-content.ts'

const MOST_ENTITIES = 20
const LONGEST_NAME = 120

const EXTENSIONS =
  'ts|tsx|js|jsx|mjs|cjs|json|jsonl|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|swift|scala|sh|bash|sql|md|mdx|txt|rst|html|css|scss|yml|yaml|toml|ini|cfg|conf|env|xml|csv|tsv|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|mp4|mp3|wav|zip|tar|gz|log|lock|ipynb|vue|svelte|proto|tf|gradle|ics|eml|parquet|db|sqlite'
const FILE = new RegExp(
  `(?<![\\w/@.+-])(?:[\\w@.+-]{1,80}/){0,12}[\\w@+-][\\w@.+-]{0,79}\\.(?:${EXTENSIONS})(?![\\w/-]|\\.\\w)`,
  'g',
)

/** Types with a form of their own, in the order in which they claim a stretch of text. */
const PATTERNS: readonly { readonly type: string; readonly pattern: RegExp }[] = [
  { type: 'url', pattern: /https?:\/\/[^\s<>()"'`[\]{}|\\^]{2,300}[^\s<>()"'`[\]{}|\\^.,;:!?]/g },
  { type: 'email', pattern: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}(?![\w@])/g },
  { type: 'repository', pattern: /(?<![\w/.@-])[A-Za-z0-9][\w-]{1,38}\/[A-Za-z0-9][\w.-]{1,60}#\d{1,7}\b/g },
  { type: 'file', pattern: FILE },
  {
    type: 'person',
    pattern:
      /(?<![\p{L}\p{N}])(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? |(?:Herrn?|Frau) )(?:(?:Dr|Prof)\. )?\p{Lu}[\p{Ll}’'-]{1,30}(?: \p{Lu}[\p{Ll}’'-]{1,30}){0,2}/gu,
  },
  { type: 'ticket', pattern: /(?<![\w-])[A-Z][A-Z0-9]{1,9}-[1-9]\d{0,5}(?![\w-])/g },
  {
    type: 'money',
    pattern:
      /(?:(?<!\w)(?:US\$|[$€£¥₹])\s?\d{1,15}(?:[.,]\d{1,3}){0,5}(?:\s?(?:k|m|bn|million|billion|thousand)\b)?|(?<![\w.,])(?:\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,4}|\d{1,15}(?:[.,]\d{1,3}){0,5})\s?(?:€|₽|(?:EUR|USD|GBP|CHF|JPY|dollars|euros|pounds)\b|рубл\p{L}{0,3}))/gu,
  },
  {
    type: 'version',
    pattern:
      /(?<![\w.])v?\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[\w.]{1,20})?(?![\w.]*\.\d)(?!\w)|(?<!\w)v\d{1,4}(?:\.\d{1,4})?(?!\w|\.\d)/g,
  },
  {
    type: 'identifier',
    pattern:
      /(?<![\w./-])(?:[a-z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,8}|[A-Z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,8}|[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,8})(?:\(\))?(?![\w/])/g,
  },
]
// Standards and formats that look like tickets.
const NO_TICKET = /^(?:UTF|SHA|ISO|RFC|AES|RSA|MD|CVE|GPT|COVID|HTTP|GMT|UTC|TLS|SSL|IPV|USB|PM|Q|H|A|B|T|F)-\d/

const CAPITALISED =
  /(?<![\p{L}\p{N}_@#/.'’-])\p{Lu}[\p{L}\p{N}&'’-]{1,30}(?:(?: (?:of|the|de|van|von|der|la) | )\p{Lu}[\p{L}\p{N}&'’-]{1,30}){0,4}/gu
const SENTENCE_START = /(?:^|[.!?…:;"“(\n•–|*>#]\s*|[-*]\s+|\]\s*)$/
const NO_TERM: ReadonlySet<string> = new Set(
  (
    'The This That These Those There Then They Their We Our You Your He She His Her It Its And But Or If When While After ' +
    'Before Because Since Although Also Yes No Not Ok Okay Hey Hi Hello Thanks Thank Please Sorry Well So Just Maybe What ' +
    'Why How Where Who Which Can Could Would Should Will Let Do Does Did Is Are Was Were Has Have Had In On At To For From ' +
    'With By As An My Me Any All Some One Two Three First Next Last New Now Today Yesterday Tomorrow Monday Tuesday Wednesday ' +
    'Thursday Friday Saturday Sunday January February March April May June July August September October November December ' +
    "I'm I've I'll I'd It's That's There's What's Let's Don't Can't We're We've We'll You're You've They're Note See Use Add Be Have Seems Looks Having Doing Sounds Agreed Great Good Nice Cool Awesome Wow Oh Ah Hm Right Done Ask Read Write Set Check Make Get Run Open Close Send Tell Call Give Take Put Keep Look Try Show Start Stop Update Fix Going Der Die Das Den Dem Ein Eine Einen Wir Ich Sie Er Es Und Im Am Le La Les Un Une El Los Las Il " +
    'MUST NOT OK OR AND NO YES TODO NOTE ALL ANY NEVER ALWAYS ONLY WARNING IMPORTANT THE IS IF IN ON TO DO FYI BTW ASAP LOL OMG IMO AM PM KB MB GB TB KiB MiB GiB Mr Mrs Ms Dr Prof Herr Frau'
  ).split(' '),
)

/** Names that the structure of the document gives. */
export interface KnownNames {
  readonly persons: readonly string[]
  readonly agents?: readonly string[]
  /** Words of names in lower case, which are no terms by themselves. */
  readonly nameWords?: ReadonlySet<string>
  /** In German every noun has a capital, so that a single one means nothing. */
  readonly capitalsMean?: boolean
}

/**
 * Names in a passage with their types. Persons come from the structure of the document only; what has a form (addresses,
 * tickets, files, money, versions, identifiers) is typed by it; any other capitalised name is a `term`, because a wrong
 * type is worse than none (measured: organisations and places cannot be told by rules).
 */
export function entitiesIn(text: string, known: KnownNames): OtherEntity[] {
  const found = new Map<string, { entity: OtherEntity; count: number; order: number }>()
  const add = (name: string, type: string, order: number) => {
    const earlier = found.get(name)
    if (earlier) earlier.count++
    else if (name.length <= LONGEST_NAME)
      found.set(name, { entity: { entity_name: name, entity_type: type }, count: 1, order })
  }
  for (const person of known.persons) add(person, 'person', 0)
  for (const agent of known.agents ?? []) add(agent, 'agent', 0)
  let rest = text
  for (const { type, pattern } of PATTERNS) {
    rest = rest.replace(pattern, (match) => {
      if (type === 'ticket' && NO_TICKET.test(match)) return match
      // Node.js and its like are products.
      if (type === 'file' && /^[A-Z][A-Za-z]+\.(?:js|ts|py|rs|go)$/.test(match)) return match
      add(match, type, type === 'identifier' ? 2 : 1)
      return ' · '
    })
  }
  for (const term of termsIn(rest, known.nameWords ?? new Set(), known.capitalsMean ?? true)) add(term, 'term', 2)
  return [...found.values()]
    .toSorted((a, b) => a.order - b.order || b.count - a.count)
    .slice(0, MOST_ENTITIES)
    .map(({ entity }) => entity)
}

/** Names of files, with the folders that were written before them. */
export function fileNamesIn(text: string): string[] {
  return text.match(FILE) ?? []
}

function termsIn(text: string, nameWords: ReadonlySet<string>, capitalsMean: boolean): string[] {
  const terms: string[] = []
  for (const match of text.matchAll(CAPITALISED)) {
    const opens = SENTENCE_START.test(text.slice(Math.max(0, match.index - 4), match.index))
    const words = match[0].replace(/['’]s$/, '').split(' ')
    while (words[0] !== undefined && (NO_TERM.has(words[0]) || nameWords.has(words[0].toLowerCase()))) words.shift()
    while (words.length > 0 && /^(?:of|the|de|van|von|der|la)$/.test(words.at(-1) ?? '')) words.pop()
    while (words[0] !== undefined && /^(?:of|the)$/.test(words[0])) words.shift()
    const isAcronym = words.length === 1 && /^[A-Z][A-Z0-9]{1,}$/.test(words[0] ?? '')
    // A capital at the beginning of a sentence says nothing about a single word.
    if (!capitalsMean && words.some((word) => /^(?:of|the|de|van|von|der|la)$/.test(word))) continue
    if (words.length === 0 || (words.length === 1 && (opens || !capitalsMean) && !isAcronym)) continue
    const term = words.join(' ')
    if (!/^.$/u.test(term) && !/^I['’]/.test(term)) terms.push(term)
  }
  return terms
}
