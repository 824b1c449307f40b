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
  'go goes going come comes coming get gets getting got make makes start started starting begin continue carry move moving next first last end done wrap ready back wait waiting hold hang second sec seconds moment moments minute minutes while time times late early slide slides screen mute muted unmute mic camera audio video share sharing item topic agenda join joining bump ping help assist anymore further sorted ' +
  'hiya hihi heya sup hola ciao xx xo boss chief champ mum mom dad love darling honey angel yall people crew gang chap kick kicks off fire away shoot ahead round give gave me let us chat chatted chatting catch caught screen spreadsheet deck sharing audible loud recording record recorded volume connection frozen lagging laggy echo background noise unmuted wants want wanted kick wait waited ' +
  'cold hot warm freezing chilly sunny rainy weather outside weekend tired knackered exhausted sleepy coffee tea hungry fancy relief relieved suck sucks sucked bummer shame pity ouch yikes eek ew ick whew hooray woohoo woo yippee done well spot bang exactly precisely figures typical noted gotcha roger copy received understood sorted settled deal fab brill ace grand champion smashing cracking magic marvellous splendid terrific stellar stunning dope lit sick rad groovy jolly fingers crossed touch wood pics photos chuckle laughing laugh crying dying dead funny joke jokes okie dokie doke dokey alrighty righto righty gracious goodness gosh heavens jeez damn darn bloody hell heck blimey crikey averted crisis promise bless blessed blessing peace safe safely travels travel trip journey flight ride drive holidays holiday vacation birthday christmas easter anniversary kudos props cheerio toodle pip tata later gator laters see ya catcha soonish anytime whenever wherever whatever together again keep keeping up it hang there rooting rock on bring ready set steady go'

const GERMAN =
  'na ja nein doch jo jep nö ok okay oki gut gute guten guter besser super toll klasse prima perfekt genial spitze top mega cool geil schön schöne schönen schöner schönes schade blöd doof krass klar genau stimmt richtig passt einverstanden okidoki danke dankeschön bitte bitteschön sorry entschuldigung entschuldige hallo hallöchen moin servus tschüss tschau hi hey huhu tag abend nacht mahlzeit ' +
  'herzlich herzlichen herzliche viele vielen lieb liebe lieben lieber liebes beste besten freundlichen gruß grüße grüßen dank dir dich mir mich uns euch ihr ihnen ihn ihm sie du ich wir er es man das die der den dem des dies diese dieser ein eine einen einem einer kein keine keinen und oder aber auch noch schon mal so sehr echt wirklich ganz gar total voll halt eben denn dann da dort hier jetzt gleich bald später immer wieder nie alles alle allen allerseits jeder jemand etwas was nichts sonst wer wie wo warum wann welche ' +
  'ist sind bin bist war waren wäre sein seid habe hab hast hat haben hatte hätte wird werde werden würde kann kannst können könnt könnte könnten will willst wollen wollt muss müssen mag möchte soll sollen darf gehts geht gehen lässt läuft lief gemacht machen mach macht machst tun tut freut freue freu freuen hoffe hoffen hofft finde finden findet hört hörst hören höre seht siehst sehe sehen versteh verstehe verstanden weiß weißt wissen meine meinst meint glaube glaub denke denk danach sag sagen klingt aussieht dabei fertig los anfangen fangen fange starten an weiter weitermachen weitergehen nächste nächsten nächster folie punkt ton bildschirm mikro kamera frage fragen sache zusammen leute team mädels jungs freunde frau herr schaffen frohes fröhlich frohe frohen fröhliches fröhlichen spaß erfolg glück wochenende feierabend urlaub reise besserung appetit leid bescheid tschö zu im in von mit für auf am bei um nach vor über wenn dass ob weil nur nicht mehr weniger bisschen wenig viel dafür darum dazu damit davon daran soweit alright ne oder gell naja tja hm hmm ach oh ah ui uff puh haha hihi ' +
  'nabend runde schatz engel held heldin goldig süß herrlich wunderbar traumhaft wahnsinn hammer krasse heftig wow mann mensch ohje oje mist verdammt puh gottseidank endlich wünsche wünschen wünsch gemütlichen gemütliche entspannten entspannte erholsamen ruhigen sonnigen kalt warm heiß wetter regen sonne draußen müde kaffee tee mittag mittagessen essen hunger schlaf schlafe schlaft geschlafen aufstehen hört hören sehen zeige teile teilen teilt bildschirm stumm mikrofon leise laut moment sekunde kurz sofort nachher vorher zurück ruhe runde los losgehts legen lege würde sagen schlage vor machen schluss ende vorbei heute fürs wars war schönes restwoche pause päuschen kümmere kümmer schau schaue gucke guck erledige erledigt notiert gespeichert verstanden einverstanden abgemacht deal sinn ergibt macht dankeschön merci danken danke tausend lachen lustig witzig peinlich traurig freut freuen gefreut stolz gespannt neugierig grüßle grüße aus sonnige liebste bussi kuss küsschen umarmung drück drücken daumen toi geburtstag gratuliere glückwunsch glückwünsche weihnachten ostern rutsch wochenstart'

const FRENCH =
  'oui non ouais si ok okay accord merci mille beaucoup bien très trop super génial géniale parfait parfaite cool top nickel chouette bravo félicitations coucou salut bonjour bonsoir ciao bye bon bonne bons bonnes meilleur journée soirée nuit week end courage chance vacances appétit voyage je j tu t il elle on nous vous ils elles c ça cela ce cet cette ces est es suis sommes êtes sont était étais sera serait a as ai avons avez ont va vas vais allons allez aller y peut peux pouvez pouvons dit dis dites disent vois voit voyez voir entend entends entendez entendre sais sait savoir comprends compris pense crois trouve le la les l un une des du de d au aux à en et ou mais donc alors voilà bah ben euh hein quoi qui que qu quand comment pourquoi quel quelle tout tous toute toutes monde là ici maintenant après encore déjà aussi même pareil pareille autre autres chose rien plus moins peu pas ne n me m te se s moi toi lui eux leur mon ton son ma ta sa mes tes ses notre votre nos vos avec sans pour par sur dans marche commence commencer commençons continue suivant suivante diapo écran micro question questions idée fait faire faut entendu noté reçu désolé désolée pardon plaisir bise bises bisous bisou hâte vraiment assez ravi ravie content contente heureux heureuse soucis souci problème espère grave drôle dommage vite bientôt demain tantôt haha mdr lol oh ah hm zut chapeau gars filles équipe côté point ' +
  'app ap bonap coucou bises gros grosse bisou mille papa maman chéri chérie ange grande grand ma mon petite petit loulou être avoir trop vachement carrément grave clair nickel impec impeccable impressionnant magnifique splendide sublime adorable mignon mignonne beau belle temps chaud froid pluie soleil dehors fatigué fatiguée dormi dormir dors réveil café thé midi repas faim tranquille tranquilles peinard pépère mince purée flûte punaise ouf youpi hourra enfin dingue fou folle ouah waouh gère gérer gérez inquiète inquiétez gaffe attention partage partager écran son coupé coupée muet entends voyez présent présente présents là arrive arrivent minute seconde instant deux fini terminé tour tours laisse laissez parole cède moi reviens revient attends attendez patience note notes compte prends bosse boulot taf fin reste bonjour belle excellente douce agréable joyeux joyeuse noël anniversaire pâques fête fêtes félicite chance doigts croisés pense penser fort courage remercie remercions bientôt prochaine hâte revoir voir rires rire rigolo drôle marrant triste fière fier amitiés cordialement bien toi vous amicalement sincèrement salutations dispo disponible'

const SPANISH =
  'sí si no vale ok okay okey claro perfecto perfecta genial bien muy bueno buena buenos buenas mejor días dia día tardes noches hola holi qué que tal cómo como estás está están estoy estamos gracias muchas muchísimas mil de nada por favor perdón perdona perdonad disculpa disculpen lo la los las el un una unos me te se le les nos os yo tú usted ustedes vosotros él ella ellos nosotros es son soy eres somos fue era sea ser ha he has hemos han hay va vas voy vamos vayan ir iba puede puedo puedes podemos pueden podéis ver veo ves veis vemos ven oye oyes oyen oís oigo escucha escuchan escuchas sé sabe sabes saber creo pienso parece entiendo entendido listo lista listos dale venga ándale órale ya ahora luego después pronto siempre nunca también tampoco todo toda todos todas algo alguien alguna más menos mucho mucha poco tan tanto así aquí ahí allí esto eso ese esa este esta y o pero pues entonces a ante en con sin para del al e u jaja saludos abrazo abrazos beso besos besitos feliz suerte ánimo ojalá igual igualmente mismo misma otra otro cosa cosas duda dudas idea pregunta preguntas pantalla micro micrófono diapositiva lámina siguiente empezamos empezar empecemos seguimos seguir crack máquina top guay chulo padre chido increíble maravilla mal pena ello gusto placer amor amiga amigo amigos chicos chicas gente equipo apunto espero verdad razón acuerdo cuenta problema pongo ponerme venir hasta gusta encanta encantó encantado encantada quedo atento atenta haha oh ah uy ay uf hm ' +
  'egunon kaixo agur aupa equipo tope guapa guapo guapas cariño cielo reina rey campeón campeona bonita hijo hija mamá papá abuela compañero compañera compañeros visto hecho dicho oímos oye oyes perfectamente estupendo estupenda fenomenal fantástico fantástica magnífico espectacular brutal bestial flipante flipo alucino qué pasada tremendo enhorabuena felicidades felicito alegro alegra alegría contento contenta orgulloso orgullosa triste pena lástima vaya caray ostras jolín jo uf menos mal frío calor lluvia sol tiempo cansado cansada sueño dormir dormido dormiste descansa descansar desayuno comida cena comer hambre café té siesta pantalla comparto compartir sonido silencio silenciado audio vídeo cámara minuto segundo momento momentito espera esperad esperen seguís parece os empezamos quedamos nada más acabamos terminamos despedimos hablamos vemos veremos llamamos cuidate cuídate cuidaos descanso finde fin viaje viajes vacaciones cumpleaños navidad pascua fiesta fiestas buenísimo buenísima riquísimo rico risa risas divertido gracioso broma muero manos obra tranqui tranquila tranquilo tranquilos preocupes preocupéis anda hombre mujer tío tía oyes mira fíjate cierto exacto exactamente correcto efectivamente totalmente seguro segura obvio clarísimo anotado recibido enterado entendidos apuntado confirmado echamos echo falta extraño extrañamos mil millón toda todas'

export type SmallTalkLanguage = 'english' | 'german' | 'french' | 'spanish'

const BY_LANGUAGE: Readonly<Record<SmallTalkLanguage, ReadonlySet<string>>> = {
  english: new Set(ENGLISH.split(' ')),
  german: new Set(GERMAN.split(' ')),
  french: new Set(FRENCH.split(' ')),
  spanish: new Set(SPANISH.split(' ')),
}
const VOCABULARIES = Object.values(BY_LANGUAGE)
/** `haha`, `jajaja`, `hmmm`, `aaah`, `yesss`. */
const SOUND =
  /^(?:(?:ha|he|hi|ja|je|ji|xa){2,}h?|h+m+|m+h*m*|a+h+|o+h+|u+h+|a+w+|e+h+|w+o+w+|y+e+s+|n+o+|y+a+y+|g+r+|z+|he+y+|h+i+|ha+l+o+|mo+i+n+|hu+h+u+|co+u+co+u+|ho+la+)$/

const UNSPACED_PARTS = [
  'おはよう(?:ございます)?|こんにちは|こんばんは|お疲れ(?:様|さま)?(?:です|でした)?|お疲れ|(?:どうも)?ありがとう(?:ございま(?:す|した))?|どうも|了解(?:です|しました|いたしました|致しました)?|承知(?:です|しました|いたしました|致しました)?|[わ分]かりました|[わ分]かった|[わ分]かります|かしこまりました',
  '(?:どうぞ|何卒|今後とも)?よろしく(?:お?願い(?:いた|致|申し上げ)?し?ます|ね)?|お願い(?:いた|致)?します|はい|ええ|うん|いいえ|いや|そう(?:です|なんです|だ)?(?:ね|よね|か)?|なるほど|確かに|たしかに|本当(?:です|に)?|すご(?:い|く)|素敵|素晴らしい|さすが|いい|良い|よ[かく]った|良かった|助かり(?:ます|ました)|助かる|楽しみ(?:です|にして(?:い)?ます)?|嬉しい|うれしい|おめでとう(?:ございます)?|大丈夫|問題(?:ありません|ないです)|もちろん|私も|僕も|同感|賛成',
  'です|でした|ます|だ|ね|よ|な|か|の|は|と|笑|草|では|じゃあ?|それでは|それじゃ|次|次の|次に|スライド|(?:始|はじ)め(?:ましょう|ます|ようか|よう)|行きましょう|進みましょう|続けましょう|他に(?:何か)?(?:あり|ござい)ますか?|他には?|何か(?:あり|ござい)ますか?|質問は?(?:あり|ござい)ますか?|ありません|ないです|以上(?:です|になります|で)?|(?:皆|みな)さん?|聞こえ(?:て(?:い)?)?ますか?|見え(?:て(?:い)?)?ますか?|(?:お先に)?失礼(?:し|いたし)ま(?:す|した)|お大事に|また(?:ね|明日|後で|来週|今度)?|お世話になって(?:おり|い)ます|すみません|ごめん(?:なさい|ね)?|申し訳(?:ありません|ございません)|とんでもない|こちらこそ|頑張(?:って(?:ください)?|りましょう|ります)|えっと|えー+|あの[ー、]?|まあ|ところで|お気軽に.{0,15}ください|お役に立て.{0,10}|お手伝い.{0,15}(?:か|ます)|ご確認(?:ください|お願いします)|お待ちして(?:おり|い)ます|今日|本日|ここまで|にしましょう|終わりましょう|早|お昼|おやすみ(?:なさい)?|[wｗ]+|おはようございまーす|おつ(?:かれ)?[ー〜]*(?:さま|様)?(?:です|でした)?|(?:もう)?寝た|寝てた|ぐっすり|起きて(?:る|ます)|(?:今日|きょう|明日)?(?:は)?(?:寒い|暑い|暖かい|涼しい|いい天気)|(?:また)?あとで|また後(?:で|ほど)|この辺|この(?:へん|くらい)|(?:この|こ)の?辺で|今日は|で|聞こえて(?:い)?ます|見えて(?:い)?ます|(?:では|じゃあ?)?(?:始|はじ)め(?:ましょうか|ますか)|うーん|ふむ|へ[えぇ]+|ほう|あー+|おー+|やった[ー!]*|最高|完璧|ばっちり|バッチリ|いい(?:です)?ね|いいじゃん|いいと思います|賛成です|同じく|私もです|楽しんで|気をつけて(?:ね|ください)?|行ってらっしゃい|行ってきます|ただいま|おかえり(?:なさい)?|ごちそう(?:さま|様)(?:でした)?|いただきます|お(?:元気|げんき)(?:です|でした)?か|元気|久しぶり|ご無沙汰(?:して(?:い|おり)ます)?|お待たせ(?:しました)?|お邪魔し(?:ます|ました)|恐れ入ります|恐縮です|なるほどです|そうですか|そうなんだ|まじ(?:で)?|マジ(?:で)?|ウケる|うける|かわいい|可愛い|森|さん|それで',
  '好的?|好呀|好嘞|好啊|行|行吧|收到|明白了?|了解|知道了?|没问题|没事(?:的|儿)?|可以的?|嗯+|哦+|啊+|哈+|嘿+|呵+|谢谢|谢啦|多谢|感谢|你们?|您|大家|老板|各位|同学们?|辛苦|不客气|不用|不谢|太好了|太棒了?|真棒|真好|很好|非常好|厉害|牛+|赞|早(?:上好|安)?|上午好|晚上好|晚安|下午好|中午好|你好|您好|再见|拜拜|回头见|明天见|回见|加油|恭喜|当然|是的?|对的?|没错|的|了|呢|吗|吧|呀|啦|哟|那|就|这样|我们?|都|也|能|听得?(?:到|见)|看得?(?:到|见)|屏幕|声音|现在|开始|继续|下一(?:页|个|项)|还有|别的|其他|问题|什么|没有|差不多|先|散会|结束|到这(?:里|儿)?|希望(?:对你|能)?(?:有|有所)?帮助|对你|有帮助|(?:如果)?(?:有|还有)?.{0,6}(?:随时|请随时)(?:找我|联系我?|告诉我|问我|联系)|需要(?:我)?(?:帮你)?.{0,12}吗|6+|等我?一下|稍等|有空|有道理|同意|我也是|一样|早呀|早啊|各位|睡了没|睡了吗|还没|还没睡|吃了吗|吃饭了吗|马上(?:安排|来|到|去|处理)?|这就(?:去|来)|在的?|来了|来啦|喂+|清楚|很|明白|嗯哪|哈哈|凡|哥|姐|老婆|老公|大人|宝贝|亲爱的|亲|么么哒|爱你|想你|注意身体|保重|路上小心|一路平安|一路顺风|旅途愉快|玩得开心|开心|高兴|恭喜发财|新年快乐|生日快乐|节日快乐|周末愉快|今天|先这样|就这样|到此为止|大家|了解了|懂了|懂|真的|假的|不会吧|天(?:呐|哪|啊)|我去|绝了|笑死|太(?:难|惨|可惜|厉害|强|贵|快|慢)了|可惜|心疼|抱抱|摸摸头|久等了|打扰了|麻烦(?:你|您)?了|拜托(?:了)?|有劳|费心了|客气|不好意思|抱歉|对不起|没关系|稍等一下|等等|回聊|改天聊|下次聊|先忙|你忙|快来看看|看看',
]
const UNSPACED = new RegExp(
  `^(?:[\\s、。！？!?,，.…~〜～♪☆・()（）「」ー-]|\\p{Extended_Pictographic}|[\\u200d\\ufe0f]|${UNSPACED_PARTS.join('|')})+$`,
  'u',
)
const IS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Promises, requests and refusals, which can consist of such words only. */
const COMMITS =
  /\b(?:i|we) got the job\b|\bwe(?:['’]re| are) moving(?! on)\b|\b(?:i|we)(?:['’]ll| will| can| could| won['’]?t| can['’]?t| shall) (?:do|make|get|come|go|help|join|start|share|move|carry|wrap|assist|tell|wait|bring|keep|call|pick|drive|ride|give|ring)\b|\b(?:i|we|you|they|he|she|it) (?:should|must|need|needed|have|had|want)(?: to)? (?:wait|go|come|do|get|make|start|move|stop|help|talk|speak|share|join|continue|hold)\b|\b(?:can|could|would|will) (?:you|someone|somebody|anyone) (?:please )?(?:do|make|get|come|help|finish|call|move|join|wrap|start)\b/i
/** About the meeting itself. */
const PROCEEDING =
  /\b(?:start|share|move on|wrap|begin|get (?:started|going)|go (?:on|ahead|next|first)|come back|be right back|make sense|let you go|join (?:in|us))\b/i

const LONGEST = { spaced: 90, unspaced: 40 }

/** Greetings, thanks, praise, wishes and regrets: with one of these, one more word is no news ("what a relief, well done Callum"). */
const PHATIC =
  /(?<!\p{L})(?:cheers|congrat\p{L}*|bravo|kudos|hi|hiya|hey|hello|(?<!(?:the|this|that|every|in|next|last|all) )(?:morning|evening)|goodnight|bye|welcome|great|awesome|amazing|lovely|brilliant|fantastic|wonderful|gorgeous|beautiful|cute|what an?|well done|nice|cool|happy|glad|hope|hang in|good luck|enjoy|have fun|wow|ouch|phew|yay|haha\p{L}*|lol|danke\p{L}*|dank|hallo|moin|servus|tschüss|grüße|gruß|super|toll|klasse|herrlich|hammer|wahnsinn|spitze|schön\p{L}*|wünsche?n?|viel (?:spaß|erfolg|glück|freude)|glückwunsch|gratuliere|alles gute|merci|bravo|coucou|salut|bonjour|bonsoir|génial\p{L}*|magnifique|parfaite?|bonne?s?|bisous?|bises|bien à (?:toi|vous)|félicitations|gracias|hola|buen[oa]s?|felicidades|enhorabuena|genial|estupend[oa]|qué (?:bien|bueno|bonito|lindo|pena|rico|guay|ilusión)|un abrazo|saludos|besos?|suerte|feliz)(?!\p{L})/iu
/** Words that make even a short sentence news. */
const DENIES =
  /(?<!\p{L})(?:not|never|no|nobody|nothing|without|\p{L}+n['’]t|cannot|broke\p{L}*|lost|died|nicht|kein\p{L}*|nie|ohne|kaputt|weg|ne|pas|jamais|sans|plus|perdu|cassé|no|nunca|sin|perd\p{L}+|rot[oa])(?!\p{L})/iu
const MOST_TOLERANT_WORDS = 9

/** Whether every word of a sentence expresses courtesy, assent, praise or is about the conversation itself. */
export function isSmallTalk(sentence: string): boolean {
  if (IS_UNSPACED.test(sentence)) return sentence.length <= LONGEST.unspaced && UNSPACED.test(sentence)
  if (sentence.length > LONGEST.spaced || /\d/.test(sentence)) return false
  const words = (sentence.toLowerCase().match(/\p{L}+/gu) ?? []).map(unstretched)
  if (words.length === 0 || (COMMITS.test(sentence) && !PROCEEDING.test(sentence))) return false
  const isTolerant = words.length <= MOST_TOLERANT_WORDS && PHATIC.test(sentence) && !DENIES.test(sentence)
  const unknown = isTolerant && words.length >= 3 ? 1 : 0
  return VOCABULARIES.some((known) => hasAtMost(unknown, words, known))
}

/** `you` of `youuu`, `me` of `meee`. */
function unstretched(word: string): string {
  return STRETCHED.test(word) ? word.replace(STRETCHED, '$1') : word
}
const STRETCHED = /(\p{L})\1{2,}/u

/** The languages in which a sentence has the fewest words that small talk seldom has, and how many it has in them. */
export function closestLanguages(words: readonly string[]): {
  readonly languages: readonly SmallTalkLanguage[]
  readonly unknown: number
} {
  const counts = (Object.keys(BY_LANGUAGE) as SmallTalkLanguage[]).map((language) => {
    const known = BY_LANGUAGE[language]
    return { language, unknown: words.filter((word) => !known.has(unstretched(word)) && !SOUND.test(word)).length }
  })
  const unknown = Math.min(...counts.map((count) => count.unknown))
  return { languages: counts.filter((count) => count.unknown === unknown).map(({ language }) => language), unknown }
}

/** @param word in lower case */
export function isSmallTalkWord(word: string): boolean {
  return VOCABULARIES.some((known) => known.has(word))
}

function hasAtMost(most: number, words: readonly string[], known: ReadonlySet<string>): boolean {
  let unknown = 0
  for (const word of words) if (!known.has(word) && !SOUND.test(word) && ++unknown > most) return false
  return true
}
