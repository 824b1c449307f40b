import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { AppError } from '../../domain/errors.ts'
import type { RerankedPassage } from '../model.ts'
import type { OnnxModel } from '../onnx/onnx-model.ts'
import { WordTokenizer } from '../static/static-embedder.ts'
import { bareTokenizer, FIRST_PIECE, LAST_PIECE, loadEngine } from './local-model.ts'
import type { LocalModelFiles } from './local-models.ts'

/** Start data of a local reranker's thread. */
export interface LocalRerankerStart {
  readonly task: 'local reranker'
  readonly model: string
  readonly files: LocalModelFiles
  readonly threads: number
}

/** Maximum word pieces of each part of a pair, as in its training. */
const QUESTION_PIECES = 32
const BEFORE_PIECES = 34
const PASSAGE_PIECES = 108

/**
 * Loads the reranker of an installed model on this thread.
 *
 * @throws AppError `invalid` when it is not installed, or its files or the engine cannot be loaded
 */
export async function loadLocalReranker({ model, files, threads }: LocalRerankerStart): Promise<OnnxModel> {
  const again = `Run \`recalld models add ${model}\`.`
  if (!existsSync(files.reranker)) throw new AppError('invalid', `The reranker of ${model} is not installed. ${again}`)
  try {
    const graph = readFileSync(files.reranker)
    const definition = readFileSync(files.tokenizer)
    const { InferenceSession, Tensor } = loadEngine<{ readonly score: { readonly data: Float32Array } }>(files.engine)
    const options = { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 4 }
    const session = await InferenceSession.create(graph, options)
    const tokenizer = new WordTokenizer(bareTokenizer(definition.toString('utf8')))
    const scoreOf = async (question: readonly number[], passage: readonly number[]): Promise<number> => {
      const ids = BigInt64Array.from([...question, ...passage], BigInt)
      const segments = BigInt64Array.from([...question.map(() => 0n), ...passage.map(() => 1n)])
      const shape = [1, ids.length]
      const inputs = { ids: new Tensor('int64', ids, shape), segments: new Tensor('int64', segments, shape) }
      return (await session.run(inputs)).score.data[0]!
    }
    return {
      digest: createHash('sha256').update(graph).update(definition).digest('hex').slice(0, 12),
      dimensions: 1,
      async run(request) {
        if (request.type !== 'rerank') throw new TypeError('a reranker cannot embed')
        const question = [FIRST_PIECE, ...tokenizer.encode(request.query).slice(0, QUESTION_PIECES), LAST_PIECE]
        const relevances = new Float32Array(request.passages.length)
        for (const [row, passage] of request.passages.entries()) {
          relevances[row] = 1 / (1 + Math.exp(-(await scoreOf(question, passagePieces(tokenizer, passage)))))
        }
        return relevances
      },
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // The message names only files and paths.
    const reason = error.message.split('\n', 1)[0]
    throw new AppError('invalid', `The reranker of ${model} can't be loaded (${reason}). ${again}`)
  }
}

/** The end of what was said before, then the beginning of the passage. */
function passagePieces(tokenizer: WordTokenizer, { text, before }: RerankedPassage): number[] {
  const said = before === undefined ? [] : [...tokenizer.encode(before).slice(-BEFORE_PIECES), LAST_PIECE]
  return [...said, ...tokenizer.encode(text).slice(0, PASSAGE_PIECES), LAST_PIECE]
}
