/** What a question asks for, as far as its words say so. */
export type AnswerKind =
  | 'time'
  | 'duration'
  | 'money'
  | 'number'
  | 'code'
  | 'reason'
  | 'speaker'
  | 'person'
  | 'place'
  | 'yes-no'
  | 'list'
  | 'other'

const KINDS: readonly (readonly [AnswerKind, RegExp])[] = [
  [
    'time',
    /^\W*(?:and |so )?(?:when|(?:since|until|till|by) when)\b|\b(?:what|which) (?:day|date|month|year|time)\b|\bhow long ago\b|\b(?:since|until) when\b|\bhow (?:soon|late|early)\b/i,
  ],
  ['duration', /\bhow (?:long|many (?:seconds|minutes|hours|days|weeks|months|years))\b|\bhow much time\b/i],
  [
    'money',
    /\bhow (?:much|expensive|cheap)\b.*\b(?:costs?|pay|paid|spen[dt]|charged?|earn(?:ed)?|worth|rent|owe[ds]?|save[ds]?)\b|\bhow (?:expensive|cheap)\b|\b(?:what|which)\b.*\b(?:price|fee|costs?|rent|salary|budget|rate|amount|charged?|pa(?:y|id))\b/i,
  ],
  [
    'code',
    /\b(?:what|which)\b.*\b(?:code|password|pin|number|plate|serial|version|id|ip|port|e-?mail|address of \w+@|url|link)\b(?! of (?:people|times|hours))/i,
  ],
  [
    'number',
    /\bhow (?:many|much|often|old|far|big|large|high|tall)\b|\bwhat (?:number|amount|price|share|percentage)\b/i,
  ],
  ['reason', /^\W*(?:and |so |but )?why\b|\b(?:reasons?|how come)\b/i],
  [
    'speaker',
    /^\W*(?:and |so )?who(?: else)? (?:said|says|told|tells|wrote|writes|asked|asks|suggested|proposed|mentioned|reported|announced|promised|offered|recommended|complained|thinks|thought)\b/i,
  ],
  ['person', /^\W*(?:and |so )?(?:who|whose|whom|(?:with|from|to|by) whom)\b/i],
  [
    'place',
    /^\W*(?:and |so )?where\b|\b(?:what|which) (?:city|town|country|place|state|location|venue|restaurant|caf[eé]|hotel|shop|room|address|channel|file|folder)\b/i,
  ],
  [
    'yes-no',
    /^\W*(?:and |so |but )?(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|might|isn't|aren't|wasn't|didn't|doesn't|don't|hasn't|haven't)\b/i,
  ],
  [
    'list',
    /^\W*(?:list|which (?!one\b)\w+s\b)|\bwhat (?!(?:is|was|does|did|has)\b)(?:(?:kinds?|types?|sorts?) of )?\w+s\b(?! name\b)|\b(?:everything|every|all (?:the|my|of))\b/i,
  ],
]

/** The first kind whose words the question has; `other` when none fits. */
export function answerKind(question: string): AnswerKind {
  return KINDS.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other'
}
