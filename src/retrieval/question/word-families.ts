import { analyze } from '../../lib/analyze.ts'
import { VERB_FORMS } from './irregular-verbs.ts'

/** Words of one root that a stemmer keeps apart, without those that also name something else: `sale`, `application`, `life`. */
const FAMILIES = `child children, foot feet, tooth teeth, man men, woman women, person people, mouse mice, wife wives, knife knives, shelf shelves,
choose choice, die death, marry marriage, lose loss, steal theft, decide decision, explain explanation, describe description,
subscribe subscription, prescribe prescription, destroy destruction, repeat repetition, weigh weight, long length, wide width,
compete competition, advise advice, believe belief, breathe breath, behave behavior behaviour, fail failure, depart departure,
approve approval, renew renewal, bury burial, deliver delivery, arrive arrival, pronounce pronunciation, succeed success, verify verification,
notify notification, qualify qualification, expire expiry expiration, complain complaint, educate education, allergy allergic, injure injury,
inject injection, deploy deployment, employ employment, propose proposal, respond response, analyze analysis, invite invitation, install installation, restrict restriction, celebrate celebration,
favorite favourite, organize organise, license licence, 3rd third, 4th fourth, 5th fifth, 6th sixth, 7th seventh, 8th eighth, 9th ninth, 10th tenth,
config configuration configure, db database, repo repository, admin administrator, auth authentication authenticate, dir directory,
hour hr, week wk, appointment appt, apartment apt, check cheque, env environment, docs documentation, info information, sync synchronize synchronise synchronization`
/** Verbs that occur in sentences about anything. */
const EMPTY_VERBS = new Set(
  `be become begin bring come cost cut do feel find get give go hear hold keep know lead leave make mean put run say see set stand
  take tell think`.split(/\s+/),
)

/** Forms of verbs that are as often another word: `a bit`, `the coffee break`, `a flu shot`, `Sat 5 May`. */
const OTHER_WORDS = new Set('bit break deal draw drive drunk fall ring rose sat shoot shot spoke'.split(' '))

/** Words of everyday life that mean nearly the same, and seldom anything else; a digit is in many dates and amounts. */
const SYNONYMS = `3 three, 4 four, 5 five, 6 six, 7 seven, 8 eight, 9 nine, 10 ten, begin start, buy purchase, repair mend, broken damaged,
doctor physician gp, operation surgery, medicine medication pill, ill sick unwell, illness sickness disease, injury wound, injure hurt,
baby newborn infant, kid child children, husband spouse, wife spouse, marry wedding, mother mum mom mam mama, father dad papa daddy,
grandmother grandma gran granny, grandfather grandpa grandad granddad, aunt auntie, friend mate, colleague coworker, occupation profession,
salary wage, resign quit, film movie, photo photograph, concert gig, bike bicycle, car automobile, lorry truck, airplane aeroplane aircraft,
fridge refrigerator, tv television, phone telephone, phone cellphone smartphone, holiday vacation, trip journey, luggage baggage,
dinner supper, trousers pants, jumper sweater pullover, funeral burial, expensive costly, cheap inexpensive, big large huge, small tiny,
quick rapid, happy glad, sad unhappy, angry annoyed, afraid scared frightened, worried anxious nervous, tired exhausted, love enjoy,
hate dislike, need require, help assist, university uni, answer reply respond, parcel package, password passcode, choose select,
agree consent, reject decline, forbid prohibit ban, finish complete, modify alter, replace swap, move relocate, arrange organize,
schedule timetable, delay postpone, problem trouble, improve enhance, decrease reduce, delete erase, build construct, limit maximum,
limit restrict, reason cause, result outcome, advice recommendation, rule regulation, accident collision, walk stroll, hike trek,
beverage drink, city town, sofa couch, rubbish trash garbage, petrol gasoline, win victory, author writer, singer vocalist,
lawyer solicitor attorney, refund reimburse, folder directory, smallest minimum, largest maximum, disable deactivate,
enable activate, store save`

/** A word that stands for one of a question, and what it counts as a share of it. */
export interface RelatedStem {
  readonly stem: string
  readonly share: number
}

/** Words that mean nearly the same support an answer less than the word itself. */
export const SYNONYM_SHARE = 0.5

let related: ReadonlyMap<string, readonly RelatedStem[]> | undefined

/** The stems of other forms of a word, and of words that mean the same, by its own stem. */
export function relatedStems(stem: string): readonly RelatedStem[] {
  related ??= readRelated()
  return related.get(stem) ?? []
}

function readRelated(): ReadonlyMap<string, readonly RelatedStem[]> {
  const found = new Map<string, Map<string, number>>()
  const add = (group: readonly string[], share: number) => {
    const stems = [...new Set(group.flatMap((word) => analyze(word).slice(0, 1)))]
    for (const one of stems) {
      const others = found.get(one) ?? new Map<string, number>()
      found.set(one, others)
      for (const other of stems) if (other !== one && !others.has(other)) others.set(other, share)
    }
  }
  for (const forms of VERB_FORMS) {
    const own = forms.filter((form) => !OTHER_WORDS.has(form))
    if (!EMPTY_VERBS.has(forms[0]!)) add(own, 1)
  }
  for (const family of groupsOf(FAMILIES)) add(family, 1)
  for (const group of groupsOf(SYNONYMS)) add(group, SYNONYM_SHARE)
  return new Map(
    [...found].map(([one, others]) => [one, [...others].map(([other, share]) => ({ stem: other, share }))]),
  )
}

function groupsOf(words: string): string[][] {
  return words.split(/,\s*/).map((group) => group.split(/\s+/))
}
