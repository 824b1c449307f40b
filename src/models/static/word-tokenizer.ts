import { Tokenizer } from '@huggingface/tokenizers'

/** Words in each of the two generations of the cache. */
const CACHE_GENERATION = 30_000
const MAX_CACHED_LENGTH = 64
const PRINTABLE_ASCII = /^[\t\n\r\x20-\x7e]*$/
// In ASCII, the BERT pre-tokenizer cuts exactly here: at spaces and around each mark of punctuation.
const ASCII_PIECE = /[A-Za-z0-9]+|[^\sA-Za-z0-9]/g
const SPACED_PIECE = /\S+/g

/** Token ids of texts by a BERT WordPiece tokenizer, cached by word, which gives the same ids many times faster. */
export class WordTokenizer {
  readonly #tokenizer: Tokenizer
  #recent = new Map<string, readonly number[]>()
  #older = new Map<string, readonly number[]>()

  /** @param definition content of a `tokenizer.json` without special tokens around a text */
  constructor(definition: object) {
    this.#tokenizer = new Tokenizer(definition, {})
  }

  encode(text: string): number[] {
    const ids: number[] = []
    const isAscii = PRINTABLE_ASCII.test(text)
    for (const [spaced] of isAscii ? [[text]] : text.matchAll(SPACED_PIECE)) {
      if (!isAscii && !PRINTABLE_ASCII.test(spaced!)) this.#append(spaced!, ids)
      else for (const piece of spaced!.match(ASCII_PIECE) ?? []) this.#append(piece, ids)
    }
    return ids
  }

  #append(piece: string, ids: number[]): void {
    const known = this.#recent.get(piece) ?? this.#remember(piece)
    for (const id of known) ids.push(id)
  }

  #remember(piece: string): readonly number[] {
    const ids = this.#older.get(piece) ?? this.#tokenizer.encode(piece).ids
    if (piece.length > MAX_CACHED_LENGTH) return ids
    if (this.#recent.size >= CACHE_GENERATION) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    // The piece is a slice of a document; a copy as key does not keep the document in memory.
    this.#recent.set(Buffer.from(piece, 'utf8').toString('utf8'), ids)
    return ids
  }
}
