import { writeFileSync } from 'node:fs'
import { packagePath } from '../../src/lib/files.ts'
import { isChatter } from '../../src/pipeline/extract/salience.ts'
import { isLikelyRemark } from '../../src/pipeline/extract/small-talk/likely-remarks.ts'
import { remarkSigns } from '../../src/pipeline/extract/small-talk/remark-signs.ts'
import { isRemark } from '../../src/pipeline/extract/small-talk/remarks.ts'
import { type LabelledRemark, readLabelledRemarks } from './extraction/labelled-remarks.ts'
import { fitLogistic } from './fit/logistic.ts'
import { type RemarkInput, remarkSamples, vectorInputs, type WordVectors, wordVectors } from './fit/remark-samples.ts'
import { tableHead, tableRow } from './table.ts'

// node test/eval/fit-remarks.ts [--fit] [--unseen]
// Prints which labeled remarks are kept, and which news are lost, by rules and with weights. `--unseen`: of the half that is looked at once.
// `--fit` fits the weights first: it writes `models/words-en/remark-words.txt` and prints those of `remark-weights.ts`.

const PENALTY = 0.03

function writeWeights(vectors: WordVectors): void {
  const [first] = vectors.values()
  const ofVectors = Object.keys(vectorInputs(first!)) as `vector${number}`[]
  const names: RemarkInput[] = [...(Object.keys(remarkSigns('')) as RemarkInput[]), ...ofVectors]
  const weights = fitLogistic(remarkSamples(vectors), names, {}, PENALTY)
  const lines = [...vectors].map(([word, vector]) => {
    const tone = vector.reduce((sum, value, i) => sum + value * weights[ofVectors[i]!]!, 0)
    const squares = vector.reduce((sum, value) => sum + value * value, 0)
    return `${word} ${Math.round(tone * 100)} ${Math.round(squares * 100)}\n`
  })
  writeFileSync(packagePath('models/words-en/remark-words.txt'), lines.join(''))
  const others = Object.entries(weights).filter(([name]) => !name.startsWith('vector'))
  process.stdout.write(`${JSON.stringify(Object.fromEntries(others), null, 2)}\n`)
}

function report(half: 'fit' | 'unseen'): string {
  const remarks = readLabelledRemarks(half)
  const rows = [...new Set(remarks.map(({ language }) => language))].map((language) => {
    const own = remarks.filter((remark) => remark.language === language)
    const chatter = own.filter((remark) => remark.isChatter)
    const news = own.filter((remark) => !remark.isChatter)
    return [
      `${half}, ${language}`,
      `${chatter.filter((remark) => !isRuled(remark)).length} of ${chatter.length}`,
      `${chatter.filter((remark) => !isDropped(remark)).length} of ${chatter.length}`,
      `${news.filter(isRuled).length} of ${news.length}`,
      `${news.filter(isDropped).length} of ${news.length}`,
    ]
  })
  const head = ['sentences', 'chatter kept by rules', 'with weights', 'news lost by rules', 'with weights']
  return [...tableHead(head), ...rows.map(tableRow)].join('\n')
}

function isRuled({ text, language }: LabelledRemark): boolean {
  return isChatter(text) || (language === 'english' && isRemark(text))
}

function isDropped(remark: LabelledRemark): boolean {
  return isRuled(remark) || isLikelyRemark(remark.text, remark.language === 'english')
}

if (process.argv.includes('--fit')) writeWeights(wordVectors())
process.stdout.write(`${report(process.argv.includes('--unseen') ? 'unseen' : 'fit')}\n`)
