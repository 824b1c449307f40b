import type { LanguageTable } from './language.ts'
import { SPANISH_FORMS, SPANISH_SYNONYMS } from './spanish-words.ts'

const COUNT = '\\d+|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez'
const DAY = 'lunes|martes|miércoles|miercoles|jueves|viernes|sábado|sabado|domingo'
const PAST =
  '(?!café|josé|allí|aquí)\\p{Ll}+(?:ó|é|í|aron|ieron|aste|iste)|hice|hizo|hicimos|hicieron|dijo|dije|dijeron|vino|tuvo|tuve|tuvimos|puse|puso|fui|fuimos|estuve|estuvo|estuvimos|pude|pudo|quise|quiso|supe|supo|traje|trajo|di|dio|vi|vio'

export const SPANISH: LanguageTable = {
  locale: 'es',
  isSpaced: true,
  starters:
    /^\W*(?:¿|(?:(?:desde|a|con|de|para|por) )?(?:cu[aá]ndo|d[oó]nde|ad[oó]nde|qui[eé]n(?:es)?|cu[aá]nt[oa]s?|c[oó]mo se|cu[aá]l(?:es)?|qué|q|precio|importe|hora|fecha|tel[eé]fono|n[uú]mero|direcci[oó]n)(?!\p{L}))/iu,
  dates: [
    /(?<![\d/.-])(\d{1,2})[/.-](\d{1,2})[/.-]((?:19|20)?\d\d)(?![\d/.-])/gu,
    /(?<=(?<!\p{L})(?:el|al|del|día) )(\d{1,2})\/(\d{1,2})(?![\d/])/giu,
  ],
  phrases: [
    [/[¿¡]/gu, ''],
    [/(?<!\p{L})q(?!\p{L})/giu, '$&ue'],
    [/^(?:el )?(?:precio|coste|costo|importe|alquiler) (?:de(?:l| la| los| las)?)(?!\p{L})/iu, 'how much is the'],
    [/^(.{2,60}?),? (?:precio|coste|costo|importe)(?: actual)?(?=\W*$)/iu, 'how much is the $1'],
    [/^(?:la )?hora de(?:l| la)?(?!\p{L})/iu, 'at what time is the'],
    [/^(?:la )?fecha de(?:l| la)?(?!\p{L})/iu, 'what is the date of the'],
    [
      /^(?:el )?(?:n[uú]mero(?: de tel[eé]fono)?|tel[eé]fono|tel|m[oó]vil|celular) de(?:l| la)?(?!\p{L})/iu,
      'what is the phone number of',
    ],
    [/^(?:la )?direcci[oó]n de(?:l| la)?(?!\p{L})/iu, 'what is the address of'],
    ['(?:a )?qu[eé] hora', 'at what time'],
    ['por fin|al final|ahora mismo|hoy en d[ií]a', '_'],
    ['a la una', "at one o'clock"],
    ['a las? (una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|\\d{1,2}) y media', '{at half past} $1'],
    [
      'a las? (una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|\\d{1,2}) (?:y|menos) cuarto',
      '{at quarter past} $1',
    ],
    [/(?<=\d ?)pesos?(?!\p{L})/giu, 'dollars'],
    ['(?:qué|que) día', 'what day'],
    ['cu[aá]nto tiempo', 'how long'],
    ['cu[aá]ntas veces|con qué frecuencia|cada cu[aá]nto', 'how often'],
    ['cu[aá]ntos años (?:tiene|tienen|tenía)', 'how old is'],
    ['cu[aá]ntos|cu[aá]ntas', 'how many'],
    [
      '(?:(?:en|a) )?(?:cu[aá]nto|cu[aá]l es el precio|qu[eé]) (?:me |nos |le |se )?(?:cuesta|cuestan|sale|salen|salía|salia|salió|salio|costó|costaron|costaba|vale|valen|valía|pag(?:o|a|an|amos|ué|ó|aba|aron)|cobr(?:a|an|o|ó|aba|aron)|gan(?:o|a|an|ó|aba)|deb(?:o|emos|ía)|gast(?:o|é|ó|amos))|a cu[aá]nto (?:sube|baja|est[aá]|asciende)n?|en cu[aá]nto (?:deja|queda|sale)n?',
      'how much does it cost',
    ],
    ['cu[aá]nto|cu[aá]nta', 'how much'],
    [/(?<!\p{L})c[oó]mo se llaman? (?:el|la|los|las) (\p{L}+) de(?:l)? (\p{L}+)/giu, '{what is the name of} $2’s $1'],
    ['c[oó]mo se llaman?', 'what is the name of'],
    ['cu[aá]l(?:es)? (?:es|son|era|fue)', 'what is'],
    ['por qu[eé]', 'why'],
    ['quién dijo', 'who said'],
    [
      `(?<=(?:cu[aá]ndo|qu[eé]|qui[eé]n|d[oó]nde|adónde|c[oó]mo|\\}|how many\\} \\p{L}+) )(?:me |nos |se |le )?(?:${PAST})`,
      '{did} $&',
    ],
    [`(?:ha|han|he|hemos|has)(?= \\p{Ll}+(?:ado|ido|cho|sto|to)(?!\\p{L}))`, 'did'],
    ['(?:tengo|tenemos) que', 'do I have to'],
    ['tengo|tenemos', 'do I have'],
    ['con qui[eé]n(?:es)?', 'with whom'],
    ['a qui[eé]n(?:es)?', 'to whom'],
    ['pasado mañana', 'the day after tomorrow'],
    ['antes de ayer', '2 days ago'],
    ['hace quince días', '2 weeks ago'],
    ['(?:el )?verano pasado', 'last summer'],
    ['antes del', 'before'],
    ['no hay problema|no solo|no sólo', 'also'],
    ['la semana pasada', 'last week'],
    ['la (?:próxima|proxima) semana|la semana (?:que viene|próxima|proxima)', 'next week'],
    ['esta semana', 'this week'],
    ['el mes pasado', 'last month'],
    ['el (?:próximo|proximo) mes|el mes que viene', 'next month'],
    ['este mes', 'this month'],
    ['el año pasado', 'last year'],
    ['el (?:próximo|proximo) año|el año que viene', 'next year'],
    ['este año', 'this year'],
    ['el fin de semana pasado', 'last weekend'],
    ['(?:el|este) (?:próximo )?fin de semana', 'this weekend'],
    ['esta mañana', 'this morning'],
    ['(?:por|de|en|toda) la mañana', 'in the morning'],
    ['esta noche', 'tonight'],
    ['anoche', 'last night'],
    ['anteayer', '2 days ago'],
    [`hace (${COUNT}) (días?|semanas?|mes(?:es)?|años?)`, '$1 $2 {ago}'],
    [`(?:el )?(${DAY}) pasado|el pasado (${DAY})`, '{last} $1$2'],
    [`(?:el )?(?:próximo|proximo) (${DAY})|(?:el )?(${DAY}) que viene`, '{next} $1$2'],
    [`(?:todos los|cada|los) (${DAY})`, '{every} $1'],
    ['todos los días|cada día', 'every day'],
    [`el(?= (?:${DAY})(?!\\p{L}))`, 'on'],
    [/(?<!\p{L})el (?:día )?(?=\d{1,2} de \p{L})/giu, 'on '],
    [/(?<=\d{1,2}) de (?=\p{L})/giu, ' '],
    [/(?<=\p{L}) de(?:l)? (?=(?:19|20)\d\d(?!\d))/giu, ' '],
    [/(?<!\p{L})a las? (1[3-9]|2[0-4])(?![\d:.])/giu, '{at} $1:00'],
    ['a las?(?= (?:\\d|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce))', 'at'],
    ['antes de', 'before'],
    ['después de', 'after'],
    ['porque|ya que|debido a|gracias a', 'because'],
    ['para que', 'so that'],
    ['(?:al|por)(?= (?:día|semana|mes|año|noche|persona)(?!\\p{L}))', 'per'],
    ['una vez', 'once'],
    ['dos veces', 'twice'],
  ],
  words: `hoy: today, ayer: yesterday, mañana: tomorrow, lunes: Monday, martes: Tuesday, miércoles: Wednesday, jueves: Thursday
    viernes: Friday, sábado: Saturday, domingo: Sunday, cuánto cuánta cuanto: how much, cuántos cuántas cuantos: how many, cuándo cuando: when, dónde donde adónde: where, quién quien quiénes quienes: who, cómo: how, qué que: what, cuál cuáles cual: which
    soy: am, es está: is, eres son están estamos somos: are, era estaba fue: was, eran estaban fueron: were, ha: has, he has han hemos: have, había: had, hay: is there
    puede puedo pueden podemos: can, debe debo tengo tiene tenemos: have, será: will be, yo: I, me mí: me, nosotros: we, nos: us, tú usted: you, él: he, ella: she
    ellos ellas: they, le les: them, mi mis: my, nuestro nuestra nuestros nuestras: our, tu tus: your, su sus: his, se: _, este esta estos estas: this, eso esto: that
    el la los las lo: the, un una unos unas: a, de del: of, y: and, o: or, pero: but, no: not, nunca: never, tampoco: not, nada: nothing, nadie: nobody, ningún ninguna ninguno: no
    en: in, a al: to, con: with, para: for, por: by, sobre: about, desde: since, hasta: until, entre: between, sin: without, durante: during, contra: against
    ahora actualmente: now, actual actuales: current, último última últimos últimas: last, primero primer primera: first, nuevo nueva nuevos nuevas: new, antes: before, originalmente: originally
    finalmente: finally, entonces: then, además: also, cómo: how, más: more, menos: less, mucho mucha muchos muchas: many, siguiente próximo próxima: next, mismo misma: same, otro otra: other
    donde: where, según: by, tan: so, así: so, porque: because, hacia: around
    también: also, todavía aún: still, ya: already, luego: then, aquí: here, allí: there, si: if, muy: very, solo sólo: only, todo todos toda todas: all
    día: day, días: days, semana: week, semanas: weeks, mes: month, meses: months, año: year, años: years, hora: hour, horas: hours, minuto: minute, minutos: minutes
    noche: night, mediodía: noon, primavera: spring, verano: summer, otoño: autumn, invierno: winter
    dos: two, tres: three, cuatro: four, cinco: five, seis: six, siete: seven, ocho: eight, nueve: nine, diez: ten, once: eleven, doce: twelve
    hecho hice hizo hicimos hicieron: done, pasó: happened, hago hacemos hacer: do, algo: anything, pasado: happened, dicho: said, hablado: talked, escrito: written, siempre: always, cada: every`,
  shared: 'no me he has a son as once come solo o y el la si do',
  endings:
    's es o a os as ar er ir an en e i amos emos imos aron ado ada ados adas ido ida aba ia io ieron ando iendo are ara aran aremos ere era eran eremos iera iremos ire ira iran',
  generic: `fecha hora precio coste importe tarifa número teléfono dirección lugar sitio nombre motivo problema resultado plazo
    cantidad tamaño peso edad correo personas padres cita don doña señor señora`,
  forms: SPANISH_FORMS,
  synonyms: SPANISH_SYNONYMS,
}
