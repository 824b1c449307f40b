/** Base forms of frequent verbs; their other regular forms are made by rule. */
const REGULAR =
  'accept act add admit agree aim allow announce answer apologise apologize appear apply approve argue arrange arrive ask assign assume attach attend avoid back base beat begin believe belong bill block book borrow break bring brew brief build bump buy call cancel care carry cause celebrate change charge chat check choose claim clean clear climb close collect combine come comment compare complain complete concern confirm connect consider consist contact contain continue convert cook copy cost count cover crash create cross cut cycle deal debit debug decide declare decline delay delete deliver demand deny depart depend deploy describe design differ disable disagree discover discuss dispute double download draft drive drop earn eat edit enable end enjoy enter escalate evaluate exist expand expect expire explain export extend fail fall fear feel fetch fill finalise finalize find finish fit fix fly focus follow forget form forward freeze fund gain generate get give go grow guess handle hang happen hate have hear help hide hike hire hit hold hope host identify ignore import improve include increase inform install intend introduce investigate invest invite involve issue join joke jump justify keep kick kill know land lack last launch lead leak learn leave lend let lie like limit link list listen live load lock log look lose love lower maintain make manage mark matter mean measure meet mention merge migrate mind miss monitor move name need negotiate note notice notify offer open operate order organise organize own pack park pass pause pay pick pin place plan play point post postpone prefer prepare present press prevent print process produce promise propose provide publish pull push put question queue quit quote raise reach react read realise realize reboot receive recommend record recover reduce refer refund refuse register reject relate release remain remember remind remove rename renew rent repair repeat replace reply report represent request require reschedule reserve reset resolve respond restart restore result retry return reuse review revert ride ring rise roll rotate run save say schedule score see seem sell send separate serve set settle share ship shoot show sign sit skip sleep solve sound speak spend split stand start state stay step stick stop store stream struggle study submit succeed suggest suit supply support suppose surprise suspect swap swim switch sync take talk teach tell tend test thank think throw tick track train transfer travel treat trigger trust try turn type understand update upgrade upload use utilise vary verify visit vote wait wake walk want warn wash waste watch wear welcome win wish wonder work worry write'

/** Past forms and participles that no rule makes, by their base form. */
const IRREGULAR: Readonly<Record<string, string>> = {
  be: 'am is are was were been being',
  have: 'has had having',
  do: 'does did done doing',
  become: 'became',
  begin: 'began begun beginning',
  break: 'broke broken',
  bring: 'brought',
  build: 'built',
  buy: 'bought',
  catch: 'caught',
  choose: 'chose chosen',
  come: 'came coming',
  cut: 'cutting',
  deal: 'dealt',
  draw: 'drew drawn',
  drive: 'drove driven',
  eat: 'ate eaten',
  fall: 'fell fallen',
  feel: 'felt',
  find: 'found',
  fly: 'flew flown flies',
  forget: 'forgot forgotten',
  freeze: 'froze frozen',
  get: 'got gotten getting',
  give: 'gave given giving',
  go: 'goes went gone going',
  grow: 'grew grown',
  hear: 'heard',
  hide: 'hid hidden',
  hold: 'held',
  keep: 'kept',
  know: 'knew known',
  lead: 'led',
  leave: 'left leaving',
  lend: 'lent',
  lose: 'lost losing',
  make: 'made making',
  mean: 'meant',
  meet: 'met meeting',
  pay: 'paid',
  quit: 'quitting',
  ride: 'rode ridden',
  ring: 'rang rung',
  rise: 'rose risen',
  run: 'ran running',
  say: 'said',
  see: 'saw seen',
  sell: 'sold',
  send: 'sent',
  set: 'setting',
  shoot: 'shot',
  show: 'shown',
  sit: 'sat sitting',
  sleep: 'slept',
  speak: 'spoke spoken',
  spend: 'spent',
  stand: 'stood',
  stick: 'stuck',
  swim: 'swam swum',
  take: 'took taken taking',
  teach: 'taught',
  tell: 'told',
  think: 'thought',
  throw: 'threw thrown',
  understand: 'understood',
  wake: 'woke woken',
  wear: 'wore worn',
  win: 'won winning',
  write: 'wrote written writing',
}
const MODAL =
  "can can't cannot could couldn't may might must shall should shouldn't will won't would wouldn't ought i'm i've i'll i'd it's that's there's what's who's let's don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't ain't"

let forms: ReadonlyMap<string, string> | undefined

/** The base form of a verb that is not written by rule (`sent`: `send`); the word itself otherwise. In lower case. */
export function baseVerb(word: string): string {
  forms ??= verbForms()
  return forms.get(word) ?? word
}

/** Whether an English sentence has a verb: a known form, or an ending that only verbs and contractions have. */
export function hasVerb(sentence: string): boolean {
  forms ??= verbForms()
  const known = forms
  const words =
    sentence
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/\p{L}+(?:'\p{L}+)?/gu) ?? []
  return words.some((word) => known.has(word) || /[a-z]{3}(?:ed|ied)$|'(?:re|ve|ll|d)$/.test(word))
}

function verbForms(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const base of REGULAR.split(' ')) for (const form of regularForms(base)) found.set(form, base)
  for (const [base, others] of Object.entries(IRREGULAR)) {
    for (const form of [base, ...others.split(' ')]) found.set(form, base)
  }
  for (const modal of MODAL.split(' ')) found.set(modal, modal)
  return found
}

function regularForms(base: string): string[] {
  const stem = base.replace(/e$/, '')
  const third = /(?:s|x|z|ch|sh)$/.test(base) ? `${base}es` : base.replace(/([^aeiou])y$/, '$1ie').concat('s')
  const doubled = /^[^aeiou]*[aeiou][bdgklmnprt]$/.test(base) ? `${base}${base.at(-1)}ing` : `${stem}ing`
  return [base, third, doubled]
}
