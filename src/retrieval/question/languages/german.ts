import { GERMAN_FORMS, GERMAN_SYNONYMS } from './german-words.ts'
import type { LanguageTable } from './language.ts'

const MONEY =
  'Miete|Kosten|Preis|Gebühr|Beitrag|Rechnung|Kaution|Gehalt|Lohn|Rate|Budget|Betrag|Steuer|Nachzahlung|Anzahlung|Abschlag|Rabatt|Prämie'
/** Words that make a sentence of a question. */
const ASKS =
  'wann|wer|wen|wem|wessen|wo|wohin|woher|warum|wieso|weshalb|wie|was|wieviel|welche[rsmn]?|hat|habe|haben|ist|sind|war|wird|kann|muss|gibt|geht|kostet|bis|bekomm\\p{L}*|krieg\\p{L}*'
const COUNT = '\\d+|einem|einer|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn'
/** At the end of a question, what was done: `gekauft`, `bestellt`, `angerufen`. */
const PARTICIPLE = '\\p{Ll}*(?:ge\\p{Ll}{2,}(?:t|en)|iert)|(?:be|er|ent|emp|miss|ver|zer|über|unter)\\p{Ll}{3,}(?:t|en)'
/** Verbs whose perfect has `sein`; with others, `ist geplant` is a state. */
const OF_MOTION =
  '\\p{Ll}*(?:gekommen|gegangen|gefahren|geflogen|gereist|geblieben|gelaufen|gefallen|gezogen|geworden|gestorben|geboren|gewesen|passiert|geschehen|gelandet|gestiegen)'
const QUESTION_WORD =
  '(?:(?:[Ss]eit|[Aa]b|[Mm]it|[Vv]on|[Bb]ei|[Zz]u|[Aa]n|[Ii]n) )?(?:[Ww]ann|[Ww]er|[Ww]o|[Ww]ohin|[Ww]oher|[Ww]arum|[Ww]ieso|[Ww]ie|[Ww]as|[Ww]em|[Ww]en)'
/** Past forms, those in -te only before a subject of the third person: `arbeite ich` is present. */
const PAST =
  'kam|kamen|ging|gingen|fuhr|fuhren|traf|trafen|rief|riefen|fand|fanden|gab|sah|sahen|bekam|las|hieß|(?!möchte|könnte|sollte|hätte|müsste|dürfte|heute)\\p{Ll}{3,}te(?= (?:er|sie|es|man|der|die|das|mein|meine|unser|unsere|\\p{Lu}\\p{Ll}+) )'

export const GERMAN: LanguageTable = {
  locale: 'de',
  isSpaced: true,
  starters:
    /^\W*(?:(?:seit|ab|bis|mit|von|bei|für) )?(?:wann|wer|wem|wen|wo|wohin|woher|warum|wieso|weshalb|wie|wieviel|welche[rsmn]?|worüber|womit|wovon|(?:telefon|handy)?nummer|adresse|höhe|hoehe|termin|uhrzeit|\p{L}{3,}preis|aktueller?|ursprünglicher?|neuer)(?!\p{L})/iu,
  dates: [/(?<![\d.,])(\d{1,2})\. ?(\d{1,2})\.(?: ?((?:19|20)\d\d|\d\d(?![\d:.,]| ?(?:Uhr|Euro|€))))?(?!\d)/gu],
  phrases: [
    [/(?<!\p{L})(gibt|geht|hat|ist|war|wird|kann|macht|kostet|hab|wenn|ob)['’]?s(?!\p{L})/giu, '$1 es'],
    [/(?<=(?<!\p{L})geh(?:t|en) .*) los(?=\W*$)/giu, ''],
    ['um wie ?viel uhr|wie spät|(?:um|zu) welcher? uhrzeit|ab wie ?viel uhr', 'at what time'],
    ['bis wie ?viel uhr', 'until what time'],
    ['an welchem (?:tag|datum|termin)', 'on what day'],
    ['an welchem wochentag', 'on what weekday'],
    ['in welcher (?:kw|kalenderwoche|woche)', 'on what date'],
    ['von wann bis wann|(?:für|zu) wann', 'when'],
    [
      /^(?:die |der |das )?(?:telefon|handy|mobil|festnetz)?(?:nummer|telefon|handy|tel\.?) (?:von|vom|der|des)(?!\p{L})/iu,
      'what is the phone number of',
    ],
    [/^(?:die )?(?:adresse|anschrift) (?:von|vom|der|des)(?!\p{L})/iu, 'what is the address of'],
    [/^(?:die )?(?:höhe|hoehe)(?: der| des| von| vom)?(?!\p{L})/iu, 'how much is the'],
    [
      new RegExp(
        `^(?!.*(?<!\\p{L})(?:${ASKS})(?!\\p{L}))(?=(?:(?:der|die|das|\\p{L}+e[rsn]?) )?\\p{L}*(?:${MONEY})(?!\\p{L}))`,
        'iu',
      ),
      '{how much is the} ',
    ],
    [
      /^(?:der |das |die )?(?:nächster? |neuer? )?(?:termin|datum|uhrzeit|frist|beginn)(?: für| von| vom| der| des| beim)?(?!\p{L})/iu,
      'when is',
    ],
    [/^(?:nächster |neuer )?(?=\p{L}{3,}termin\W*$)/iu, '{when is the} '],
    ['wie viele', 'how many'],
    [
      `wie hoch (?:ist|sind|war|waren) (?:der|die|das|mein\\p{L}*|unser\\p{L}*)(?= (?:\\p{L}+ ){0,2}\\p{L}*(?:${MONEY}))`,
      'how much is the',
    ],
    ['wie ?viel (?:geld )?(?:kostet|kosten|kostete)', 'how much does it cost'],
    ['wie ?viel uhr', 'what time'],
    ['ab wann', 'since when'],
    ['was (?:zahl|bezahl)(?:e|en|t|te|ten)', 'how much does it cost'],
    ['was (?:kostet|kosten|kostete|kosteten)|was (?:hat|haben)(?= .* gekostet)', 'how much does it cost'],
    [
      'wie ?viel(?=.* (?:(?:be|ge|an|aus|ein|nach|zurück)?zahl(?:e|en|t)|ausgegeben|ausgeben|überw(?:iesen|eisen)|verdien(?:e|en|t)|verlangt|bekommen wir|kriegen wir|krieg ich|kriege ich|bekomme ich))',
      'how much paid',
    ],
    ['wie ?viel', 'how much'],
    [/(?<=^\W*was (?:habe|haben|hast) .*) vor(?=\W*$)/giu, ''],
    ['wie lange', 'how long'],
    ['wie oft', 'how often'],
    ['wie alt', 'how old'],
    ['wie weit', 'how far'],
    ['wie groß|wie hoch|wie lang|wie schwer|wie breit', 'how tall'],
    ['wie teuer', 'how expensive'],
    ['wie hei(?:ß|ss)t (?:der|die|das) (\\p{L}+) von (\\p{L}+)', '{what is the name of} $2’s $1'],
    ['wie hei(?:ß|ss)(?:t|en)', 'what is the name of'],
    ['was für', 'what kind of'],
    ['gibt es|gab es', 'is there'],
    ['wer hat(?=.* gesagt(?:\\W*$|,))', 'who said'],
    [/(?<=^\W*\{who said\}.*) gesagt(?=\W*$|,)/giu, ''],
    [`(?:hat|habe|hab|haben|hast|habt|hatte|hatten)(?= (?:.* )?(?:${PARTICIPLE})\\W*$)`, 'did'],
    [`(?:bin|ist|sind|seid)(?= (?:.* )?${OF_MOTION}\\W*$)`, 'did'],
    [/(?<!\p{L})(?:habe? ich|haben wir)(?!\p{L})/giu, 'do I have'],
    [new RegExp(`(?<=^\\W*${QUESTION_WORD} )(?:${PAST})(?!\\p{L})`, 'gu'), '{did} $&'],
    [/(?<!\p{L})(?:steht|stand)(?= (.*) an\W*$)/giu, 'is'],
    [/(?<=\{is\} .*) an(?=\W*$)/giu, ''],
    ['heute (?:morgen|früh)', 'this morning'],
    ['heute abend', 'this evening'],
    ['gestern abend', 'yesterday evening'],
    ['morgen früh', 'tomorrow morning'],
    ['übermorgen', 'the day after tomorrow'],
    ['heute in einer woche', 'in a week'],
    [/(?<=(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag) )morgen(?!\p{L})/giu, '{morning}'],
    ['(?:am (?:nächsten |frühen )?|jeden |guten |diesen )morgen', 'in the morning'],
    [/(?<=(?<!\p{L})(?:Frau|Herrn?) )\p{Lu}\p{Ll}+/gu, '{$&}'],
    ['am wochenende', 'this weekend'],
    [/(?<!\p{L})um (\d{1,2})\.(\d\d) ?uhr(?!\p{L})/giu, '{at} $1:$2'],
    [/(?<!\p{L})um (1[3-9]|2[0-4])(?: uhr)?(?![\p{L}\d.:])/giu, '{at} $1:00'],
    [/(?<![\d:.,])(1[3-9]|2[0-4]) ?uhr(?!\p{L})/giu, '$1:00'],
    [/(?<!\p{L})(?:vom|von)(?= \d{1,2}\. ?\p{L})/giu, 'of'],
    ['nicht nur|kein problem|keine sorge|ohne probleme', 'also'],
    [`vor (${COUNT}) (tag|woche|monat|jahr)(?:e?n)?`, '$1 $2 {ago}'],
    ['(?:in )?(?:der |die )?letzten?(?= woche)', 'last'],
    ['im letzten', 'last'],
    ['halb(?= \\p{Ll})', 'half past'],
    ['viertel nach', 'quarter past'],
    ['viertel vor', 'quarter to'],
    [/(?<!\d)(\d{1,2})\. ?(?=\p{L})/gu, '$1 '],
    ['jahre alt', 'years old'],
    ['pro|je', 'per'],
    ['auf dem laufenden|im moment|zur ?zeit', 'now'],
    ['immer noch', 'still'],
    ['am ende|letzten endes|nun doch', '_'],
    ['kw (?=\\d)', '{week} '],
    [/(?<!\p{L})mittags(?!\p{L})/giu, 'at noon'],
    [/(?<!\p{L})(?:abends)(?!\p{L})/giu, 'in the evening'],
    [/(?<!\p{L})(?:morgens|frühmorgens)(?!\p{L})/giu, 'in the morning'],
  ],
  words: `heute: today, gestern: yesterday, morgen: tomorrow, montag: Monday, dienstag: Tuesday, mittwoch: Wednesday, donnerstag: Thursday
    freitag: Friday, samstag sonnabend: Saturday, sonntag: Sunday, wieviel wieviele: how much, wann: when, wer: who, wen wem: whom, wessen: whose, wo: where, wohin woher: where, warum wieso weshalb weswegen: why
    wozu: what for, wie: how, was wovon womit worüber woran wogegen wofür worauf worum worin: what, welche welcher welches welchen welchem: which
    bin: am, bist: are, ist: is, sind seid: are, war: was, waren: were, habe hab hast haben habt: have, hat: has, hatte hatten: had
    wird werden: will, wurde: was, wurden: were, kann kannst können: can, könnte könnten: could, muss musst müssen: must, musste mussten: had to
    soll sollen: should, sollte sollten: should, darf dürfen: may, würde würden: would
    ich: I, mich mir: me, wir: we, uns: us, er: he, sie: they, es: it, du: you, dich dir: you, ihm: him, ihnen: them
    mein meine meinem meinen meiner meines: my, unser unsere unserem unseren unserer unseres: our, dein deine deinem deinen deiner: your
    sein seine seinem seinen seiner seines: his, ihr ihre ihrem ihren ihrer ihres: their, sich: _, man: somebody
    der die das den dem des: the, ein eine einen einem einer eines: a, kein keine keinen keinem keiner keinerlei: no, nicht kaum: not, nie niemals: never, nichts: nothing, niemand niemanden niemandem: nobody
    und: and, oder: or, aber: but, sondern: but, doch: but, am: on, im in: in, so also: so, zum zur: to the, vom: from the, von: from, mit: with, für: for, beim: at the, bei: at
    nach: to, aus: from, auf: on, an: on, um: at, über: about, seit: since, bis: until, ab: from, vor: before, zwischen: between
    ohne: without, durch: through, während: during, wegen: because of, weil: because, damit: so that, deshalb deswegen daher: therefore
    auch: also, noch: still, schon bereits: already, dann: then, hier: here, dort: there, als: as, dass daß: that, wenn falls: if, zu: to, nur: only
    sehr: very, bitte: please, alle: all, alles: everything, etwas: something, letzte letzter letztes letzten letztem vorige vorigen vergangene vergangenen: last
    nächste nächster nächstes nächsten nächstem kommende kommenden: next, diese dieser dieses diesen diesem: this, jede jeder jedes jeden jedem: every
    tag: day, tage tagen: days, woche: week, wochen: weeks, wochenende: weekend, monat: month, monate monaten: months, jahr: year, jahre jahren: years
    stunde: hour, stunden: hours, minute: minute, minuten: minutes, uhr: o'clock, vormittag: morning, mittag: noon, nachmittag: afternoon, abend: evening, nacht: night, nächte nächten: nights
    jetzt nun inzwischen mittlerweile aktuell derzeit momentan gerade neuerdings: now, aktuelle aktueller aktuelles aktuellen: current, zuletzt: last
    ursprünglich anfangs: originally, ursprüngliche ursprünglicher ursprüngliches ursprünglichen: original, vorher früher zuvor davor: before, damals: then, bisher: so far
    neu neue neuer neues neuen neuem: new, erste erster erstes ersten: first, mal nochmal eigentlich denn ja halt eben schließlich selber selbst: _
    genau: exactly, ungefähr circa ca etwa: about, ob: whether, wieder: again, insgesamt: in total, höhe hoehe: amount, nix: nothing, wg: because of, gegen: around
    gehe gehst geht gehen: go, bekomme bekommst bekommt bekommen kriege krieg kriegst kriegt kriegen: get
    täglich: daily, wöchentlich: weekly, monatlich: monthly, jährlich: yearly, einmal: once, zweimal: twice, immer: always, selten: rarely
    montags: on Mondays, dienstags: on Tuesdays, mittwochs: on Wednesdays, donnerstags: on Thursdays, freitags: on Fridays, samstags: on Saturdays, sonntags: on Sundays
    zwei: two, drei: three, vier: four, fünf: five, sechs: six, sieben: seven, acht: eight, neun: nine, zehn: ten, elf: eleven, zwölf: twelve
    frühling frühjahr: spring, sommer: summer, herbst: autumn, anfang: beginning of, mitte: middle of, ende: end of
    gemacht getan: done, mache machst macht machen tue tun: do, passiert geschehen: happened, gesagt: said, gesprochen geredet: talked, geschrieben: written, vorgestern: 2 days ago, übermorgen: the day after tomorrow`,
  shared: 'hier was war am die in an man den bin also her hat so er um des dem mit ab',
  capitalizesNouns: true,
  endings: 'e en er es em s n t te ten st et',
  participle: 'ge',
  generic: `termin termine datum uhrzeit zeit zeitpunkt beginn dauer preis kosten betrag summe nummer telefonnummer adresse ort grund name problem ergebnis frist anzahl menge größe gewicht alter
    handynummer handy telefon email mail anschrift personen leute eltern familie`,
  forms: GERMAN_FORMS,
  synonyms: GERMAN_SYNONYMS,
  separable: 'ab an auf aus bei ein her hin los mit nach um vor weg zu zurück',
  links: 's n en es er e',
}
