/** Whether the weekday in a sentence is in the past or the future, from the words around it. */

const SINCE = /(?<!\p{L})(?:since|seit|depuis|desde)\s(?:(?:last|the|dem|el|le)\s)?$/iu
/** "written off after the crash on Monday": what nobody plans has happened, unlike a meeting or a party. */
const AFTER_MISHAP =
  /(?<!\p{L})(?:after|since|nach|seit|après|depuis|desde|tras) (?:(?:the|our|my|your|a|der|dem|einem|einer|meinem|unserem|le|la|un|une|el|una) |l['’])(?:\p{L}+ )?\p{L}*(?:accident|crash|break-in|burglary|fire|flood|injury|outage|robbery|theft|unfall|brand|einbruch|sturz|ausfall|schaden|cambriolage|chute|incendie|inondation|panne|vol|accidente|apagón|avería|caída|incendio|robo) (?:on|am|vom|de|du|del|of)\s$/iu
/** Things moved to, planned or booked for a day are ahead, however long ago that was done. */
const TOWARDS =
  /(?<!\p{L})(?:(?:to|for|until|till|by|before|next|coming|now|now on|auf|für|bis|zum|à|pour|au|jusqu['’]à|jusqu['’]au|avant|d['’]ici|antes de|antes del|vor|al|para|hasta|até|до|к)\s(?:(?:the|this|coming|kommenden|nächsten|le|el|la)\s)?)$|(?:(?:改|推迟|提前|移|延|换)到|(?:定|约|改)在|改(?:成|为))$|\b(?:start|begin|open|clos|mov|chang)\p{L}{0,3}\b[^.,;]{0,14} from\s$/iu
const TOWARDS_AFTER = /^曜?日?に(?:変更|移動|移し|延期|予約|決ま|決め|設定|ずら|お願い)/u
/** Actions on behalf of another day: their tense does not apply to the day. */
const ARRANGED =
  /(?<!\p{L})(?:booked|reserved|offered|suggested|proposed|requested|scheduled|rescheduled|planned|arranged|moved|postponed|cancell?ed|invited|agreed|appointment|gebucht|reserviert|geplant|verschoben|verlegt|abgesagt|eingeladen|vereinbart|angesetzt|réserv\p{L}+|prévu\p{L}*|fix[ée]\p{L}*|report\p{L}+|décal\p{L}+|annul\p{L}+|avanc\p{L}+|invit\p{L}+|rendez-vous|reserv\p{L}+|aplaz\p{L}+|cancel\p{L}+|agend\p{L}+|quedamos|cita)(?!\p{L})|予約|変更|延期|预订|预约|推迟|取消/iu
/** `Dad had his appointment at the clinic on Thursday`: it was kept, unlike one that somebody only had made. */
const HAD_APPOINTMENT = /\bhad (?:my|his|her|our|their) (?:\p{L}+ )?appointment\b/iu
/** `the Thursday flight`, `le cours de jeudi`: part of a name, independent of the day it is said. */
const ATTRIBUTE = /(?<!\p{L})(?:the|our|my|your|their|his|her|a|de|du|del|vom)\s$/iu

const PAST =
  /\b(?:was|were|had|did|came|went|met|(?<!\b(?:an?|the|new|old|my|our|your|his|her|their|this|that) )saw|(?<!\b(?:be|get|gets|getting|is|are|it|this|that) )done|got|made|took|found|told|said|sent|gave|left|broke|wrote|called|moved|have been|has been|[a-z]{2,}ed|ran|ate|bought|brought|built|caught|chose|drew|drank|drove|fell|felt|flew|forgot|grew|heard|held|kept|knew|lost|paid|rode|sang|sat|slept|spent|spoke|stood|swam|taught|thought|threw|woke|wore|won(?!['’]t)|began|became|sold)\b|\p{L}{2,}(?:ал|ил|ел|ла|ли)(?=[\s.,!?]|$)/iu
/** Perfects and preterites of German, French and Spanish: "hat am Montag angerufen", "est venu lundi", "llegó el lunes". */
const FOREIGN_PAST = new RegExp(
  [
    '(?<!\\p{L})(?:hat|hast|habt|habe|haben)(?!\\p{L}).*(?<!\\p{L})(?:\\p{Ll}{0,6}ge\\p{Ll}{2,12}(?:t|en)|\\p{Ll}{3,12}iert|(?:be|er|ver|ent|zer)\\p{Ll}{3,12}(?:t|en))(?!\\p{L})',
    '(?<!\\p{L})(?:ist|sind|bin)(?!\\p{L}).*(?:gekommen|gegangen|gefahren|geflogen|gefallen|geblieben|gewesen|geworden|passiert)(?!\\p{L})',
    '(?<!\\p{L})(?:war|waren|hatte|hatten|wurde|wurden|gab|kam|kamen|ging|gingen|rief|fiel|schrieb|brachte|fuhr|sagte|wollte|stand|blieb|lag|saß|aß|trank|traf|trafen|fand|nahm|half|ließ|lief|sah|verlor|begann|starb)(?!\\p{L})',
    '(?<!\\p{L})(?:fehl|kauf|mach|sag|frag|brauch|bestell|liefer|dauer|klapp|meld|arbeit|kost|zeig|stell|hol|leg|schick|antwort|start|end|buch|feier|wart|test|koch|spiel|lern|wohn|repar|telefon|regn|schnei|streik|besuch|verkauf|erzähl|bezahl|reis|wander|tanz|wechsel|öffn|schließ)(?:e?te[nt]?)(?!\\p{L})|(?<!\\p{L})\\p{Ll}{2,12}ierten?(?!\\p{L})',
    '(?<!\\p{L})(?:était|étaient|avait|avaient|(?:ai|a|ont|avons|avez) (?:(?:pas|déjà|bien|enfin|tout|beaucoup|encore|aussi|toujours|jamais|rien) )?(?!lieu)(?:\\p{Ll}{1,12}(?:é|u)e?s?|(?:fai|di|écri|offer|ouver|couver|souffer|construi|produi|condui|inscri|peint?)te?s?|(?:m|pr|appr|compr|rem|perm|prom|surpr|repr)ise?s?|(?:fin|chois|réuss|sub|sais|rempl|grand|garant|fourn|serv|sent|dorm|ment|su?iv)ie?s?)|(?:est|sont|suis|sommes) (?:\\p{Ll}+ )?(?:ven|all|part|arriv|pass|tomb|rest|mort|n|deven|rentr|sort|mont|descend|retourn)(?:us?|ues?|ée?s?|ie?s?))(?!\\p{L})',
    '(?<!\\p{L})(?:vino|vinieron|vine|fue|fueron|fui|hizo|hicieron|hice|dijo|dijeron|dije|tuvo|tuvieron|tuve|estuvo|estuvieron|estuve|pudo|pudieron|puso|pusieron|puse|trajo|trajeron|dio|dieron|vio|hubo|quiso|supo|era|eran|estaba|estaban|(?!por|tambi|ol)\\p{Ll}{3,11}(?:ó|aron|ieron)|(?!port|caf|beb|tambi|est|cliché)\\p{Ll}{3,11}(?<!r)é|(?:he|ha|han|hemos) \\p{Ll}{2,12}(?:ado|ido|to|cho))(?!\\p{L})',
  ].join('|'),
  'iu',
)
/** "I've got a play on the 26th" */
const POSSESSES = /(?:['’](?:ve|s)| have| has) got\b/gi
/** `got one on Thursday, 8am`: has it or received it. */
const MAY_HAVE = /\bgot (?=(?:one|an? (?:appointment|slot|table))\b)/i
/** French participles end like Spanish preterites: "le match est reporté". */
const PARTICIPLE = /(?<!\p{L})(?:est|sont|sera|seront|être|était) (?:\p{Ll}+ )?\p{Ll}{2,12}é(?:e?s?)(?!\p{L})/giu
/** French nouns end like them too, "le kiné passe mardi"; in Spanish, "le llamé el lunes" is no noun. */
const FRENCH_NOUN =
  /(?<!\p{L})(?:(?:le|la|un|une|du|au|ce|mon|ma|ton|ta|son|sa|notre|votre|leur) |l['’])\p{Ll}+é(?!\p{L})/giu
const FRENCH_DAY = /(?<!\p{L})(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?!\p{L})/iu
const FUTURE =
  /\b(?:will|(?:is|are|be|gets?) [a-z]+ed|can|could|should|promised|agreed to|planned|scheduled|(?<!\b(?:was|were) )due|would|shall|may|might|must|going to|need|needs|please|wird|werden|sollen?)\b|['’]ll\b/i
/** What somebody said has the tense of its own verb. */
const SAID =
  /^.*(?<!\p{L})(?:said|says|told \p{L}+|wrote|thinks?|thought|heard|confirmed|mentioned|announced|sagte|sagt|meinte|schrieb|hat gesagt|a dit|dit|dijo|dice|avisó)(?!\p{L})(?: that|,? dass| qu[e'’]| que)?[,:]? (?!(?:so|it|this)\b)(?=.*\p{L})/iu
/** A separate verb after "and": "she called on Friday and comes on Saturday". */
const OWN_VERB =
  /(?<!\p{L})(?:and|but|und|aber|et|mais|y|pero) (?:(?:then|i|we|he|she|they|it|you|ich|wir|er|sie|il|elle|on|nous|dann) )?((?:is|are|will|am|goes|comes|[a-z]{2,}s|\p{Ll}{4,})(?: \p{Ll}+){0,3} (?:el |am |le |on )?)$/iu

/** `ahead` for the next such day, `past` for the last; `undefined` if it is ambiguous. */
export function weekdayTense(text: string, at: number, length: number): 'past' | 'ahead' | undefined {
  const before = text.slice(Math.max(0, at - LOOKED_AT), at)
  const after = text.slice(at + length, at + length + LOOKED_AT)
  if (SINCE.test(before) || AFTER_MISHAP.test(before)) return 'past'
  if (isGoal(text, at, length)) return 'ahead'
  const clause = clauseAround(text, at)
  if (FUTURE.test(clause)) return 'ahead'
  if (!isPast(clause)) return 'ahead'
  if (MAY_HAVE.test(clause) && !isPast(clause.replace(MAY_HAVE, ' '))) return undefined
  if (
    ARRANGED.test(clause.replace(HAD_APPOINTMENT, ' ')) ||
    (ATTRIBUTE.test(before) && /^ \p{Ll}|^['’]|^[.,!?]?$/u.test(after))
  )
    return undefined
  return 'past'
}

const LOOKED_AT = 32

/** Whether something is moved to this weekday, or planned for it. */
export function isGoal(text: string, at: number, length: number): boolean {
  const after = text.slice(at + length, at + length + LOOKED_AT)
  return TOWARDS.test(text.slice(Math.max(0, at - LOOKED_AT), at)) || TOWARDS_AFTER.test(after)
}

/** Other languages have no English days: `have a test` is no French perfect. */
const ENGLISH_DAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i

/** `The tuner comes on Wednesday` is said of one day. */
const COMES = /\b(?:comes?|coming|arrives?|arriving|lands?|landing|leaves?|leaving|flies|flying|picks? \p{L}+ up)\b/iu

/** Whether the words around a weekday say that it is ahead, and not only nothing else: `we will come on Friday`. */
export function saysAhead(text: string, at: number, length: number): boolean {
  const clause = clauseAround(text, at)
  return isGoal(text, at, length) || FUTURE.test(clause) || COMES.test(clause)
}

/** Whether the clause at a position is in the past tense. */
export function isClauseInPast(text: string, at: number): boolean {
  const clause = clauseAround(text, at)
  return !FUTURE.test(clause) && isPast(clause)
}

/** Whether the clause says that something is going to happen: `the baby is due in October`, `we'll move in March`. */
export function isDue(text: string, at: number): boolean {
  const clause = clauseAround(text, at)
  return DUE.test(clause) && !isPast(clause)
}
const DUE =
  /\b(?:(?:is|are) due|will|shall|going to|gonna)\b|['’](?:ll|re due|s due)\b|(?<!\p{L})(?:wird|werden|werde|soll|sollen|fällig|sera|seront|prévue?s?|será|serán|previst[oa]s?)(?!\p{L})/iu

function isPast(clause: string): boolean {
  if (ENGLISH_DAY.test(clause)) return PAST.test(clause.replace(POSSESSES, ' '))
  const foreign = clause.replace(PARTICIPLE, ' ')
  const own = FRENCH_DAY.test(foreign) ? foreign.replace(FRENCH_NOUN, ' ') : foreign
  return PAST.test(clause.replace(POSSESSES, ' ')) || FOREIGN_PAST.test(own)
}

const OPENS_CLAUSE = /^[.!?\n]?\s*(?:on |last |this )?$/i
const DAY_AND_CLAUSE = /^\p{L}+, (?!\p{L}+day\b)[^.,;!?\n]+/iu

function clauseAround(text: string, at: number): string {
  const marks = ['.', '\n', '?', '!', ',', ';', '，', '。'].map((mark) => text.lastIndexOf(mark, at - 1))
  const before = text.slice(Math.max(...marks, at - 120, 0), at)
  const rest = text.slice(at, at + 120)
  // `On Friday, I got the keys`: the clause begins after the comma.
  const [opened = ''] = OPENS_CLAUSE.test(before) ? (DAY_AND_CLAUSE.exec(rest) ?? []) : []
  const behind = opened || rest.slice(0, /[.,;!?\n，。]|$/.exec(rest)?.index ?? 0)
  const own = OWN_VERB.exec(before)?.[1]
  if (own !== undefined) return own + behind.slice(0, 40)
  const said = SAID.exec(before)?.[0]
  return `${said === undefined || said.length === before.length ? before : before.slice(said.length)}${behind}`
}
