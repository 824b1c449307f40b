import { isGivenName, isKinship } from '../names/person-names.ts'

/**
 * Sentences about the mood, the talk or the letter itself, in four languages and Chinese: feelings about what was just said, questions after
 * somebody's health, openings and ends of letters. Nobody did, has or wants anything in them.
 */

const DEGREE = '(?:(?:so|really|very|just|totally|absolutely|completely|such|pretty|too|all) )*'
const ENGLISH = [
  `(?:(?:ah|oh|well|ok|yeah|honestly),? )?(?:that|this|it) (?:(?:really|just|totally|completely|so|absolutely) )?(?:explains (?:it|that|a lot|everything)|escalated quickly|made my (?:day|week|morning|evening)|cracked me up|gets me every time|checks out|tracks|figures|says it all|never gets old|does(?:n['’]t)? make sense)`,
  `i(?:['’]m| am| was|['’]ve been) ${DEGREE}(?:full|stuffed|knackered|exhausted|shattered|beat|tired|over the moon|speechless|in tears|on cloud nine|chuffed|gutted|stoked|buzzing|pumped|wiped out|worn out|touched|humbled|all ears|dying|crying|screaming|lost for words)(?: (?:now|today|already|right now|tonight|haha+|lol))*`,
  "(?:i )?can['’]t (?:complain|even|believe it|wait|argue with that)|same old(?:,? same old)?|fair play(?: to (?:you|him|her|them))?|rather you than me|(?:what|where) would (?:we|i) (?:do|be) without you|(?:i['’]m )?(?:crossing|keeping) (?:my |our )?fingers(?: crossed)?(?: for (?:you|it|that|them))?|(?:ok(?:ay)?,? )?bear with me.{0,15}|no pressure(?: at all)?|(?:very |really )?much appreciated.{0,12}|(?:ha+,? )?(?:classic|typical|iconic)(?: \\p{L}+)?|(?:so )?(?:true|real) (?:that|story)|you (?:can say that again|don['’]t say|tell me|wish|bet)|i(?:['’]ll| will) drink to that|(?:we|i)(?:['’]ve| have) all been there|not (?:gonna|going to) lie|it is what it is|(?:so|as) (?:it|life) goes|that(?:['’]s| is) (?:life|showbiz|the one|my (?:boy|girl)|how it goes)",
  "(?:hey|hi|so|morning)?,? ?(?:did|have) you (?:all |both )?(?:sleep|slept|have|had|get|got|arrive|been) (?:well|ok(?:ay)?|home (?:ok(?:ay)?|safe(?:ly)?|well)|back safe(?:ly)?|a (?:good|nice|great|lovely) (?:one|day|night|weekend|week|evening|trip|flight|time|rest|holiday))|(?:is )?every(?:thing|one) (?:ok(?:ay)?|alright|all right|good|fine)(?: (?:there|with you|at home))?|how(?:['’]s| is| was| are) (?:it going|everything|life|your (?:day|weekend|week|morning|evening))(?: going| so far)?",
  "(?:please )?(?:do not|don['’]t|never) hesitate to (?:contact|reach out|get in touch|ask|call|email|write|let).{0,50}|(?:many )?thanks in advance.{0,30}|(?:i['’]m |we['’]re )?just (?:circling back|checking in|following up|touching base|bumping this|popping in)(?: (?:on (?:this|that|it|the below|my last (?:e-?mail|message))|here|again|with you))?|(?:as )?per my (?:last|previous) (?:e-?mail|message)|trust (?:you(?:['’]re| are)|this finds).{0,40}|(?:i['’]ll|let me) get the ball rolling|(?:hope|trusting) (?:all is|everything['’]s) well.{0,20}|(?:do )?let (?:me|us) know (?:what|which|if|how|whether|when) you(?:['’]d| would)? (?:think|prefer|like|fancy|feel|decide)(?:\\b(?!.*\\d).{0,50})|good news|great news|exciting news",
  '(?:really |truly |i )?appreciate (?:our|your|the) (?:friendship|support|kind(?:ness| words)|encouragement|help|thought)(?: (?:so much|a lot|very much))?|(?:it|that|this) (?:really |truly )?means (?:a lot|so much|everything|the world)(?: to (?:me|us))?|you (?:really |always )?make (?:everything|it all|every day|life|(?:my|our|the) (?:days?|lives|life|week|world)) (?:so much )?(?:better|easier|brighter|worthwhile)',
  "i(?:['’]ll| will) (?:definitely |always |try to )*(?:stay (?:motivated|positive|strong|focused|in touch|tuned)|keep (?:going|at it|pushing|trying|fighting|(?:you|u) (?:posted|updated)|that in mind))|(?:(?:ok(?:ay)?|thanks|great),? )?i(?:['’]ll| will) (?:reach out|let you know|be in touch|ask(?: you)?|shout|call you|text you) (?:if|when(?:ever)?) i (?:need|have|think of|want) (?:any(?:thing|thing else| (?:help|questions?|more))|something|help|questions?|it|more)|(?:and |so )?(?:what|how) about (?:you|yourself|u)(?:,? \\p{L}+)?(?: then| though)?|always (?:here|happy) (?:to help|for you)(?: you)?",
  "(?:and |so )?enjoy (?:yourself|yourselves|every (?:moment|minute|bit)(?: of it)?|(?:your|the) (?:(?:rest of (?:your|the)) )?(?:day|evening|weekend|week|trip|holidays?|vacation|meal|food|ride|show|party|journey|time|flight|game|film|movie|book|concert))|(?:(?:mr|mrs|ms|madam)\\.? \\p{L}+, )?(?:(?:once )?again,? |first,? )?i(?:['’]d| would)? (?:(?:just|also|really) )*(?:like|want|wish) to (?:(?:first|also|sincerely|really|again) )*thank (?:you(?: all)?|every(?:one|body)|(?:the|my) \\p{L}+(?: \\p{L}+)?)(?: for (?:his|her|their|your|the|that) (?:(?:very|excellent|important|kind|good|great) )*(?:questions?|attention|time|support|patience|remarks|speech|comments?|statement|contribution|answer|help))?",
  '(?:you can )?(?:track|view|manage|see|find|read|download|check|visit|follow|open|join|click)(?: (?:it|this|that|your|the|my|all|more|on|and|order|parcel|details|map|status|link|here|us|online))* ?[:：]? ?https?:\\S+|\\d{1,3} new (?:messages?|e-?mails?|notifications?|followers?|likes?|photos?|updates?|comments?|posts?)(?: (?:in|from) .{1,30})?',
]
/** Whether somebody is there, without a day or a thing: what is asked for tonight may have an answer worth keeping. */
const PRESENCE_FORMS = [
  '(?:(?:hey|hi|yo|so),? )?(?:are )?(?:you|u|ya|anyone|anybody) (?:all |still |guys )?(?:around|about|there|up|awake|free|home|in|busy|online)(?: (?:later|now|right now|atm|yet|at all|for a (?:sec(?:ond)?|minute|quick (?:call|chat))|to (?:talk|chat)))*',
  '(?:(?:hey|hi|na),? )?(?:bist du|biste|seid ihr) (?:(?:gerade|grad|schon|noch|später|nachher|jetzt) )*(?:da|wach|zuhause|zu hause|online|frei|erreichbar)(?: (?:später|nachher|jetzt))?|hast du (?:(?:gerade|grad|kurz|mal|später|jetzt) )*zeit(?: (?:zu telefonieren|später|jetzt|für mich))?',
  "(?:t['’]es|tu es|vous êtes) (?:là|dispo|libre|réveillée?|rentrée?)(?: (?:tout à l['’]heure|maintenant|plus tard))?|¿?(?:estás|andas|estáis) (?:ahí|por ahí|libre|en casa|despiert[oa])(?: (?:ahora|luego|más tarde))?|(?:今|いま)(?:、)?(?:大丈夫|話せる|電話できる|暇|起きてる)|(?:现在)?(?:在吗|有空吗|方便吗|忙吗)",
  '(?:und )?selbst|(?:non,? )?sérieux|¿?en serio',
]
const GERMAN = [
  '(?:das|es) (?:freut|ärgert|wundert|überrascht|rührt|tröstet) mich (?:(?:riesig|sehr|total|echt|wirklich|so|für (?:dich|euch|sie|ihn)|zu hören|aber|ja|auch) ?)*|(?:das )?klingt (?:(?:doch|ja|echt|sehr|total|richtig) )*(?:nach (?:einem|nem) (?:guten )?plan|gut|super|spannend|toll|lecker|perfekt|vernünftig)|(?:das )?(?:sieht|hört sich) (?:(?:doch|ja|echt|sehr|total|richtig) )*(?:gut|super|toll|lecker|schick|klasse|schön) (?:aus|an)',
  "(?:(?:na|hey|und|hallo|moin),? )*(?:wie geht(?:[’']?s| es)(?: (?:dir|euch|ihnen|so|denn|heute|sonst))*|alles (?:fit|klar|gut|ok(?:ay)?|roger|in ordnung|bestens)(?: (?:bei (?:euch|dir|ihnen)|soweit|sonst))*|wie läuft[’']?s(?: so)?|(?:gut|schön) geschlafen|gut (?:angekommen|nach hause gekommen))|(?:kann|da kann) man (?:nichts|nix) machen|da (?:sagst|hast) du (?:was|recht)|(?:sieht|hört|seht|hört ihr|seht ihr) (?:man|ihr) (?:mich|meinen bildschirm|das|was)(?: (?:gut|schon|jetzt))*|(?:ich )?bin (?:(?:so|echt|total|richtig|voll|schon|ganz|sehr|mal) )*(?:müde|kaputt|platt|fertig|gespannt|baff|gerührt|sprachlos|begeistert|neugierig|stolz auf dich|stolz|froh|neidisch|satt|pappsatt)",
  "(?:grüß|drück|umarm)(?:e|t)? (?:mir )?(?:alle|ihn|sie|die \\p{L}+|deine?n? \\p{L}+|euch|dich)(?: (?:ganz )?(?:lieb|herzlich))?(?: von (?:mir|uns))?|(?:ich )?drück(?:e|en)? (?:dir|euch|ihm|ihr|ganz fest|die daumen| )+|ihr seid (?:die besten|spitze|toll|super)|(?:ich )?hab(?:e)? (?:dich|euch) (?:(?:ganz|so|sehr|alle) )*lieb|vermiss(?:e)? (?:dich|euch)(?: (?:sehr|auch))?|läuft bei (?:dir|euch)|(?:abgemacht|gebongt|wird gemacht|so machen wir[’']?s)|(?:das|es) wäre (?:(?:so|sehr|echt|total) )*(?:lieb|nett|toll|super|schön)(?: von (?:dir|euch|ihnen))?|puh+|uff+|oh ?je(?:mine)?|ach du (?:schande|meine güte|liebe zeit)",
  '\\d{1,3} (?:neue )?(?:ungelesene )?(?:nachrichten?|mails?|mitteilungen|benachrichtigungen|follower|kommentare)|(?:schon )?(?:im voraus )?(?:vielen |besten |herzlichen )?dank im voraus|ich melde mich(?: (?:dann|wieder|bald))*|gute nachrichten',
]
const FRENCH = [
  "tu me manques(?: \\p{L}+)?|quoi de (?:neuf|beau)|(?:tu vas|ça va|vous allez)(?: (?:bien|mieux|toi|vous|et toi))*|(?:on )?se tient au (?:courant|jus)|(?:je suis |j[’']suis )?(?:(?:trop|tellement|super|vraiment|hyper|si) )*(?:contente?|heureux|heureuse|fière?|crevée?|morte?|fatiguée?|ravie?|jaloux|jalouse|émue?)(?: (?:pour (?:toi|vous|elle|lui|eux)|de (?:toi|vous)|mdr+|là|aussi))*|(?:trop|tellement|super) (?:mignon(?:ne)?|beau|belle|bien|drôle|cool|chou|marrant)|no+n+ ?(?:trop bien|sérieux|c[’']est vrai)?|t[’']es (?:un amour|un ange|un chou|la meilleure|le meilleur|trop \\p{L}+)|(?:aï+e|oh là là|oups|ouf|mince|zut)+",
  "(?:je (?:reste|demeure)|nous (?:restons|demeurons)|restant|demeurant)(?: (?:bien )?(?:entendu|sûr))? (?:(?:tout )?à (?:votre|ta)(?: entière)? disposition|dans l[’']attente).{0,60}|(?:suite|comme suite) à (?:notre|votre) (?:échange|conversation|entretien|appel|demande)(?: téléphonique)?|(?:en vous (?:en )?)?(?:re)?merci(?:ant)? (?:d[’']avance|par avance)(?: (?:pour|de) .{1,40})?|(?:je vous souhaite|nous vous souhaitons) (?:une? )?(?:très )?(?:bon(?:ne)?|agréable|excellente?) .{2,30}|\\d{1,3} (?:nouveaux? )?(?:messages?|e-?mails?|notifications?)(?: non lus?)?|(?:une )?bonne nouvelle",
]
const SPANISH = [
  '(?:nada,? )?aquí (?:andamos|estamos|seguimos)|ya (?:te|os|les) (?:contaré|cuento|diré|digo)|(?:te|os|le) echo (?:mucho )?de menos|te extraño(?: mucho)?|(?:qué|cómo) (?:tal|va|andas|estás|están|te va)(?: todo| todos| eso| por ahí)*|(?:estoy|qué) (?:(?:muy|tan|super|súper|hecho|hecha) )*(?:cansad[oa]|muert[oa]|feliz|content[oa]|orgullos[oa]|emocionad[oa]|polvo|llen[oa])(?: (?:por ti|de ti|hoy|ya))*|(?:eres|sois) (?:un sol|un amor|l[oa]s? mejor(?:es)?|genial(?:es)?|un[oa]s? cracks?)|(?:de antemano,? )?(?:muchas )?gracias (?:de antemano|por adelantado).{0,20}|\\d{1,3} (?:mensajes?|correos?|notificaciones) (?:nuev[oa]s?|sin leer)|(?:una )?buena noticia',
]
const ASIAN = [
  '(?:久しぶり|お久しぶりです?)[!！。、]?(?:元気(?:に)?(?:して(?:い)?た|です|だった)か?)?|(?:めっちゃ|すごく|ほんと(?:に|と)?|超|マジで?)?(?:わかる|うらやましい|羨ましい|嬉しい|楽しそう|おいしそう|かわいい|面白い|ウケる)(?:なあ?|ね|よ|です|わ)*|ほんと(?:に)?それ(?:な)?|(?:めっちゃ)?笑った|また(?:連絡|報告)する(?:ね|よ)?|(?:お忙しいところ)?(?:大変)?(?:恐れ入りますが|恐縮ですが|申し訳(?:ございません|ありません)が)?、?(?:何卒)?(?:ご(?:確認|検討|対応|返信|返答))?(?:の(?:ほど|程))?、?よろしくお願い(?:いた|致)?し?ます|大好き(?:だよ)?|起きてる|どうしたの|(?:新着)?(?:メッセージ|通知)が?\\d{1,3}件(?:あります)?',
  '(?:最近|近来)(?:怎么样|还好吗|好吗|忙吗|忙什么(?:呢)?)|真?(?:羡慕|佩服|替|为)(?:死)?(?:你|您)(?:们)?(?:了|高兴|开心)?|(?:祝|顺颂)(?:好|安|商祺|工作顺利|一切顺利|身体健康)+|(?:笑死|乐死|累死|困死|饿死|气死|开心死)(?:我|人)?(?:了|啦)|(?:我)?(?:太|好)(?:累|困|开心|高兴|激动|感动)(?:了|啊)?|\\d{1,3}条新(?:消息|通知)',
]

const COURTESY = new RegExp(
  `^[¡¿\\s]*(?:${[...ENGLISH, ...GERMAN, ...FRENCH, ...SPANISH, ...ASIAN].join('|')})[\\s,.!?…:~。！？)-]*(?:\\p{Extended_Pictographic}|[\\u200d\\ufe0f\\s])*$`,
  'iu',
)
/** Only of questions. */
const PRESENCE = new RegExp(`^[¡¿\\s]*(?:${PRESENCE_FORMS.join('|')})[\\s!?？…]*$`, 'iu')
/** `The Corner Shop team`: whose letter it is. Names have capital letters, so `The boss fired my team` is none. */
const SIGNED =
  /^(?:(?:[Tt]he|[Yy]our|[Aa]ll of us at(?: the)?) (?:(?:\p{Lu}[\p{L}'’&.-]*,?|&|and|of) ){1,4}(?:[Tt]eam|[Cc]rew|[Ff]amily)|(?:[Ii]hr|[Dd]ein|[Ee]uer|[Dd]as) (?:\p{Lu}[\p{L}&.]*[ -]){1,3}Team|[Ll]['’]équipe(?: (?:(?:de|du|des|de la) )?\p{Lu}[\p{L}&’'.-]*){1,4}|[Ee]l equipo de(?: \p{Lu}[\p{L}&.-]*){1,4})[\s,.!…]*$/u
const GREETED =
  /^(?:[Gg]uten (?:Morgen|Tag|Abend)|[Hh]allo|[Hh]i|[Hh]ey|[Mm]oin|[Ss]ervus|[Bb]onjour|[Bb]onsoir|[Ss]alut|[Cc]oucou|[Hh]ola|[Cc]iao|[Gg]ood (?:morning|evening|afternoon)|[Hh]ello)(?: (?:(?:mein|meine|lieber?|ihr|my|mon|ma|mi|dear) )*\p{L}+){1,2}[!.,…]*$/u
/** `Morgen Opa!`; `Morgen Zahnarzt` is tomorrow, and `Yo voy mañana` is Spanish. */
const GREETED_SHORTLY = /^(?:[Mm]orgen|[Mm]orning|[Yy]o),? (?:(?:mein|meine|lieber?|ihr|my|dear) )*(\p{L}+)[!.,…]*$/u
const GROUP = /^(?:all|alle|allerseits|both|everybody|everyone|folks|guys|leute|lieben|miteinander|team|zusammen)$/i
const LONGEST = 120
const LONGEST_GREETING = 30

/** `Wie geht's dir?`, `That made my day`, `Restant à votre disposition`, `The Corner Shop team`. */
export function isCourtesy(sentence: string): boolean {
  if (sentence.length > LONGEST) return false
  if (/[?？]\s*$/.test(sentence) && PRESENCE.test(sentence)) return true
  return COURTESY.test(sentence) || SIGNED.test(sentence) || isGreeting(sentence)
}

function isGreeting(sentence: string): boolean {
  if (sentence.length > LONGEST_GREETING || /\d/.test(sentence)) return false
  const [, greeted] = GREETED_SHORTLY.exec(sentence) ?? []
  if (greeted === undefined) return GREETED.test(sentence)
  return isKinship(greeted) || isGivenName(greeted) || GROUP.test(greeted)
}
