// English function words, with the contractions as they look once the apostrophe is gone. Words that double as names,
// months or verbs with content ("may", "will" as a name is rarer than as a verb) were decided by frequency in chat.
const ENGLISH = `a about above after again against all also am an and any are aren't arent as at be because been before being below
between both but by can cannot cant could couldnt did didnt do does doesnt doing don dont down during each else etc ever
few for from further had hadnt has hasnt have havent having he her here hers herself hes him himself his how however i id if ill im in
into is isnt it its itself ive just let lets me more most much must my myself no nor not now of off ok okay on once only or other ought our
ours ourselves out over own really same shall she shes should shouldnt so some such than that thats the their theirs them
themselves then there theres these they theyd theyll theyre theyve this those though through to too under until up upon us very was wasnt
we wed weve were werent what whatever whats when where whereas which while who whom whos whose why will with within without
wont would wouldnt yeah yes yet you youd youll your youre yours yourself yourselves youve`

// Inflections and particles that fill Japanese text; as bigrams they would match everything.
const HIRAGANA =
  'です ます した して いる ある ない から まで こと もの など った って てい する され れる られ ので のは には では とは にも でも'

/** Terms that say nothing about a passage, before stemming. */
export const STOP_WORDS: ReadonlySet<string> = new Set([...ENGLISH.split(/\s+/), ...HIRAGANA.split(' ')])
