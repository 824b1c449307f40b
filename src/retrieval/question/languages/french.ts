import { type Language, phrase, wordPairs } from './language.ts'

const COUNT = '\\d+|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix'
const PARTICIPLE =
  '(?!au(?!\\p{L})|du(?!\\p{L})|nu(?!\\p{L})|plus(?!\\p{L})|vous|nous)\\p{Ll}{2,}(?:é|ée|és|ées|u|ue|us|ues)|fait|dit|mis|pris|écrit|ouvert|offert|choisi|fini|reçu|promis|appris'
/** Verbs whose perfect has `être`; with others, `est prévu` is a state. */
const OF_MOTION =
  '(?:all|arriv|rest|pass|rentr|entr|tomb|mont|retourn)ée?s?|(?:ven|reven|deven)ue?s?|(?:part|sort)ie?s?|née?s?|morte?s?'
const SUBJECT = '(?: (?:je|tu|il|elle|on|nous|vous|ils|elles|pas|déjà))*'
const DAY = '(?:(?:lun|mar|mercre|jeu|vendre|same)di|dimanche)'

export const FRENCH: Language = {
  locale: 'fr',
  isSpaced: true,
  starters:
    /^\W*(?:(?:depuis|à|avec|de|pour) )?(?:quand|où|qui|quel(?:le)?s?|combien|pourquoi|comment|est-ce|qu['’]est)(?!\p{L})/iu,
  phrases: [
    [/[’]/gu, "'"],
    [/^(.+?)[ ,](?:c'est )?(quand|combien|où|à combien) ?\??$/isu, '$2 $1?'],
    [/(?<=(?<!rendez)(?<=\p{L}))-(?:t-)?(?=(?:je|tu|il|elle|on|nous|vous|ils|elles)(?!\p{L}))/giu, ' '],
    [phrase('(?:à )?quelle heure'), 'at what time'],
    [phrase('quel jour'), 'what day'],
    [phrase('combien de temps'), 'how long'],
    [phrase('combien de fois|à quelle fréquence'), 'how often'],
    [/(?<!\p{L})combien (?:d'|de )/giu, 'how many '],
    [phrase('combien (?:a |ont |ça |cela )?(?:coûte|coûtent|coûté|coûtait|vaut)'), 'how much does it cost'],
    [phrase('(?:est|était|etait|sont) à combien|à combien(?: (?:est|était|etait))?'), 'how much is the'],
    [phrase('combien'), 'how much'],
    [phrase('quel âge (?:a|ont)|quel est l.âge (?:de|du)'), 'how old is'],
    [
      /(?<!\p{L})comment s'appelle(?:nt)? (?:le |la |les |l')(\p{L}+) (?:de |du |des |d')(\p{L}+)/giu,
      '{what is the name of} $2’s $1',
    ],
    [phrase("comment s'appelle(?:nt)?|quel est le nom d(?:e|u)"), 'what is the name of'],
    [
      phrase('quel(?:le)?s? (?:est|sont) (?:le|la|les)(?= (?:prix|tarif|coût|montant|loyer)s?(?!\\p{L}))'),
      'how much is the',
    ],
    [phrase('mots? de passe'), 'password mot de passe'],
    [phrase('avec qui'), 'with whom'],
    [phrase('(?:à|chez) qui'), 'to whom'],
    [phrase("c'est quand"), 'when is'],
    [phrase("c'est qui"), 'who is'],
    [phrase("c'est combien"), 'how much is the'],
    [phrase('quel(?:le)?s? (?:est|était|sont|étaient)'), 'what is'],
    [/(?<!\p{L})qu'est[- ]ce (?:qu'|que |qui )/giu, 'what '],
    [phrase("(?:que|qu'est-ce qui) s'est(?: il)? passé|s'est passé"), 'what happened'],
    [/(?<!\p{L})est[- ]ce (?:qu'|que )/giu, 'do '],
    [phrase(`il y a (${COUNT}) (jours?|semaines?|mois|ans?)`), '$1 $2 {ago}'],
    [phrase('y a(?:-t-| )il|il y a'), 'is there'],
    [phrase('qui a dit'), 'who said'],
    [/(?<!\p{L})(?:pas de problème|pas seulement)(?!\p{L})/giu, 'also'],
    [/(?<!\p{L})(?:ne |n['’])(?=(?:[\p{L}'’]+ ){1,4}?que(?!\p{L}))/giu, ''],
    [/(?<!\p{L})(?:ne |n['’])(?=\p{L})/giu, '{not} '],
    [/(?<=\{not\}.*) (?:pas|plus)(?!\p{L})/giu, ''],
    [/(?<!\p{L})(?:j['’])(?=(?:ai|avais) )/giu, '{I} '],
    [phrase(`(?:ai|as|a|avons|avez|ont)(?=${SUBJECT} (?:${PARTICIPLE})(?!\\p{L}))`), 'did'],
    [phrase(`(?:s')?(?:suis|est|sommes|êtes|sont)(?=${SUBJECT} (?:${OF_MOTION})(?!\\p{L}))`), 'did'],
    [phrase('après-demain'), 'the day after tomorrow'],
    [phrase('il y a (?:quinze jours|une quinzaine)'), '2 weeks ago'],
    [phrase('la semaine (?:dernière|passée)'), 'last week'],
    [phrase('la semaine prochaine'), 'next week'],
    [phrase('cette semaine'), 'this week'],
    [phrase('le mois (?:dernier|passé)'), 'last month'],
    [phrase('le mois prochain'), 'next month'],
    [phrase('ce mois(?:-ci)?'), 'this month'],
    [phrase("l'année (?:dernière|passée)|l'an (?:dernier|passé)"), 'last year'],
    [phrase("l'année prochaine|l'an prochain"), 'next year'],
    [phrase('cette année'), 'this year'],
    [phrase('le week-?end (?:dernier|passé)'), 'last weekend'],
    [phrase('ce matin'), 'this morning'],
    [phrase('ce soir'), 'this evening'],
    [phrase('hier soir'), 'yesterday evening'],
    [phrase('avant-hier'), '2 days ago'],
    [new RegExp(`(?<!\\p{L})(?:le )?(${DAY}) dernier(?!\\p{L})`, 'giu'), '{last} $1'],
    [new RegExp(`(?<!\\p{L})(?:le )?(${DAY}) prochain(?!\\p{L})`, 'giu'), '{next} $1'],
    [new RegExp(`(?<!\\p{L})(?:tous les|chaque) (${DAY})s?(?!\\p{L})`, 'giu'), '{every} $1'],
    [phrase('tous les jours|chaque jour'), 'every day'],
    [new RegExp(`(?<!\\p{L}|\\{(?:last|next|every)\\} )(?:le )?(?=${DAY}(?!\\p{L}))`, 'giu'), 'on '],
    [/(?<!\p{L})(?:le|au|du) (?=\d{1,2}(?:er)? \p{L})/giu, 'on '],
    [/(?<!\d)1er(?= \p{L})/giu, '1'],
    [/(?<=(?<!\p{L})(?:en|fin|début|\d{1,2}) )mars(?!\p{L})/giu, 'March'],
    [phrase("(?:l|cet) ?['’]?été dernier"), 'last summer'],
    [/(?<=(?:l|d)['’]|cet |en )été(?!\p{L})/giu, '{summer}'],
    [/(?<!\d)(\d{1,2}) ?h ?(\d\d)(?!\d)/giu, '$1:$2'],
    [/(?<!\d)(\d{1,2}) ?h(?![\p{L}\d])/giu, '$1:00'],
    [phrase('parce (?:que|qu.)|puisque|grâce à'), 'because'],
    [/(?<=, )car(?!\p{L})/giu, 'because'],
    [phrase("jusqu'(?:à|au|aux|en)"), 'until'],
    [phrase('par(?= (?:jour|semaine|mois|an|personne|nuit)(?!\\p{L}))'), 'per'],
    [phrase('à propos (?:de|des|du)|au sujet (?:de|des|du)'), 'about'],
    [phrase('une fois'), 'once'],
    [phrase('deux fois'), 'twice'],
    [/(?<!\p{L})n['’]|(?<!\p{L})[dl]['’](?=[\p{L}{])/giu, ' '],
    [/(?<!\p{L})j['’](?=[\p{L}{])/giu, 'I '],
    [/(?<!\p{L})qu['’](?=[\p{L}{])/giu, 'what '],
  ],
  words:
    wordPairs(`hier: yesterday, demain: tomorrow, aujourd'hui: today, lundi: Monday, mardi: Tuesday, mercredi: Wednesday, jeudi: Thursday
    vendredi: Friday, samedi: Saturday, dimanche: Sunday, combien: how much, quand: when, où: where, qui: who, pourquoi: why, comment: how, que quoi: what, quel quelle quels quelles: which
    suis: am, es: are, est: is, sont: are, était: was, étaient: were, ai as avons avez ont: have, a: has, avait avaient: had, sera seront: will be
    peut peux peuvent: can, doit dois doivent: must, devait devais devaient: had to, mme mlle: Mrs, faut: must, je: I, me moi: me, nous: we, on: we, tu vous: you, il: he, elle: she, ils elles: they, lui: him
    mon ma mes: my, notre nos: our, ton ta tes votre vos: your, sa ses: his, leur leurs: their, se: _, ce cette ces cet: this, ça cela: that
    le la les: the, un une: a, des du de: of, et: and, ou: or, mais: but, ne: _, pas: not, jamais: never, rien: nothing, aucun aucune: no, personne: nobody, guère: hardly
    dans en: in, à au aux: at, chez: at, avec: with, pour: for, par: by, sur: on, depuis: since, avant: before, après: after, entre: between
    sans: without, pendant: during, vers: around, contre: against, donc: therefore, aussi: also, encore: still, déjà: already, puis: then, ici: here, là: there
    si: if, très: very, seulement: only, tout tous toute toutes: all, jour: day, jours: days, semaine: week, semaines: weeks, mois: months, an année: year
    ans années: years, heure: hour, heures: hours, minute: minute, minutes: minutes, matin: morning, midi: noon, soir: evening, nuit: night, week-end: weekend
    après-midi: afternoon, printemps: spring, automne: autumn, hiver: winter, deux: two, trois: three, quatre: four, cinq: five, sept: seven
    huit: eight, dix: ten, onze: eleven, douze: twelve, fait: done, fais faisons faire: do, passé: happened, dit: said, parlé: talked, écrit: written
    toujours: always, souvent: often, rarement: rarely`),
  shared: new Set('a on me son an as es car pour comment six des the et ma ta sa il me se tu y dit'.split(' ')),
  endings: 's e es ee ees er ent ez ons a ai ait ont ant aient i is it ir u ue us x'.split(' '),
}
