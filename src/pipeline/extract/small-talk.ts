/**
 * Recognizes sentences that consist only of words without information: courtesy, assent, praise, and remarks about the
 * conversation. Statements have a name, number, day, act or thing. The lists contain words, not phrases, so that variants
 * such as "okay great, let's move on then" and "können wir dann weiter" are recognized.
 */

const ENGLISH =
  'a an the this that these those it its i me my mine we us our you your yours he him his she her they them their who what which when where why how ' +
  'am is are was were be been being do does did don doesn didn t s m re ve ll d have has had haven hasn hadn isn aren wasn weren won wouldn couldn shouldn can cant cannot could will would should shall may might must let lets ' +
  'and or but so if then than as of in on at to for from with about by into out up down off over just only even also too very really pretty quite rather much more most less least enough such same other another else again still already yet ever never always often sometimes usually maybe perhaps probably definitely absolutely totally completely exactly certainly surely actually basically honestly literally seriously obviously apparently clearly hopefully finally now here there today soon later once all both any some each every one ones no not nor yes yeah yep yup nope nah ya ok okay k kk sure right fine true agreed indeed well oh ah aha ooh wow whoa yay hooray phew ugh oops omg lol haha hmm hm mhm uh um er eh like ' +
  'thank thanks thx ty tysm cheers please pls sorry apologies welcome congrats congratulations bravo kudos hi hey hello howdy yo morning evening afternoon night goodnight bye goodbye ' +
  'good great nice cool awesome amazing perfect excellent brilliant super superb lovely wonderful fantastic fabulous terrific sweet neat solid legend legendary epic star hero best better worst worse bad sad tragic awful terrible horrible annoying weird strange odd funny hilarious fun crazy wild insane tough rough hard difficult easy simple interesting impressive incredible inspiring beautiful gorgeous cute adorable delicious exciting excited helpful useful kind thoughtful fair glad happy proud jealous grateful thrilled delighted pleased relieved curious big huge little wee bit long short quick ' +
  'love loved hate hope hoped wish wished care appreciate enjoy enjoyed feel feels feeling felt miss agree think thought thinking guess suppose believe know knew known mean means meant see seen saw hear heard look looks looking sound sounds sounding seem seems understand understood imagine wonder bet say tell talk talking speak chat remember kidding joking deserve deserved rock rocks ' +
  'thing things stuff way idea point question questions sense sort lot lots kind part side case matter problem worries worry rush hurry stress pleasure honour honor luck job work effort news update updates progress status everyone everybody anyone anybody someone somebody everything anything something nothing nobody guys folks team man mate dude buddy dear friend friends people ' +
  'go goes going come comes coming get gets getting got make makes start started starting begin continue carry move moving next first last end done wrap ready back wait waiting hold hang second sec seconds moment moments minute minutes while time times late early slide slides screen mute muted unmute mic camera audio video share sharing item topic agenda join joining bump ping help assist anymore further sorted'

const GERMAN =
  'na ja nein doch jo jep nö ok okay oki gut gute guten guter besser super toll klasse prima perfekt genial spitze top mega cool geil schön schöne schönen schöner schönes schade blöd doof krass klar genau stimmt richtig passt einverstanden okidoki danke dankeschön bitte bitteschön sorry entschuldigung entschuldige hallo hallöchen moin servus tschüss tschau hi hey huhu tag abend nacht mahlzeit ' +
  'herzlich herzlichen herzliche viele vielen lieb liebe lieben lieber liebes beste besten freundlichen gruß grüße grüßen dank dir dich mir mich uns euch ihr ihnen ihn ihm sie du ich wir er es man das die der den dem des dies diese dieser ein eine einen einem einer kein keine keinen und oder aber auch noch schon mal so sehr echt wirklich ganz gar total voll halt eben denn dann da dort hier jetzt gleich bald später immer wieder nie alles alle allen allerseits jeder jemand etwas was nichts sonst wer wie wo warum wann welche ' +
  'ist sind bin bist war waren wäre sein seid habe hab hast hat haben hatte hätte wird werde werden würde kann kannst können könnt könnte könnten will willst wollen wollt muss müssen mag möchte soll sollen darf gehts geht gehen lässt läuft lief gemacht machen mach macht machst tun tut freut freue freu freuen hoffe hoffen hofft finde finden findet hört hörst hören höre seht siehst sehe sehen versteh verstehe verstanden weiß weißt wissen meine meinst meint glaube glaub denke denk danach sag sagen klingt aussieht dabei fertig los anfangen fangen fange starten an weiter weitermachen weitergehen nächste nächsten nächster folie punkt ton bildschirm mikro kamera frage fragen sache zusammen leute team mädels jungs freunde frau herr schaffen frohes fröhlich frohe frohen fröhliches fröhlichen spaß erfolg glück wochenende feierabend urlaub reise besserung appetit leid bescheid tschö zu im in von mit für auf am bei um nach vor über wenn dass ob weil nur nicht mehr weniger bisschen wenig viel dafür darum dazu damit davon daran soweit alright ne oder gell naja tja hm hmm ach oh ah ui uff puh haha hihi'

const FRENCH =
  'oui non ouais si ok okay accord merci mille beaucoup bien très trop super génial géniale parfait parfaite cool top nickel chouette bravo félicitations coucou salut bonjour bonsoir ciao bye bon bonne bons bonnes meilleur journée soirée nuit week end courage chance vacances appétit voyage je j tu t il elle on nous vous ils elles c ça cela ce cet cette ces est es suis sommes êtes sont était étais sera serait a as ai avons avez ont va vas vais allons allez aller y peut peux pouvez pouvons dit dis dites disent vois voit voyez voir entend entends entendez entendre sais sait savoir comprends compris pense crois trouve le la les l un une des du de d au aux à en et ou mais donc alors voilà bah ben euh hein quoi qui que qu quand comment pourquoi quel quelle tout tous toute toutes monde là ici maintenant après encore déjà aussi même pareil pareille autre autres chose rien plus moins peu pas ne n me m te se s moi toi lui eux leur mon ton son ma ta sa mes tes ses notre votre nos vos avec sans pour par sur dans marche commence commencer commençons continue suivant suivante diapo écran micro question questions idée fait faire faut entendu noté reçu désolé désolée pardon plaisir bise bises bisous bisou hâte vraiment assez ravi ravie content contente heureux heureuse soucis souci problème espère grave drôle dommage vite bientôt demain tantôt haha mdr lol oh ah hm zut chapeau gars filles équipe côté point'

const SPANISH =
  'sí si no vale ok okay okey claro perfecto perfecta genial bien muy bueno buena buenos buenas mejor días dia día tardes noches hola holi qué que tal cómo como estás está están estoy estamos gracias muchas muchísimas mil de nada por favor perdón perdona perdonad disculpa disculpen lo la los las el un una unos me te se le les nos os yo tú usted ustedes vosotros él ella ellos nosotros es son soy eres somos fue era sea ser ha he has hemos han hay va vas voy vamos vayan ir iba puede puedo puedes podemos pueden podéis ver veo ves veis vemos ven oye oyes oyen oís oigo escucha escuchan escuchas sé sabe sabes saber creo pienso parece entiendo entendido listo lista listos dale venga ándale órale ya ahora luego después pronto siempre nunca también tampoco todo toda todos todas algo alguien alguna más menos mucho mucha poco tan tanto así aquí ahí allí esto eso ese esa este esta y o pero pues entonces a ante en con sin para del al e u jaja saludos abrazo abrazos beso besos besitos feliz suerte ánimo ojalá igual igualmente mismo misma otra otro cosa cosas duda dudas idea pregunta preguntas pantalla micro micrófono diapositiva lámina siguiente empezamos empezar empecemos seguimos seguir crack máquina top guay chulo padre chido increíble maravilla mal pena ello gusto placer amor amiga amigo amigos chicos chicas gente equipo apunto espero verdad razón acuerdo cuenta problema pongo ponerme venir hasta gusta encanta encantó encantado encantada quedo atento atenta haha oh ah uy ay uf hm'

const VOCABULARIES: readonly ReadonlySet<string>[] = [ENGLISH, GERMAN, FRENCH, SPANISH].map(
  (words) => new Set(words.split(' ')),
)
/** `haha`, `jajaja`, `hmmm`, `aaah`, `yesss`. */
const SOUND =
  /^(?:(?:ha|he|hi|ja|je|ji|xa){2,}h?|h+m+|m+h*m*|a+h+|o+h+|u+h+|a+w+|e+h+|w+o+w+|y+e+s+|n+o+|y+a+y+|g+r+|z+)$/

const UNSPACED_PARTS = [
  'おはよう(?:ございます)?|こんにちは|こんばんは|お疲れ(?:様|さま)?(?:です|でした)?|お疲れ|(?:どうも)?ありがとう(?:ございま(?:す|した))?|どうも|了解(?:です|しました|いたしました|致しました)?|承知(?:です|しました|いたしました|致しました)?|[わ分]かりました|[わ分]かった|[わ分]かります|かしこまりました',
  '(?:どうぞ|何卒|今後とも)?よろしく(?:お?願い(?:いた|致|申し上げ)?し?ます|ね)?|お願い(?:いた|致)?します|はい|ええ|うん|いいえ|いや|そう(?:です|なんです|だ)?(?:ね|よね|か)?|なるほど|確かに|たしかに|本当(?:です|に)?|すご(?:い|く)|素敵|素晴らしい|さすが|いい|良い|よ[かく]った|良かった|助かり(?:ます|ました)|助かる|楽しみ(?:です|にして(?:い)?ます)?|嬉しい|うれしい|おめでとう(?:ございます)?|大丈夫|問題(?:ありません|ないです)|もちろん|私も|僕も|同感|賛成',
  'です|でした|ます|だ|ね|よ|な|か|の|は|と|笑|草|では|じゃあ?|それでは|それじゃ|次|次の|次に|スライド|(?:始|はじ)め(?:ましょう|ます|ようか|よう)|行きましょう|進みましょう|続けましょう|他に(?:何か)?(?:あり|ござい)ますか?|他には?|何か(?:あり|ござい)ますか?|質問は?(?:あり|ござい)ますか?|ありません|ないです|以上(?:です|になります|で)?|(?:皆|みな)さん?|聞こえ(?:て(?:い)?)?ますか?|見え(?:て(?:い)?)?ますか?|(?:お先に)?失礼(?:し|いたし)ま(?:す|した)|お大事に|また(?:ね|明日|後で|来週|今度)?|お世話になって(?:おり|い)ます|すみません|ごめん(?:なさい|ね)?|申し訳(?:ありません|ございません)|とんでもない|こちらこそ|頑張(?:って(?:ください)?|りましょう|ります)|えっと|えー+|あの[ー、]?|まあ|ところで|お気軽に.{0,15}ください|お役に立て.{0,10}|お手伝い.{0,15}(?:か|ます)|ご確認(?:ください|お願いします)|お待ちして(?:おり|い)ます|今日|本日|ここまで|にしましょう|終わりましょう|早|お昼|おやすみ(?:なさい)?|[wｗ]+',
  '好的?|好呀|好嘞|好啊|行|行吧|收到|明白了?|了解|知道了?|没问题|没事(?:的|儿)?|可以的?|嗯+|哦+|啊+|哈+|嘿+|呵+|谢谢|谢啦|多谢|感谢|你们?|您|大家|老板|各位|同学们?|辛苦|不客气|不用|不谢|太好了|太棒了?|真棒|真好|很好|非常好|厉害|牛+|赞|早(?:上好|安)?|上午好|晚上好|晚安|下午好|中午好|你好|您好|再见|拜拜|回头见|明天见|回见|加油|恭喜|当然|是的?|对的?|没错|的|了|呢|吗|吧|呀|啦|哟|那|就|这样|我们?|都|也|能|听得?(?:到|见)|看得?(?:到|见)|屏幕|声音|现在|开始|继续|下一(?:页|个|项)|还有|别的|其他|问题|什么|没有|差不多|先|散会|结束|到这(?:里|儿)?|希望(?:对你|能)?(?:有|有所)?帮助|对你|有帮助|(?:如果)?(?:有|还有)?.{0,6}(?:随时|请随时)(?:找我|联系我?|告诉我|问我|联系)|需要(?:我)?(?:帮你)?.{0,12}吗|6+|等我?一下|稍等|有空|有道理|同意|我也是|一样',
]
const UNSPACED = new RegExp(
  `^(?:[\\s、。！？!?,，.…~〜～♪☆・()（）「」ー-]|\\p{Extended_Pictographic}|[\\u200d\\ufe0f]|${UNSPACED_PARTS.join('|')})+$`,
  'u',
)
const IS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Promises, requests and refusals, which can consist of such words only. */
const COMMITS =
  /\b(?:i|we)(?:['’]ll| will| can| could| won['’]?t| can['’]?t| shall) (?:do|make|get|come|go|help|join|start|share|move|carry|wrap|assist|tell)\b|\b(?:i|we|you|they|he|she|it) (?:should|must|need|needed|have|had|want)(?: to)? (?:wait|go|come|do|get|make|start|move|stop|help|talk|speak|share|join|continue|hold)\b|\b(?:can|could|would|will) (?:you|someone|somebody|anyone) (?:please )?(?:do|make|get|come|help|finish|call|move|join|wrap|start)\b/i
/** About the meeting itself. */
const PROCEEDING =
  /\b(?:start|share|move on|wrap|begin|get (?:started|going)|go (?:on|ahead|next|first)|come back|be right back|make sense|let you go|join (?:in|us))\b/i

const LONGEST = { spaced: 90, unspaced: 40 }

/** Whether every word of a sentence expresses courtesy, assent, praise or is about the conversation itself. */
export function isSmallTalk(sentence: string): boolean {
  if (IS_UNSPACED.test(sentence)) return sentence.length <= LONGEST.unspaced && UNSPACED.test(sentence)
  if (sentence.length > LONGEST.spaced || /\d/.test(sentence)) return false
  const words = sentence.toLowerCase().match(/\p{L}+/gu) ?? []
  if (words.length === 0) return false
  if (!VOCABULARIES.some((known) => words.every((word) => known.has(word) || SOUND.test(word)))) return false
  return !COMMITS.test(sentence) || PROCEEDING.test(sentence)
}
