import { analyze, firstTerm } from '../../lib/analyze.ts'
import { isMonthName } from '../../lib/calendar-names.ts'

const MOST_TAGS = 5
const SCANNED = 4_000
const WORD = /[\p{L}\p{N}\p{M}]+(?:[-_.'’/][\p{L}\p{N}\p{M}]+)*/gu
const HAS_LETTER = /\p{L}/u
const HANGUL = /^\p{Script=Hangul}+$/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u

interface TaggedPassage {
  /** Fenced code is skipped if there is enough other text. */
  readonly text: string
  /** Title of the document; may be empty. */
  readonly title: string
  /** Words of names in lower case, which are among the participants already. */
  readonly names: ReadonlySet<string>
}

/** State kept between the passages of a document. */
export interface DocumentFrequencies {
  /** Number of passages in which each term occurs. */
  readonly passagesWith: ReadonlyMap<string, number>
  /** The term of each word so far, empty for none: a document repeats most of its words. */
  readonly termOf: Map<string, string>
}

interface Candidate {
  readonly surfaces: Map<string, number>
  count: number
  readonly position: number
}

/**
 * The five most characteristic words of a passage: term frequency x inverse document frequency within its document,
 * divided by (.3 + position), position from 0 to 1 (best of four formulas measured on e-mail subjects).
 */
export function chooseTags(
  { text, title, names }: TaggedPassage,
  frequencies: DocumentFrequencies,
  passages: number,
): string[] {
  const scored: { tag: string; score: number }[] = []
  const lead = `${title}\n${text}`
  const length = Math.min(lead.length, SCANNED)
  // All passages of a document share its title, so its words do not distinguish them.
  const shared = new Set<string>()
  if (passages > 1) visitTerms(title, frequencies, (term) => shared.add(term))
  for (const [term, candidate] of candidatesIn(lead, names, frequencies)) {
    const rarity = Math.log(1 + passages / (shared.has(term) ? passages : (frequencies.passagesWith.get(term) ?? 1)))
    scored.push({
      tag: usualSpelling(candidate),
      score: (candidate.count * rarity) / (0.3 + candidate.position / length),
    })
  }
  return scored
    .toSorted((a, b) => b.score - a.score || (a.tag < b.tag ? -1 : 1))
    .slice(0, MOST_TAGS)
    .map(({ tag }) => tag)
}

export function countTerms(texts: readonly string[]): DocumentFrequencies {
  const passagesWith = new Map<string, number>()
  const frequencies = { passagesWith, termOf: new Map<string, string>() }
  if (texts.length < 2) return frequencies
  for (const text of texts) {
    const seen = new Set<string>()
    visitTerms(text, frequencies, (term) => seen.add(term))
    for (const term of seen) passagesWith.set(term, (passagesWith.get(term) ?? 0) + 1)
  }
  return frequencies
}

function candidatesIn(
  text: string,
  names: ReadonlySet<string>,
  frequencies: DocumentFrequencies,
): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>()
  visitTerms(text, frequencies, (term, surface, position) => {
    const lower = surface.toLowerCase()
    if (names.has(lower) || COMMON_WORDS.has(lower) || isMonthName(lower)) return
    const known = candidates.get(term) ?? { surfaces: new Map<string, number>(), count: 0, position }
    known.count++
    known.surfaces.set(surface, (known.surfaces.get(surface) ?? 0) + 1)
    candidates.set(term, known)
  })
  return candidates
}

/** The term of a word; none for stop words and numbers. */
function visitTerms(text: string, { termOf }: DocumentFrequencies, visit: Visit): void {
  const start = text.slice(0, SCANNED)
  const scanned = start.includes('://') ? start.replace(/https?:\/\/\S+/g, (url) => ' '.repeat(url.length)) : start
  // Tested once for each text rather than for each word.
  const isAsian = ASIAN.test(scanned)
  WORD.lastIndex = 0
  for (let match = WORD.exec(scanned); match !== null; match = WORD.exec(scanned)) {
    const word = match[0].endsWith('s') ? match[0].replace(/['’]s$/, '') : match[0]
    if (isAsian && HANGUL.test(word)) visitHangul(word, match.index, visit)
    else if (isAsian && UNSPACED.test(word)) visitUnspaced(word, match.index, visit)
    else if (word.length >= 3 && word.length <= 40) {
      const known = termOf.get(word)
      const term = known ?? (HAS_LETTER.test(word) ? (firstTerm(word) ?? '') : '')
      if (known === undefined) termOf.set(word, term)
      if (term !== '') visit(term, word, match.index)
    }
  }
}

type Visit = (term: string, surface: string, position: number) => void

/** A noun without its particle; predicates, which end in a few known syllables, are not topics. */
function visitHangul(word: string, offset: number, visit: Visit): void {
  if (/(?:요|니다|니까|세요|는데|고요|어서|아서|해서|하고|한다|했다|된다|이다)$/.test(word)) return
  const noun = word.replace(
    /(?<=\p{Script=Hangul}{2})(?:에서|에게|까지|부터|으로|은|는|이|가|을|를|에|의|도|로|와|과)$/u,
    '',
  )
  const term = [...noun].length < 2 ? undefined : analyze(noun)[0]
  if (term !== undefined) visit(term, noun, offset)
}

let segmenter: Intl.Segmenter | undefined

/** Words of a run without spaces, by the dictionaries of ICU. */
function visitUnspaced(run: string, offset: number, visit: Visit): void {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  for (const { segment, index, isWordLike } of segmenter.segment(run)) {
    if (isWordLike && [...segment].length >= 2 && HAS_LETTER.test(segment) && analyze(segment).length > 0)
      visit(segment, segment, offset + index)
  }
}

/** The most frequent form; in lower case if it occurs so. */
function usualSpelling(candidate: Candidate): string {
  let best = ''
  let most = 0
  for (const [surface, count] of candidate.surfaces) {
    if (count > most || (count === most && surface === surface.toLowerCase())) [best, most] = [surface, count]
  }
  const isPlainWord = /^\p{Lu}\p{Ll}+$/u.test(best)
  return isPlainWord ? best.toLowerCase() : best
}

// Words that are not topics: English fillers, and function words of languages that the index does not stem. English
// function words are dropped earlier (src/lib/analyze.ts).
const ENGLISH = `
able actually add added ago almost already alright also although always another anyone anything anyway april around
ask asked august away back bad basically become behind best better big bit bring call came change check come comes
cool couple course day days december definitely different don't done end ends even every everyone everything far
february feel find fine finish finished first follow forget forgetting forgot found friday full gave get gets
getting give given go goes going gone gonna good got great guess guys haha hand happen happened happy hard help hey
hmm honestly hope hours idea important inside interesting january july june keep kept kind knew know known last
later least left less let like literally little long look looked looking looks lose lost lot lots love made main
make makes making many march matter maybe mean means might minutes moment monday month months morning must name need
needed needs never new next nice night nothing november october okay old one ones open part people place please plus
point pretty probably put question quite rather read ready real right run said saturday saw say says second see seem
seems seen send sent september set shares show side since small somebody someone something soon sorry sort sound
sounds start started stay step still stuff sunday sure take taken takes tell thank thanks thing things think thought
three thursday time times today together told tomorrow tonight took total totally tried try trying tuesday turn two
use used uses using via want wanted wants way ways wednesday week weeks well went whole without wonder word work
worked working works world worth would wow write wrong yay year years yes yesterday yet`

const OTHERS = `
aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein dem
den denn der des dich die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines
er es etwas euch für gegen hab habe haben hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre im immer in ins
ist ja jede jeden jeder jetzt kann kein keine können man mehr mein meine mich mir mit muss müssen nach nicht noch
nun nur ob oder ohne schon sehr sein seine seit sich sie sind so soll sollen über um und uns unser unter viel vom
von vor war waren warum was weil wenn wer werden wie wieder will wir wird wo wurde wurden zu zum zur zwischen
alors au aux avec ce ces cette comme dans de des du elle elles en encore est et été être fait faire ici il ils je la
le les leur lui mais me même mes moi mon ne nous on ont ou où par pas plus pour qu que quel qui sa sans se ses si
son sont sur ta te tes toi ton tous tout très tu un une vos votre vous
al algo como con cual cuando del desde donde el ella ellos en entre era eran es esa ese eso esta está están este
esto estos fue ha hasta hay la las le les lo los más me mi muy nada ni no nos nosotros nuestra nuestro o para pero
por porque que qué quien se ser si sin sobre son su sus también te tiene todo todos tu un una uno y ya yo
alla alle anche che chi come con cosa da dal dalla degli dei del della delle dello di dove ed era gli ha hanno ho ma
nel nella nelle non nostro per perché più quando quello questa questo sono sua suo sul sulla tutti tutto una uno ao
aos às até com dos das ele ela eles elas em essa esse esta este foi isso já mais mas mesmo muito na não nas nem no
nos ou para pela pelo por quando que quem são se sem seu sua também tem um uma você vocês
aan als bij dan dat de deze die dit door dus een en er geen had heb hebben heeft het hij hoe hun ik in is je kan
maar me meer met mijn na naar niet nog nu of om onder ons onze ook op over te toen tot uit van veel voor waar wat we
wel werd wij wordt worden zal ze zich zij zijn zo
без был была были было быть вам вас весь во вот все всё вы где да для до его ее её если есть еще ещё же за из или им
их как ко когда кто ли мы на над нас не него нет но ну об он она они оно от по под при про раз с со так там то того
тоже только том ты уже у чего что чтобы эта эти это этот`

/** Words that are never tags, in lower case. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `${ENGLISH} ${OTHERS}`.split(/\s+/).filter((word) => word !== ''),
)
