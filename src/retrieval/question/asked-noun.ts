/** `What foreign language is`, `Which kinds of sport does`: at most three words, up to what the question says of it. */
const CATEGORY =
  /\b(?:what|which) (?:(?:kinds?|types?|sorts?|breeds?) of )?((?:\p{L}[\p{L}-]* ){0,2}?\p{L}[\p{L}-]*) (?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|must|may|might|[\p{L}]+n['’]t|I|we|you|he|she|they|my|our|to)\b/iu

/** The words of what a question asks for one of, as `foreign language`; empty for other questions. */
export function askedNoun(question: string): readonly string[] {
  return CATEGORY.exec(question)?.[1]?.split(' ') ?? []
}
