import { analyze } from '../../lib/analyze.ts'
import { VERB_FORMS } from './irregular-verbs.ts'

/** Words of one root that a stemmer keeps apart. */
const FAMILIES = `child children, foot feet, tooth teeth, man men, woman women, person people, mouse mice, wife wives, knife knives,
leaf leaves, shelf shelves, life live lives, choose choice, die death dead, marry marriage, lose loss, fly flight, sell sale, grow growth, know knowledge,
speak speech, think thought, sing song, steal theft, feed food, sit seat, shoot shot, decide decision, receive receipt, explain explanation,
describe description, subscribe subscription, prescribe prescription, destroy destruction, produce production, permit permission,
extend extension, repeat repetition, admit admission, weigh weight, high height, strong strength, long length, wide width, deep depth,
apply application, inform information, compete competition, advise advice, believe belief, prove proof, breathe breath,
behave behavior behaviour, sign signature, fail failure, depart departure, approve approval, refuse refusal, propose proposal, renew renewal,
remove removal, bury burial, try trial, deliver delivery, enter entry entrance, arrive arrival, pronounce pronunciation, succeed success,
solve solution, store storage, pack package, identify identification, verify verification, notify notification, qualify qualification,
expire expiry expiration, complain complaint, educate education, allergy allergic, injure injury, inject injection, engage engagement,
invite invitation, install installation, configure configuration, restrict restriction, operate operation, celebrate celebration,
3 three, 4 four, 5 five, 6 six, 7 seven, 8 eight, 9 nine, 10 ten, 11 eleven, 12 twelve, 1st first, 2nd second, 3rd third, 4th fourth, 5th fifth,
6th sixth, 7th seventh, 8th eighth, 9th ninth, 10th tenth`
/** Verbs that occur in sentences about anything. */
const EMPTY_VERBS = new Set(
  `be become begin bring come cost cut do feel find get give go hear hold keep know lead leave make mean put run say see set stand
  take tell think`.split(/\s+/),
)

/** Words of everyday life that mean nearly the same, of whose other meanings few are as frequent. */
const SYNONYMS = `begin start, stop quit, buy purchase, repair fix mend, broken damaged, doctor physician gp, hospital clinic,
operation surgery, medicine medication drug pill, ill sick unwell, illness sickness disease, injury wound, injure hurt,
baby newborn infant, kid child children, husband spouse, wife spouse,
mother mum mom mam mama parent, father dad papa daddy parent, grandmother grandma gran granny, grandfather grandpa grandad granddad,
sibling brother, sibling sister, aunt auntie, relative family, friend mate buddy, colleague coworker, boss manager supervisor, employer company,
job work occupation profession career, salary wage income, resign quit, hire employ recruit, film movie, novel book,
photo picture photograph, concert gig, match game, workout exercise training, bike bicycle, car vehicle automobile, lorry truck,
plane airplane aircraft flight, hotel accommodation, hostel accommodation, guesthouse accommodation, flat apartment, rent lease, garden yard,
fridge refrigerator, tv television, phone mobile cellphone smartphone telephone, laptop computer, email mail, holiday vacation, trip journey travel,
luggage baggage suitcase, grocery supermarket, dinner supper, meal dish food, dessert pudding, sweet candy, biscuit cookie,
trousers pants, jumper sweater pullover, sneaker shoe, glasses spectacles, wallet purse, wedding marriage marry,
funeral bury, expensive costly, cheap inexpensive, invoice bill receipt, money cash, loan credit,
insurance insure, discount reduction, big large huge, small tiny, quick fast rapid, happy glad, sad unhappy, angry annoyed,
afraid scared frightened, worried anxious nervous, tired exhausted, favorite favourite, like love enjoy, hate dislike, need require, help assist,
teach tutor, learn study, study course, course lesson, class lesson, university college uni, exam test, homework assignment, teacher tutor instructor,
student pupil, ask inquire, answer reply respond, parcel packet package, password passcode, missing lost, find discover, choose pick select,
agree consent, reject refuse decline, allow permit, forbid prohibit ban, try attempt, finish complete, change modify alter, replace swap exchange,
move relocate, leave depart, arrange organise organize, book reserve, schedule timetable, delay postpone, deadline due, bug error fault defect,
problem trouble, improve enhance, increase raise rise, decrease reduce lower, remove delete erase, build construct, keep retain,
limit maximum, limit restrict, setting configuration, reason cause, result outcome, goal aim objective, suggestion idea proposal,
advice tip recommendation, rule regulation, accident crash collision, cold chilly, walk stroll, hike trek,
party celebration, beverage drink, vegetarian veggie, fetch collect, speak talk, road street, license licence,
website site, country nation, city town, autumn fall, membership subscription, sofa couch, rubbish trash garbage, petrol gas fuel,
chemist pharmacy, award prize, win victory, beach coast seaside, wood forest, river stream, author writer, singer vocalist,
lawyer solicitor attorney, builder contractor, refund reimburse`

/** A word that stands for one of a question, and what it counts as a share of it. */
export interface RelatedStem {
  readonly stem: string
  readonly share: number
}

/** Words that mean nearly the same support an answer less than the word itself. */
const SYNONYM_SHARE = 0.5

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
  for (const forms of VERB_FORMS) if (!EMPTY_VERBS.has(forms[0]!)) add(forms, 1)
  for (const family of groupsOf(FAMILIES)) add(family, 1)
  for (const group of groupsOf(SYNONYMS)) add(group, SYNONYM_SHARE)
  return new Map(
    [...found].map(([one, others]) => [one, [...others].map(([other, share]) => ({ stem: other, share }))]),
  )
}

function groupsOf(words: string): string[][] {
  return words.split(/,\s*/).map((group) => group.split(/\s+/))
}
