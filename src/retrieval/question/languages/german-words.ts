/** Forms of verbs and nouns that no ending makes. */
export const GERMAN_FORMS = `fahren fährt fuhr fuhren gefahren, kommen kam kamen gekommen, geben gibt gab gaben gegeben, nehmen nimmt nahm nahmen genommen, sprechen spricht sprach gesprochen
treffen trifft traf trafen getroffen, helfen hilft half geholfen, essen isst aß gegessen, lesen liest las gelesen, sehen sieht sah gesehen, schreiben schrieb schrieben geschrieben
bleiben blieb blieben geblieben, steigen stieg gestiegen, leihen lieh geliehen, ziehen zog zogen gezogen, schließen schloss geschlossen, verlieren verlor verloren
fliegen flog flogen geflogen, anbieten bot geboten angeboten angebot, beginnen begann begonnen, gewinnen gewann gewonnen, finden fand fanden gefunden, singen sang gesungen
trinken trank getrunken, schwimmen schwamm geschwommen, laufen läuft lief gelaufen, schlafen schläft schlief geschlafen, lassen lässt ließ gelassen, fallen fällt fiel gefallen
halten hält hielt gehalten, rufen rief riefen gerufen, tragen trägt trug getragen, schlagen schlägt schlug geschlagen, waschen wäscht wusch gewaschen, einladen lädt lud eingeladen einladung
wissen weiß wusste gewusst, bringen brachte gebracht, denken dachte gedacht, kennen kannte gekannt, nennen nannte genannt, stehen stand gestanden, liegen lag gelegen
sitzen saß gesessen, schneiden schnitt geschnitten, vergessen vergisst vergaß, sterben stirbt starb gestorben tod, werfen wirft warf geworfen, brechen bricht brach gebrochen
empfehlen empfiehlt empfahl empfohlen empfehlung, verschreiben verschrieb verschrieben, entscheiden entschied entschieden entscheidung, anfangen fängt fing angefangen anfang
verschieben verschob verschoben, abnehmen nahm abgenommen, aufnehmen aufgenommen aufnahme, umziehen umgezogen umzug, anziehen angezogen, reiten ritt geritten, streiten stritt gestritten
gießen goss gegossen, frieren fror gefroren, betrügen betrog betrogen, messen maß gemessen, erfahren erfuhr, gefallen gefiel, verstehen verstand verstanden, heben hob gehoben
operieren operiert operation op, reparieren repariert reparatur, kündigen gekündigt kündigung, bestellen bestellt bestellung, liefern geliefert lieferung, prüfen geprüft prüfung
heiraten heiratet geheiratet hochzeit, impfen geimpft impfung, behandeln behandelt behandlung, buchen gebucht buchung, mieten gemietet miete, zahlen gezahlt bezahlt bezahlen zahlung
rechnen gerechnet rechnung, wohnen gewohnt wohnung, lehren lehrer lehrerin, arzt ärztin ärzte, zahnarzt zahnärztin, buch bücher, haus häuser, zahn zähne, schrank schränke, glas gläser
schloss schlösser, rad räder, mann männer, kind kinder, vertrag verträge, zug züge, flug flüge, stuhl stühle, baum bäume, bruder brüder, tochter töchter, mutter mütter, vater väter`

/** Words of everyday life that mean nearly the same. */
export const GERMAN_SYNONYMS = `arzt doktor hausarzt praxis ärztin hausärztin, krankenhaus klinik klinikum uniklinik spital, auto wagen pkw, fahrrad rad, telefonnummer handynummer nummer handy telefon
mail email, termin verabredung, urlaub ferien, reise fahrt, hochzeit trauung, kaufen gekauft kauft besorgen besorgt erworben, kommen kommt geliefert lieferung, bezahlen überweisen überwiesen
anfangen beginnen beginnt begonnen startet start beginn los, enden endet aufhören ende schluss, umzug umziehen, mutter mama mutti mami, vater papa vati, oma großmutter, opa großvater
arbeit job stelle, chef chefin vorgesetzter, passwort kennwort, kilometerstand kilometer km, medikament medikamente tabletten tablette arznei, klausur prüfung test, gehalt lohn verdienst
versicherung police, rabatt nachlass skonto, eigenanteil zuzahlung, essen gericht menü, kaputt defekt, grund ursache, hotel unterkunft pension, zug bahn ice, flug flieger flugzeug
abholen abgeholt holen holt, schicken geschickt senden gesendet, anrufen angerufen telefoniert, absagen abgesagt ausgefallen, preis kosten kostet betrag, teuer preis, krank krankgeschrieben
ehemann mann, ehefrau frau, freund freundin, kita kindergarten, fernseher tv, kühlschrank, heizung therme, garage stellplatz, zimmer raum, allergisch allergie
verlegt verschoben, umgebucht verschoben, gestiegen erhöht, erhöhung steigt erhöht, miete kaltmiete warmmiete mietzins, vermieter vermieterin hausverwaltung, handwerker monteur, nimmt übernimmt`
