/** Set phrases of chats, in whole sentences: reactions, courtesies and checks of the connection. Nobody learns anything from them. */

const ENGLISH = [
  "you(?:['’]re| are) killing me|(?:just )?living the dream|(?:(?:same here|none here),? )?no complaints(?: (?:here|from me))?|(?:oh,? )?(?:you )?poor (?:thing|you|soul|lamb)|(?:i )?couldn['’]t have said it better(?: myself)?|story of my life|great minds(?: think alike)?|that makes (?:two|three) of us|(?:oh,? )?(?:wow,? )?it(?:['’]s| has) been (?:ages|forever|too long|so long)|shut up,? really|sleep (?:tight|well)|sweet dreams",
  "(?:so |very |really )?sorry (?:for|about) the (?:late|slow|delayed) (?:reply|response|answer)|(?:so |very |really )?sorry (?:for|about) the (?:delay|silence)|(?:sorry,? )?(?:i )?(?:just )?missed (?:your|the) (?:call|message)s?(?:,? sorry)?|don['’]t mention it|no need to (?:thank me|apologi[sz]e|be sorry)|no (?:worries|problem|rush|hurry)(?: at all)?,? take your time|take your time",
  "whatever (?:works(?: best)?|suits you(?: best)?|is easiest)(?: for you)?|either(?: one)?(?: is|['’]s| works)? (?:is |works )?(?:fine|good|ok(?:ay)?)?(?: ?(?:with|for|by) me)|sounds like a plan(?: to me)?|perfect timing|anything new(?: (?:with you|there|at your end))?|nothing (?:special|new|much)(?:,? (?:and )?(?:you|with you))?|(?:are there )?any (?:other|more|further) (?:questions|comments|thoughts)(?: before we .{0,30})?",
  '(?:love|loving) (?:the|that|your|this|those|these) (?:\\p{Ll}+ )?(?:pic|picture|photo|shot|selfie|view|colou?r|dress|outfit)s?|(?:the |what an? |such an? |an? )?(?:gorgeous|stunning|adorable|hilarious|fabulous|lovely|beautiful|great|nice|amazing) (?:pic|picture|photo|shot|selfie|view|colou?r|dress|outfit)s?|the (?:cutest|sweetest|funniest|loveliest|best) (?:thing|one|pic|picture|photo)(?: ever| in the world)?',
]
const GERMAN =
  "(?:das ist )?nicht dein ernst|(?:das )?(?:wird|klappt) schon(?: (?:klappen|werden|gut ?gehen|gutgehen))?|kein (?:ding|thema|akt)|(?:mir|uns) geht(?: e|['’])?s (?:ganz |sehr |auch |so weit )*gut(?:,? (?:danke|und (?:dir|euch|ihnen|selbst)))*|ich (?:lach|schmeiß) mich (?:kaputt|tot|schlapp|weg)|lass(?:t)? es (?:dir|euch) (?:schmecken|gut ?gehen)|kommt? gut (?:heim|an|rein|nach hause)|(?:sorry,? |ups,? )?(?:gerade|grad|jetzt|eben) erst gesehen|(?:hallo,? )?(?:hört ihr|hörst du|hören sie) mich(?: (?:gut|jetzt))?|(?:ja,? )?(?:ich höre|wir hören) (?:dich|euch|sie)(?: (?:gut|laut und deutlich))?"
const FRENCH =
  "(?:c['’]est )?n['’]importe quoi(?:,? toi)?|(?:on|je) croise les doigts|quelle (?:horreur|honte|galère|bonne nouvelle|belle photo)|(?:allô,? )?(?:est-ce que )?(?:vous m['’]entendez|tu m['’]entends)(?: bien)?|(?:oui,? )?(?:on|je) (?:vous|t['’]) ?entends?(?: (?:très )?bien)?|oui,? oui|(?:oui,? )?c['’]est bon(?:,? on peut y aller)?|t['’]inquiète(?: pas)?"
const SPANISH =
  '¿?no me digas|¡?qué (?:ilusión|guay|fuerte|risa|bonit[oa]|mon[oa]|chul[oa]|lind[oa]|horror|rabia|envidia|suerte)(?: (?:me da|tía|tío|chic[oa]s))?|¿?me (?:oís|oyen|oyes|escuchan|escuchas)(?: bien)?|(?:sí,? )?(?:te|os|les) (?:oigo|oímos|escucho)(?: (?:muy )?bien)?'
const ASIAN =
  'それな|(?:うける|ウケる)(?:わ|笑)*|(?:お疲れ(?:様|さま)?、?)?ゆっくり休んで(?:ね|ください)?|(?:か|可)(?:わい|愛)すぎ(?:る|ます)?(?:ね|笑)*|(?:はい、?)?(?:私の声は?)?聞こえます(?:か)?|哈*(?:太|好|真)(?:可爱|漂亮|厉害|棒|美|帅|好玩|好笑|逗|搞笑)(?:了|啊|呀|哦|吧|!)*|(?:哈)+(?:笑死我?了?)?|随便你?|都(?:行|可以)|(?:不用了|不了),?谢谢'
/** On invitations, receipts, newsletters and lists of calls. */
const PAPERS = [
  '(?:(?:an? )?agenda|(?:more |further )?(?:details|information|infos?)|dial-?in(?: details)?) (?:to follow|will follow|below|attached|tba|tbc|coming soon)|please (?:accept|decline|accept or decline)(?: (?:this|the) invit(?:e|ation))?|(?:please )?bring (?:a good mood|good vibes|yourselves|yourself|an appetite|your appetite)|no need to bring anything|to join (?:the|this) (?:meeting|call),? (?:please )?(?:click|tap|press|follow)(?: (?:here|below|the link(?: below)?))?|(?:please )?rsvp(?: please| asap)?|pack your bags|have your (?:id|passport|ticket|documents)(?: and (?:id|passport|ticket|documents))? ready',
  "(?:please )?read on(?: (?:for|to) .{1,30})?|(?:so )?grab (?:a|your) (?:cup of )?(?:tea|coffee|cuppa)(?: and .{1,40})?|view (?:this (?:e-?mail )?)?in (?:your )?browser|(?:spring|summer|autumn|winter|christmas|love) is in the air|it['’]s that time of (?:the )?(?:year|month|week)(?: again)?|(?:like|follow|find|join) us on (?:facebook|instagram|twitter|x|linkedin|tiktok|youtube|social media)(?: .{1,30})?|join our (?:loyalty (?:club|program(?:me)?)|mailing list|community|newsletter)",
  '(?:please )?(?:keep|retain|save) (?:this|your|the) (?:receipt|ticket|slip|invoice)(?: (?:for your records|safe|as proof of purchase))?|please retain(?: (?:this|your) (?:receipt|ticket))?(?: for your records)?|(?:customer|merchant|cardholder) copy|(?:you were |served )(?:served )?(?:today )?by:? \\p{L}{2,20}|goods remain (?:our|the) property (?:of .{1,30} )?until (?:fully )?paid(?: .{1,20})?',
  '(?:silent|prank|spam|nuisance) call|nothing (?:important|urgent)|(?:busy|engaged)(?: (?:signal|tone))?|(?:tried again|called back|rang back),? (?:no (?:luck|answer|reply)|engaged|busy|nothing)|my feet (?:hurt|are killing me)(?: lol| haha)?',
  '(?:bitte )?(?:den )?(?:beleg|bon|kassenbon|quittung) (?:bitte )?(?:gut )?aufbewahren|bitte (?:den )?(?:beleg|bon) aufbewahren|beehren sie uns bald wieder|es bediente sie:? .{2,30}|(?:kunden|händler)beleg|(?:niemand|keiner) (?:dran|da|rangegangen|abgenommen)|(?:nur )?kurz gequatscht|bitte um (?:kurze )?(?:rückmeldung|antwort|zusage)|gäste sind (?:herzlich |jederzeit )*willkommen|kommt (?:zahlreich|alle|vorbei)|(?:weitere )?(?:infos?|informationen|details|einzelheiten) folgen(?: (?:in kürze|bald|noch))?',
  "(?:ticket|reçu|justificatif) à conserver|(?:personne|rien) au bout du fil|venez nombreux|(?:plus d['’]|d['’]autres )?(?:infos?|informations|détails) (?:à venir|à suivre|suivront)(?: bientôt)?|vuelva (?:pronto|a visitarnos)|conserve (?:su|el) (?:ticket|recibo|tique)|le atendió:? .{2,20}|¡?(?:os|te|los|les) esperamos(?: (?:a todos|con ilusión))?|más (?:información|detalles) (?:próximamente|en breve|pronto)",
  '(?:ありがとうございました。?)?また(?:の)?お越し(?:を.{0,12}|ください(?:ませ)?)|留守電(?:なし|はなし)|よ(?:い|き)(?:ご)?旅(?:行)?を|谢谢惠顾|(?:没|未)接(?:通|到)?',
]
const IDIOM = new RegExp(
  `^(?:${[...ENGLISH, GERMAN, FRENCH, SPANISH, ASIAN, ...PAPERS].join('|')})[\\s,.!?…~、。！？)(:;]*(?:\\p{Extended_Pictographic}|[\\u200d\\ufe0f\\s])*$`,
  'iu',
)
const LONGEST = 90

/** `You're killing me`, `Nicht dein Ernst`, `Vous m'entendez ?`; a sentence that says anything else is none. */
export function isIdiom(sentence: string): boolean {
  return sentence.length <= LONGEST && IDIOM.test(sentence)
}

/** Short news in words that small talk has too: `Papá está mal`, `I'm not coming`, `Bist du heute da?`, `Out of coffee`. */
const RELATIVE =
  '(?:(?:my|mein[e]?|mon|ma|mi) )?(?:mum|mom|mam|mummy|dad|daddy|gran|granny|nan|grandma|grandpa|grandad|oma|opa|mama|papa|mutti|vati|maman|mamie|papi|papy|mamá|papá|abuela|abuelo)'
const NEWS = new RegExp(
  `^(?:${[
    `${RELATIVE} (?:is|isn['’]t|ist|est|está|va|has|hat|a|liegt|kommt)(?: (?:not|nicht|pas|no|very|sehr|so|muy|très|wieder|back))? (?!(?:(?:the|la|el|le|so|very|sehr|muy|très) )*(?:best|great|beste|toll|super|mejor|genial|meilleure?))\\p{L}{2,}.{0,30}`,
    "i(?:['’]m| am) (?:not (?:coming|going|well|in today)|(?:running |really |very |a bit )?late|(?:really |very |a bit )?(?:sick|ill)|pregnant|gay)(?![\\p{L}]).{0,20}|i(?:['’]ll| will)(?: not|['’]t)? be (?:(?:a bit |really |very )?late|away|there)(?![\\p{L}]).{0,20}|i (?:quit|passed|failed|won|lost)",
    "(?:ich )?(?:kann|schaffe?|komme?)(?: es| ich)?(?: (?:heute|morgen|leider|doch|da|dann))* nicht(?: (?:kommen|dabei sein|mit))?|no (?:puedo|podré|podemos) (?:ir|venir|hoy|mañana)(?: .{1,20})?|(?:we(?:['’]re| are) )?(?:nearly |almost )?out of (?!office|here|it|curiosity|nowhere|order|this|my|the|sight|mind|line|touch|hand|reach|breath|words)\\p{L}{3,}",
  ].join('|')})[\\s.!…]*$`,
  'iu',
)
/** A question for a day that is near, unless it is after somebody's health. */
const ASKS_FOR_DAY =
  /^(?!(?:how|wie|comment|cómo|qué tal|ça va|na)(?!\p{L})).*(?<!\p{L})(?:are you|will you|bist du|seid ihr|kommst du|t['’]es|tu es|estás|vienes)(?!\p{L}).*(?<!\p{L})(?:today|tonight|tomorrow|heute|morgen|aujourd['’]hui|ce soir|demain|hoy|mañana)(?!\p{L}).*\?$/iu
const IN_MONTH = /(?<!\p{L})(?:in|of|until|since|by|early|late) (?:May|March)(?!\p{L})/u

/** Whether a sentence states news though each of its words may be small talk. */
export function isNewsInPlainWords(sentence: string): boolean {
  if (sentence.length > LONGEST) return false
  if (sentence.endsWith('?')) return ASKS_FOR_DAY.test(sentence)
  return NEWS.test(sentence) || (sentence.includes('Ma') && IN_MONTH.test(sentence))
}
