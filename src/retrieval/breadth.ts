/**
 * `fact`: one turn can answer. `stretch`: the answer is spread over a stretch of talk, as what was discussed, thought or
 * decided is; so is what a long message is about, which is searched for as a whole.
 */
export type Breadth = 'fact' | 'stretch'

/** A question of so many terms is a message that was pasted: median 13 terms, against 4 to 6 of questions. */
const LONG = 9
const ASKS_FOR_FACT =
  /^\W*(?:when|where|who|whose|which|how (?:many|much|often|old|long)|what (?:kind|type|year|month|day|date|time|color|colour|book|movie|film|city|country|place|name)s?)\b/i
const ASKS_FOR_TALK = new RegExp(
  `\\b(?:${[
    'summar(?:y|ies|i[sz]e[sd]?|i[sz]ing)|overview|recap',
    'discuss(?:ed|es|ing|ions?)?|debat(?:e[sd]?|ing)|conversations?|talk(?:ed|ing|s)? (?:about|of|over)|sa(?:id|ys?) about',
    'opinions?|views?|attitudes?|thoughts?|think|thought|feel|felt|concern(?:s|ed)?',
    'decisions?|decide[sd]?|conclu(?:de[sd]?|sions?)|agree[sd]?|agreements?|disagree[sd]?|argu(?:e[sd]?|ments?)',
    'explain(?:ed|s)?|describe[sd]?|introduce[sd]?|propos(?:e[sd]?|als?)|suggest(?:ed|s|ions?)?|recommend(?:ed|s|ations?)?',
    'plan(?:s|ned|ning)?|reasons?|pros|cons|(?:dis)?advantages?|problems?|issues?|why',
  ].join('|')})\\b`,
  'i',
)

/** @param termCount distinct terms of the question */
export function breadthOf(question: string, termCount: number): Breadth {
  if (ASKS_FOR_FACT.test(question)) return 'fact'
  return termCount >= LONG || ASKS_FOR_TALK.test(question) ? 'stretch' : 'fact'
}
