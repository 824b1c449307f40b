/** Words beside a name that state its type; each pattern ends where the name begins, or begins where it ends. */

/** Kinds in lower case that belong to the name behind them: `clínica Arganda`, `rue des Chartreux`. */
const ORGANIZATION_KIND =
  /$(?<=(?<!\p{L})((?:clínica|hospital|colegio|instituto|universidad|restaurante|farmacia|ferretería|panadería|librería|editorial|fundación|asociación|clinique|hôpital|lycée|collège|restaurant|pharmacie|boulangerie|librairie|association|clinica|ospedale|ristorante|hotel|hôtel|hostal)(?: (?:de la|de los|de|del|du|des|della|di))? ))/u
const PLACE_KIND =
  /$(?<=(?<!\p{L})((?:rue|avenue|boulevard|quai|impasse|allée|chemin|calle|avenida|plaza|paseo|camino|parque|viale|piazza)(?: (?:de la|de los|de|del|du|des|della|di))? ))/u
/** Italian `in via Garibaldi`; elsewhere it is English: `sent via Slack`. */
const STREET_AFTER_PREPOSITION = /$(?<=(?<!\p{L})(?:in|da|la|di|alla|nella|della) (via ))/u
const PROJECT_KIND = /$(?<=(?<!\p{L})((?:projet|proyecto|progetto|projeto) ))/u

/** Kinds that do not belong to the name: `l'usine Saint-Gobain`, `our supplier Krones`, `gare Saint-Charles`. */
const BEFORE_ORGANIZATION =
  /$(?<=(?<!\p{L})(?:l['’]entreprise|entreprise|société|l['’]agence|(?:la|une|à la|de la) \p{L}{3,}erie|l['’]usine|usine|la maison|bodega|empresa|proveedor|tienda|marca|firm|company|supplier|vendor|landlord|startup|start-up|agency|retailer|manufacturer|contractor|competitor|insurer|employer|investor|investors|caterer|bank|law firm|broker|publisher|nursery|energy company|the brand|brand|lieferanten?|firma|verein|agentur)(?:,| (?:de|called|named|namens))? )/iu
const BEFORE_PLACE =
  /$(?<=(?<!\p{L})(?:gare|quartier|village|barrio|pueblo|colonia|estación|centro de salud|ciudad|mercado|ville|the (?:town|village|city|suburb|island)|depot|warehouse) (?:de |of |in )?)/u
const BEFORE_PRODUCT =
  /$(?<=(?<!\p{L})(?:l['’]application|l['’]appli|application|logiciel|programa|aplicación|la app|the app|software|tool called|app called|modelo|modèle) )/iu

/** Verbs of business behind a name. Persons seldom do these. */
const AFTER_ORGANIZATION =
  /^ (?:(?:has|have|had|hat|haben|nos ha|ha|nous a|a) )?(?:declined|came in at|charges?|charged|quotes|quoted|ships?|shipped|delivers?|delivered|supplies|supplied|invoices?d?|billed|refunded|announced|acquired|launched|recalled|discontinued|raised (?:its|their|the) |increased|(?:only )?prints?|supports? (?:us|it)|(?:pushed|moved|signed|renewed|extended|delayed) (?:their|its|the) (?:renewal|contract|order|delivery|launch|subscription|payment|lease)|erhöht|verlangt|liefert|verkauft|übernimmt|kündigt|storniert|livre|facture|termine|rembourse|augmente|envoie|propose|cobra(?:do|n)?|sirve|trae|vende|entrega|factura|sube|baja)(?!\p{L})/iu
/** "das Material übernimmt": a noun. */
const ARTICLE =
  /$(?<=(?<!\p{L})(?:d(?:er|ie|as|en|em|es)|k?eine?[rnms]?|[mds]eine?[rnms]?|unsere?[rnms]?|ihre?[rnms]?|diese[rnms]?|im|am|zum|zur|vom|beim|the|an?|le|la|les|un|une|el|los|las|una) )/iu
/** "wants 2,400 cases": only who orders or pays does that by number. */
const ORDERS =
  /^ (?:(?:wants?|needs?|ordered|orders|pays?|paid|offers?|offered|asks?|asked|gives?|gave|granted) (?:for )?(?:us )?[€$£]?\d|turned us down)/u
/** "Delyth (Cardiff Met)" */
const IN_BRACKETS = /$(?<=(?<!\p{L})(\p{Lu}[\p{L}’'-]+)(?: \p{Lu}[\p{L}’'-]+)? \()/u
/** "out, Potclays, 4 min" of a list of calls */
const CALL =
  /$(?<=(?:^|[\s,])(?:in|out|incoming|outgoing|ein|aus|eingehend|ausgehend|entrant|sortant|entrante|saliente),? )/iu
const CALL_LENGTH = /^(?:,| line,| office,)? \(?\d{1,3} ?(?:min|m|Min|sec)/u
/** "Daniel Whitmore | Sales | Brockmann Kitchens": the last part of a card. */
const COMPANY_LINE =
  /$(?<=(?:^|\n)\p{L}[\p{L}.' -]{3,40} [|·•] [^|·•\n]{0,30}(?:Manager|Executive|Engineer|Director|Officer|Assistant|Head|Lead|Sales|Consultant|Designer|Developer|Architect|Editor|Accounts|Support|Vertrieb|Leitung|Leiter|Leiterin|Service)[^|·•\n]{0,30} [|·•] )/u
/** "bei der TU" */
const GERMAN_ACRONYM = /$(?<=(?<!\p{L})(?:bei der|beim|von der|vom|an der|zur|der) )/u
/** "Isla from Norwood Labels", "Olivier de chez Lafarge" */
const PERSON_OF =
  /$(?<=(?<![\p{L}])(\p{Lu}[\p{L}’'-]+)(?: \p{Lu}[\p{L}’'-]+)?,? (?:from|at|bei|von|vom|de chez|chez) (?:the |der )?)/u
/** French `chez` stands before people and firms alone. */
const CHEZ = /$(?<=(?<!\p{L})chez )/iu
const AT_ORGANIZATION =
  /$(?<=(?<!\p{L})(?:works?|worked|working|job|jobs|(?:hiring|promoted|role|shift|internship|apprenticeship|colleagues?|offer|interview|contract|order|parcel|refund|booking|reservation|appointment|subscription|policy|mortgage) (?:at|with|from)|[€$£]\d[\d.,]*k? (?:at|from)|\d ?(?:€|EUR|Euro|euros|円) (?:at|bei|von|chez|en)|(?:quote|offer|bid|estimate|invoice|bill|refund|loan) (?:of|for|over) [€$£]?\d[\d.,]*k? ?(?:€|EUR|pounds|euros|dollars)? (?:from|by|with|at)|paid [€$£]?[\d.,]*\d ?(?:€|EUR)? to|[€$£]\d[\d.,]* (?:paid )?to|(?:delivered|delivery|shipped|printed|supplied|installed|transport|sent|sold|made|catering|built|repaired|serviced) by|(?:transport|livraison|livrée?|expédiée?|imprimée?|installée?|posée?|fabriquée?|réparée?|enlèvement) par|(?:geliefert|gedruckt|repariert|eingebaut|hergestellt|transport|lieferung) (?:von|durch)|leaves?|leaving|left|quit|quits|quitting|joining|joins?|joined|hired by|fired by|account at|shop at|bought (?:it |them |one )?at|paid .{1,12} at|quitte|quitté|trabaja en|trabajo en|arbeitet bei|the scanner at|buyers? at|contact at|people at|(?:partner|director|manager|engineer|designer|head|lawyer|nurse|founder|CEO|CTO|intern|consultant|apprentice) at|been (?:at|with)|evaluat(?:e|es|ed|ing)|competitors? like|guys at|team at|folks at|\d+ (?:years?|months?) at|(?:we|they) (?:use|used|run|ran|have|had) at|someone (?:at|from)|somebody (?:at|from)|loan (?:at|from)|call(?:ed)? (?:the )?bank)(?: ))/iu

const BEFORE_SPOKEN_TO =
  /$(?<=(?<!\p{L})(?:ask(?:ed)?|remind(?:ed)?|thank(?:ed)?|tell|told|met|(?:thanks|according) to|(?:I|we|she|he|they|and|to|just|also|please|can you|could you|will|['’]ll) (?:call|called|rang|ring|text|texted|email|emailed|message|messaged|phone|phoned|invite|invited|hug|hugged)|cc|spoke (?:to|with)|chat(?:ted|ting)? (?:to|with)|met with|lunch with|dinner with|coffee with|spoken (?:to|with)|talk(?:ed)? (?:to|with)|pregunt\p{L}+ a|llam\p{L}+ a|dile a|dí(?:se)?l[oe] a|habl\p{L}+ con|demand\p{L}+ à|parl\p{L}+ (?:à|avec)|appel\p{L}+|preven(?:ir|u)|préviens) )/iu
/** What firms have: `called Brenk customer service`. */
const OFFICE =
  /^['’]?s? (?:customer (?:service|services|care|support)|tech support|support|help ?desk|hotline|call cent(?:re|er)|head office|reception|sales team|billing|Kundenservice|Kundendienst|service client|atención al cliente)(?!\p{L})/iu
/** What customers ask of firms: `asked Bulb for a refund`, `called Quill about my order`. */
const CONCERN =
  /^ (?:again )?(?:for|about) (?:an? |the |my |our )(?:(?:new|late|missing|final|full|broken) )?(?:refund|quote|replacement|order|delivery|parcel|subscription|meter|broadband|policy|warranty|bill|invoice|booking)(?!\p{L})/iu
const WRITTEN_BY =
  /$(?<=(?<!\p{L})(?:paper|book|article|novel|song|album|photo|painting|report|talk|lecture|column|poem|letter) (?:by|from) )/u
const AFTER_SPEAKER =
  /^(?:,? who | )(?:said|says|asked|thinks|told|agreed|mentioned|suggested|explained|promised|reckons|replied|answered|wrote|joked|admitted|insisted|swears|complained|apologi[sz]ed|phoned|texted|hat gesagt|meinte|sagte|fragte|schrieb|a dit|m['’]a dit|disait|dijo|me dijo|contó|sagt|meint|fragt|findet|dit|pense|dice|cree|opina|asegura)(?!\p{L})/u
/** `Ines's birthday` */
const AFTER_OWNER =
  /^['’]s? (?:(?:new|old|first|last|little|big|\d+(?:st|nd|rd|th)) )?(?:wife|husband|mum|mom|mother|dad|father|parents|son|daughter|kids?|sister|brother|boyfriend|girlfriend|teacher|birthday|wedding|funeral|surgery|knee|leg|arm|eyes?|homework|graduation)(?!\p{L})/u
/** Verbs of people; in text about programs, programs do these too. */
const AFTER_AGENT =
  /^ (?:can|can['’]t|could|won['’]t|has to|is going to|wants to|is coming|comes|knows|forgot|left|took|brought|broke|lost|lives|likes|loves|hates|is (?:sick|ill|away|off|late|busy|pregnant|engaged|married|moving|retiring)|and I|viene|vive|trae|llega tarde|está (?:enferm[oa]|de baja|malo?)|vient|habite|apporte|est (?:malade|absente?|en retard))(?!\p{L})/u
/** "two dudes named Keyring" */
const NAMED =
  /$(?<=(?<!\p{L})(?:guy|dude|man|woman|girl|boy|kid|friend|colleague|lady|person|teacher|doctor|neighbou?r)s? (?:named|called) )/u
/** "melden sich bei Hannelore Popp", "Owner: Dev Patel" in running text */
const CONTACT =
  /$(?<=(?<!\p{L})(?:meld\p{L}+ (?:sich |euch |dich )?bei|wend\p{L}+ (?:sich|euch) an|adress\p{L}+[- ]vous à|contacte[zr]?|names to|(?:[Oo]wner|[Aa]uthor|[Cc]ontact|[Rr]eviewer|[Aa]ssignee|[Ll]ead|[Mm]aintainer|[Oo]rgani[sz]er|[Hh]ost|[Ss]peaker|[Aa]nsprechpartner(?:in)?|[Aa]utor(?:in)?|[Ll]eitung|[Rr]esponsable):) )/u
/** "el perro de los Galdós" */
const FAMILY = /$(?<=(?<!\p{L})(?:de los|chez les|de chez les|bei den) )/u

const TO_PLACE =
  /$(?<=(?<!\p{L})(?:deliver(?:s|ed|y)? (?:it |them )?to|ship(?:s|ped)? to|your \d{1,2}:\d\d from|train from|bus from|flight from|depart(?:s|ing)? (?:from )?|driv(?:e|es|ing) (?:up |down |over )?to|(?:come|comes|came|coming|back) (?:over )?from|branch in|branches in|shop in|store in|clinic in|grand(?:ma|pa|mother|father) in|close|reopen|vers (?:la |le |l['’])?|près de|aux environs de|cerca de|visit(?:ed)? to|(?:ferry|bus|boat|way|road|trip|tickets?|flights?|run|walk|hike|cycled|walked|went|going|off|heading|headed|return(?:s|ed)?) to|arriv(?:e|es|ed|ing) (?:in|at)|gare de|chez .{1,20} à|llega a|vive en|tienda en|local de|local en|piso en|casa en) )/iu
const IN = /$(?<=(?<!\p{L})(?:in|near) )/u
const AFTER_PLACE =
  /^(?:,? [A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}(?!\p{L})|, (?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])(?!\p{L})| (?:branch|office|site|depot|warehouse|store|station|campus|plant) (?:in|at|is|was|has|can|will|closes|opens|failed|twice|on|until|from|for|again|team|roof|heating))/u
/** A postal code: `13004 Marseille`, `A-5020 Salzburg`. */
const POSTAL_CODE = /$(?<=(?<![\d.,€$£])(?:[A-Z]{1,2}-)?\d{4,5} )/u
/** "Glasgow to Kirkwall", of a journey. */
const JOURNEY = /$(?<=(?:\p{Lu}\p{L}+(?: \([A-Z]{3}\))? (?:to|nach|à|a|–|-|—|→) ))/u

/** The kind in lower case that belongs to a name, with the type that it states. */
export function kindBefore(
  before: string,
): { readonly kind: string; readonly type: 'organization' | 'place' | 'project' } | undefined {
  const organization = ORGANIZATION_KIND.exec(before)?.[1]
  if (organization) return { kind: organization, type: 'organization' }
  const place = (PLACE_KIND.exec(before) ?? STREET_AFTER_PREPOSITION.exec(before))?.[1]
  if (place) return { kind: place, type: 'place' }
  const project = PROJECT_KIND.exec(before)?.[1]
  return project ? { kind: project, type: 'project' } : undefined
}

/** Whether the words around a name treat it as a company or an institution. */
export function isCuedOrganization(before: string, after: string, isGiven: (word: string) => boolean): boolean {
  if (BEFORE_ORGANIZATION.test(before) || ORDERS.test(after)) return true
  if (AFTER_ORGANIZATION.test(after) && !ARTICLE.test(before)) return true
  if (BEFORE_SPOKEN_TO.test(before) && (OFFICE.test(after) || CONCERN.test(after))) return true
  if (CALL.test(before) && CALL_LENGTH.test(after)) return true
  if (COMPANY_LINE.test(before)) return true
  return CHEZ.test(before) || AT_ORGANIZATION.test(before) || isEmployer(before, isGiven)
}

/** "Isla from Norwood Labels": certain enough for a name that begins like that of a person. */
export function isEmployer(before: string, isGiven: (word: string) => boolean): boolean {
  const person = (PERSON_OF.exec(before) ?? IN_BRACKETS.exec(before))?.[1]
  return person !== undefined && isGiven(person)
}

/** "bei der TU": an institution by its letters. */
export function isGermanAcronym(name: string, before: string): boolean {
  return /^[A-ZÄÖÜ]{2,5}$/.test(name) && GERMAN_ACRONYM.test(before)
}

/** A German place by the end of its name, after "in", "nach" or "aus" without an article. */
export function isGermanPlace(name: string, before: string): boolean {
  return (
    /(?<!\p{L})(?:in|aus|nach|bei|Richtung|ab|bis) $/u.test(before) &&
    /^\p{Lu}\p{Ll}{2,}(?:berg|burg|dorf|heim|hausen|stadt|städt|furt|felde|feld|bach|brück|brücken|kirchen|hofen|ingen|ungen|wald|walde|tal|hafen|münde|leben|rode|roda|stedt|büttel|horst|ow|itz|nitz|witz)$/u.test(
      name,
    )
  )
}

/** Whether the words around a name treat it as a person: `ask Colm`, `Galdós dice`. */
export function isCuedPerson(before: string, after: string): boolean {
  return (
    BEFORE_SPOKEN_TO.test(before) ||
    WRITTEN_BY.test(before) ||
    AFTER_SPEAKER.test(after) ||
    AFTER_OWNER.test(after) ||
    FAMILY.test(before)
  )
}

/** "A woman named Big Lee": certain for any number of words. */
export function isNamedPerson(before: string): boolean {
  return NAMED.test(before)
}

/** Whether a name of two words is that of the person to contact. */
export function isContact(before: string): boolean {
  return CONTACT.test(before)
}

/** `Iestyn can do the posters` */
export function isAgent(after: string): boolean {
  return AFTER_AGENT.test(after)
}

/** Whether the words around a name treat it as a place; of several words, fewer cues count: "moved to Helm Charts". */
export function isCuedPlace(before: string, after: string, isOneWord: boolean): boolean {
  if (BEFORE_PLACE.test(before) || AFTER_PLACE.test(after) || POSTAL_CODE.test(before)) return true
  return isOneWord && TO_PLACE.test(before)
}

/** Whether only "in" stands before a name, which in prose is mostly a place. */
export function isIn(before: string): boolean {
  return IN.test(before)
}

export function isJourney(before: string): boolean {
  return JOURNEY.test(before)
}

export function isCuedProduct(before: string): boolean {
  return BEFORE_PRODUCT.test(before)
}
