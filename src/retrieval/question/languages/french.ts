import { FRENCH_FORMS, FRENCH_SYNONYMS } from './french-words.ts'
import type { LanguageTable } from './language.ts'

const COUNT = '\\d+|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix'
const PARTICIPLE =
  '(?!au(?!\\p{L})|du(?!\\p{L})|nu(?!\\p{L})|plus(?!\\p{L})|vous|nous)\\p{Ll}{2,}(?:é|ée|és|ées|u|ue|us|ues)|fait|dit|mis|pris|écrit|ouvert|offert|choisi|fini|reçu|promis|appris'
/** Verbs whose perfect has `être`; with others, `est prévu` is a state. */
const OF_MOTION =
  '(?:all|arriv|rest|pass|rentr|entr|tomb|mont|retourn)ée?s?|(?:ven|reven|deven)ue?s?|(?:part|sort)ie?s?|née?s?|morte?s?'
const SUBJECT = '(?: (?:je|tu|il|elle|on|nous|vous|ils|elles|pas|déjà))*'
const DAY = '(?:(?:lun|mar|mercre|jeu|vendre|same)di|dimanche)'

export const FRENCH: LanguageTable = {
  locale: 'fr',
  isSpaced: true,
  starters:
    /^\W*(?:(?:depuis|à|avec|de|pour) )?(?:quand|où|qui|quel(?:le)?s?|combien|pourquoi|comment|est-ce|qu['’]est|prix|tarif|montant|co[uû]t|date|num[eé]ro|t[eé]l[eé]phone|adresse|heure)(?!\p{L})/iu,
  dates: [
    /(?<![\d/.-])(\d{1,2})[/.](\d{1,2})[/.]((?:19|20)?\d\d)(?![\d/.-])/gu,
    /(?<=(?<!\p{L})(?:le|au|du|dès le) )(\d{1,2})\/(\d{1,2})(?![\d/])/giu,
  ],
  phrases: [
    [/[’]/gu, "'"],
    [/^(?:le )?(?:prix|tarif|coût|cout|montant|loyer) (?:de (?:la |l')?|du |des |d')/iu, 'how much is the '],
    [/^(.{2,60}?),? (?:prix|tarif|coût|montant)(?: actuel)?(?=\W*$)/iu, 'how much is the $1'],
    [/^(?:la )?date (?:de (?:la |l')?|du |des |d')/iu, 'what is the date of the '],
    [/^(?:l')?heure (?:de (?:la |l')?|du |des |d')/iu, 'at what time is the '],
    [
      /^(?:le )?(?:num[eé]ro(?: de t[eé]l[eé]phone)?|t[eé]l[eé]phone|tél|tel|portable) (?:de (?:la |l')?|du |des |d')/iu,
      'what is the phone number of ',
    ],
    [/^(?:l')?adresse (?:de (?:la |l')?|du |des |d')/iu, 'what is the address of '],
    ['en ce moment|pour le moment|pour finir|au final|du coup|en fin de compte', '_'],
    ["à l'origine|au départ|au début", 'originally'],
    ["jusqu'à quand", 'until when'],
    ['à partir de quand|dès quand', 'since when'],
    [/^(.+?)[ ,](?:c'est )?(quand|combien|où|à combien) ?\??$/isu, '$2 $1?'],
    [/(?<=(?<!rendez)(?<=\p{L}))-(?:t-)?(?=(?:je|tu|il|elle|on|nous|vous|ils|elles)(?!\p{L}))/giu, ' '],
    ['(?:à )?quelle heure', 'at what time'],
    ['quel jour', 'what day'],
    ['combien de temps', 'how long'],
    ['combien de fois|à quelle fréquence', 'how often'],
    [/(?<!\p{L})combien (?:d'|de )/giu, 'how many '],
    ['combien (?:a |ont |ça |cela )?(?:coûte|coûtent|coûté|coûtait|vaut)', 'how much does it cost'],
    ['(?:est|était|etait|sont) à combien|à combien(?: (?:est|était|etait))?', 'how much is the'],
    [
      /(?<!\p{L})combien(?= .*(?<!\p{L})(?:pay(?:er|é|e|ez|ons)|paie(?:s|nt)?|gagne(?:r|s|nt)?|touche(?:r|s|nt)?|dépens(?:er|é)|factur(?:e|er|é)|verser|rembours(?:e|er|é))(?!\p{L}))/giu,
      '{how much paid}',
    ],
    [
      /(?<!\p{L})combien (?:est-ce que )?(?:me |nous |je |on |t'|m')?(?:doi[st]|prend|demande|coûter)(?!\p{L})/giu,
      '{how much does it cost}',
    ],
    ['combien', 'how much'],
    ['quel âge (?:a|ont)|quel est l.âge (?:de|du)', 'how old is'],
    [
      /(?<!\p{L})comment s'appelle(?:nt)? (?:le |la |les |l')(\p{L}+) (?:de |du |des |d')(\p{L}+)/giu,
      '{what is the name of} $2’s $1',
    ],
    ["comment s'appelle(?:nt)?|quel est le nom d(?:e|u)", 'what is the name of'],
    ['quel(?:le)?s? (?:est|sont) (?:le|la|les)(?= (?:prix|tarif|coût|montant|loyer)s?(?!\\p{L}))', 'how much is the'],
    ['mots? de passe', 'password mot de passe'],
    ['avec qui', 'with whom'],
    ['(?:à|chez) qui', 'to whom'],
    ["c'est quand", 'when is'],
    ["c'est qui", 'who is'],
    ["c'est combien", 'how much is the'],
    ['quel(?:le)?s? (?:est|était|sont|étaient)', 'what is'],
    [/(?<!\p{L})qu'est[- ]ce (?:qu'|que |qui )/giu, 'what '],
    ["(?:que|qu'est-ce qui) s'est(?: il)? passé|s'est passé", 'what happened'],
    [/(?<!\p{L})est[- ]ce (?:qu'|que )/giu, 'do '],
    ['il y a (?:quinze jours|une quinzaine)', '2 weeks ago'],
    [`il y a (${COUNT}) (jours?|semaines?|mois|ans?)`, '$1 $2 {ago}'],
    ['y a(?:-t-| )il|il y a', 'is there'],
    ['qui a dit', 'who said'],
    [/(?<!\p{L})(?:pas de problème|pas seulement)(?!\p{L})/giu, 'also'],
    [/(?<!\p{L})(?:ne |n['’])(?=(?:[\p{L}'’]+ ){1,4}?que(?!\p{L}))/giu, ''],
    [/(?<!\p{L})(?:ne |n['’])(?=\p{L})/giu, '{not} '],
    [/(?<=\{not\}.*) (?:pas|plus)(?!\p{L})/giu, ''],
    [/(?<!\p{L})(?:j['’])(?=(?:ai|avais) )/giu, '{I} '],
    [`(?:ai|as|a|avons|avez|ont)(?=${SUBJECT} (?:${PARTICIPLE})(?!\\p{L}))`, 'did'],
    [`(?:s')?(?:suis|est|sommes|êtes|sont)(?=${SUBJECT} (?:${OF_MOTION})(?!\\p{L}))`, 'did'],
    ['après-demain', 'the day after tomorrow'],
    ['la semaine (?:dernière|passée)', 'last week'],
    ['la semaine prochaine', 'next week'],
    ['cette semaine', 'this week'],
    ['le mois (?:dernier|passé)', 'last month'],
    ['le mois prochain', 'next month'],
    ['ce mois(?:-ci)?', 'this month'],
    ["l'année (?:dernière|passée)|l'an (?:dernier|passé)", 'last year'],
    ["l'année prochaine|l'an prochain", 'next year'],
    ['cette année', 'this year'],
    ['le week-?end (?:dernier|passé)', 'last weekend'],
    ['ce matin', 'this morning'],
    ['ce soir', 'this evening'],
    ['hier soir', 'yesterday evening'],
    ['avant-hier', '2 days ago'],
    [`(?:le )?(${DAY}) dernier`, '{last} $1'],
    [`(?:le )?(${DAY}) prochain`, '{next} $1'],
    [`(?:tous les|chaque) (${DAY})s?`, '{every} $1'],
    ['tous les jours|chaque jour', 'every day'],
    [new RegExp(`(?<!\\p{L}|\\{(?:last|next|every)\\} )(?:le )?(?=${DAY}(?!\\p{L}))`, 'giu'), 'on '],
    [/(?<!\p{L})(?:le|au|du) (?=\d{1,2}(?:er)? \p{L})/giu, 'on '],
    [/(?<!\d)1er(?= \p{L})/giu, '1'],
    [/(?<=(?<!\p{L})(?:en|fin|début|\d{1,2}) )mars(?!\p{L})/giu, 'March'],
    ["(?:l|cet) ?['’]?été dernier", 'last summer'],
    [/(?<=(?:l|d)['’]|cet |en )été(?!\p{L})/giu, '{summer}'],
    [/(?<!\d)(\d{1,2}) ?h ?(\d\d)(?!\d)/giu, '$1:$2'],
    [/(?<!\d)(\d{1,2}) ?h(?![\p{L}\d])/giu, '$1:00'],
    ['parce (?:que|qu.)|puisque|grâce à', 'because'],
    [/(?<=, )car(?!\p{L})/giu, 'because'],
    ["jusqu'(?:à|au|aux|en)", 'until'],
    ['par(?= (?:jour|semaine|mois|an|personne|nuit)(?!\\p{L}))', 'per'],
    ['à propos (?:de|des|du)|au sujet (?:de|des|du)', 'about'],
    ['une fois', 'once'],
    ['deux fois', 'twice'],
    [/(?<!\p{L})[dl]['’](?=[\p{L}{])/giu, ' '],
    [/(?<!\p{L})j['’](?=[\p{L}{])/giu, 'I '],
    [/(?<!\p{L})qu['’](?=[\p{L}{])/giu, 'what '],
  ],
  words: `hier: yesterday, demain: tomorrow, aujourd'hui: today, lundi: Monday, mardi: Tuesday, mercredi: Wednesday, jeudi: Thursday
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
    maintenant actuellement désormais: now, actuel actuelle: current, dernier dernière derniers dernières: last, premier première: first, nouveau nouvelle nouveaux nouvelles nouvel: new, initialement: originally, initial initiale: original
    ancien ancienne: old, prochain prochaine: next, finalement: finally, environ: about, même: same, autre autres: other, plus: more, moins: less, beaucoup: much, alors: then, ensuite: then, jusque: until, dès: since, selon: by
    toujours: always, souvent: often, rarement: rarely`,
  shared: 'a on me son an as es car pour comment six des the et ma ta sa il me se tu y dit',
  endings:
    's e es ee ees er ent ez ons a ai ait ont ant aient i is it ir u ue us x erai era eras erons erez eront erait iez ions a as',
  generic: `date heure prix tarif montant coût somme numéro téléphone adresse lieu endroit nom raison problème résultat délai nombre quantité
    taille poids âge mail personnes parents rendez-vous rdv`,
  forms: FRENCH_FORMS,
  synonyms: FRENCH_SYNONYMS,
}
