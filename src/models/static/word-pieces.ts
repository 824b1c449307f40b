import { z } from 'zod'

/** What a `tokenizer.json` must say for `createWordPieces`; other values behave differently. */
const uncasedWordPiece = z.looseObject({
  added_tokens: z.array(z.looseObject({ content: z.string() })),
  normalizer: z.looseObject({ type: z.literal('BertNormalizer'), lowercase: z.literal(true) }),
  pre_tokenizer: z.looseObject({ type: z.literal('BertPreTokenizer') }),
  model: z.looseObject({
    type: z.literal('WordPiece'),
    unk_token: z.string(),
    continuing_subword_prefix: z.string(),
    max_input_chars_per_word: z.int(),
    // Not checked entry by entry: there are 40,000.
    vocab: z.custom<Readonly<Record<string, number>>>((given) => typeof given === 'object' && given !== null),
  }),
})

/** One piece of ASCII, as the pre-tokenizer cuts it. */
const PIECE = /^(?:[A-Za-z0-9]+|[!-~])$/

/**
 * Ids of one ASCII piece (letters and digits, or one mark) in an uncased BERT vocabulary, as the library finds them, but
 * without its two copies of the vocabulary, which take 60 ms to build in each thread.
 * @returns `undefined` for other kinds of tokenizers
 */
export function createWordPieces(definition: object): ((piece: string) => number[]) | undefined {
  const { data } = uncasedWordPiece.safeParse(definition)
  if (data === undefined || data.added_tokens.some(({ content }) => PIECE.test(content))) return undefined
  const { vocab, unk_token, continuing_subword_prefix: prefix, max_input_chars_per_word: longest } = data.model
  const idOf = (token: string) => (Object.hasOwn(vocab, token) ? vocab[token] : undefined)
  const unknown = idOf(unk_token)
  if (unknown === undefined) return undefined
  return (piece) => {
    if (piece.length > longest) return [unknown]
    const word = piece.toLowerCase()
    const ids: number[] = []
    let start = 0
    while (start < word.length) {
      const pieceTo = (end: number) => (start > 0 ? prefix : '') + word.slice(start, end)
      let end = word.length
      while (end > start && idOf(pieceTo(end)) === undefined) end--
      if (end === start) return [unknown]
      ids.push(idOf(pieceTo(end))!)
      start = end
    }
    return ids
  }
}
