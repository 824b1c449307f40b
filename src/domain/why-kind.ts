/** What a score is made of, in the order in which people are told. */
export const WHY_KINDS = [
  /** Words of the question in the text itself, also side by side. */
  'words',
  /** Words of the question in the speaker, the heading or the date. */
  'names',
  /** Likeness of meaning, by tokens and by vector. */
  'meaning',
  /** What stands before and after it. */
  'around',
  /** It lies in the time that the question names. */
  'time',
  /** It holds the kind of words that such a question asks for: of time for "when". */
  'answer',
  /** The person who is asked about tells of themselves. */
  'self',
  /** How long it is. */
  'length',
  /** The question names its source. */
  'source',
  /** What a reranker says of it. */
  'reranker',
  /** It stands where what it replaces stood, or behind what replaces it. */
  'update',
] as const
export type WhyKind = (typeof WHY_KINDS)[number]
