import type { OcrPage } from './ocr.ts'

/** Columns of the output `tsv`. A row is a word if its level is 5. */
const [LEVEL, PAGE, BLOCK, PARAGRAPH, LINE] = [0, 1, 2, 3, 4]
const [CONFIDENCE, TEXT] = [10, 11]
const WORD = '5'
/** Below this confidence, a word or paragraph is a drawing or a stain. */
const LEAST_CONFIDENCE = 30

interface Word {
  readonly line: string
  readonly text: string
  readonly confidence: number
}

/** The pages in the output `tsv` of tesseract, also those without text. */
export function readTsv(tsv: string): OcrPage[] {
  const pages = new Map<string, Map<string, Word[]>>()
  for (const row of tsv.split('\n')) {
    const cells = row.split('\t')
    const page = cells[PAGE]
    if (page === undefined || !/^\d+$/.test(page)) continue
    const paragraphs = pages.get(page) ?? new Map<string, Word[]>()
    pages.set(page, paragraphs)
    const text = cells[TEXT]?.trim() ?? ''
    if (cells[LEVEL] !== WORD || text === '') continue
    const key = `${cells[BLOCK]} ${cells[PARAGRAPH]}`
    const words = paragraphs.get(key) ?? []
    words.push({ line: `${cells[LINE]}`, text, confidence: Number(cells[CONFIDENCE]) })
    paragraphs.set(key, words)
  }
  return [...pages.values()].map((paragraphs) => pageOf([...paragraphs.values()]))
}

function pageOf(paragraphs: readonly (readonly Word[])[]): OcrPage {
  const kept = paragraphs.filter((words) => meanConfidence(words) >= LEAST_CONFIDENCE && hasWord(words))
  return { paragraphs: kept.map(paragraphText), confidence: Math.round(meanConfidence(kept.flat())) }
}

function hasWord(words: readonly Word[]): boolean {
  return words.some(({ text }) => /[\p{L}\p{N}]{2}/u.test(text))
}

function meanConfidence(words: readonly Word[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  return letters === 0 ? 0 : words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters
}

/** Lines joined by spaces; a hyphen between two lower-case letters at a line end comes from typesetting. */
function paragraphText(words: readonly Word[]): string {
  let text = ''
  for (const [at, word] of words.entries()) {
    const isNewLine = at > 0 && words[at - 1]?.line !== word.line
    if (isNewLine && /\p{Ll}[-\u2010]$/u.test(text) && /^\p{Ll}/u.test(word.text)) text = text.slice(0, -1) + word.text
    else text += at === 0 ? word.text : ` ${word.text}`
  }
  return text
}
