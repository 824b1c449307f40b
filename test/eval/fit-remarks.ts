import { writeFileSync } from 'node:fs'
import { packagePath } from '../../src/lib/files.ts'
import { isChatter } from '../../src/pipeline/extract/salience.ts'
import { isLikelyRemark } from '../../src/pipeline/extract/small-talk/likely-remarks.ts'
import { remarkFeatures } from '../../src/pipeline/extract/small-talk/remark-features.ts'
import { isRemark } from '../../src/pipeline/extract/small-talk/remarks.ts'
import { type LabelledRemark, readLabelledRemarks } from './extraction/labelled-remarks.ts'
import { fitLogistic } from './fit/logistic.ts'
import { type RemarkInput, remarkSamples, vectorInputs, type WordVectors, wordVectors } from './fit/remark-samples.ts'
import { tableHead, tableRow } from './table.ts'

// node test/eval/fit-remarks.ts [--fit] [--unseen]
// Counts by language how much of the labeled small talk is kept, and how much of the news is lost, by rules and with weights: of the half
// that the weights are fitted to, with --unseen of the other half, which no weight is fitted to.
// With --fit it fits first: it writes `models/words-en/remark-words.txt`, and prints the other weights, to be put into `remark-weights.ts`
// by hand; the counts are still of the weights there.

const PENALTY = 0.03

function writeWeights(vectors: WordVectors): void {
  const [first] = vectors.values()
  const ofVectors = Object.keys(vectorInputs(first!)) as `vector${number}`[]
  const names: RemarkInput[] = [...(Object.keys(remarkFeatures('')) as RemarkInput[]), ...ofVectors]
  const weights = fitLogistic(remarkSamples(vectors), names, {}, PENALTY)
  const lines = [...vectors].map(([word, vector]) => {
    const score = vector.reduce((sum, value, i) => sum + value * weights[ofVectors[i]!]!, 0)
    const squaredNorm = vector.reduce((sum, value) => sum + value * value, 0)
    return `${word} ${Math.round(score * 100)} ${Math.round(squaredNorm * 100)}\n`
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
