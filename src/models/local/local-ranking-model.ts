import type { RerankedPassage } from '../model.ts'
import type { OnnxModel } from '../onnx/onnx-model.ts'
import type { WordTokenizer } from '../static/static-embedder.ts'
import { FIRST_PIECE, LAST_PIECE, type Numbers, withGraph } from './local-model.ts'
import type { LocalModelFiles } from './local-models.ts'

/** Start data of a local reranker's process. */
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
 * Loads the reranker of an installed model in this process.
 *
 * @throws AppError `invalid` when it is not installed, or its files or the engine cannot be loaded
 */
export function loadLocalReranker({ model, files, threads }: LocalRerankerStart): Promise<OnnxModel> {
  return withGraph<{ readonly score: Numbers }>({ model, graph: files.reranker, files, threads }, (loaded) => {
    const { session, tensor, tokenizer, hash } = loaded
    const logitOf = async (question: readonly number[], passage: readonly number[]): Promise<number> => {
      const ids = tensor([...question, ...passage])
      const segments = tensor([...question.map(() => 0), ...passage.map(() => 1)])
      return (await session.run({ ids, segments })).score.data[0]!
    }
    return {
      digest: hash.digest('hex').slice(0, 12),
      dimensions: 1,
      async run(request) {
        if (request.type !== 'rerank') throw new TypeError('a reranker cannot embed')
        const question = [FIRST_PIECE, ...tokenizer.encode(request.query).slice(0, QUESTION_PIECES), LAST_PIECE]
        const relevances = new Float32Array(request.passages.length)
        for (const [row, passage] of request.passages.entries()) {
          relevances[row] = 1 / (1 + Math.exp(-(await logitOf(question, passagePieces(tokenizer, passage)))))
        }
        return relevances
      },
    }
  })
}

/** The end of what was said before, then the beginning of the passage. */
function passagePieces(tokenizer: WordTokenizer, { text, before }: RerankedPassage): number[] {
  const said = before === undefined ? [] : [...tokenizer.encode(before).slice(-BEFORE_PIECES), LAST_PIECE]
  return [...said, ...tokenizer.encode(text).slice(0, PASSAGE_PIECES), LAST_PIECE]
}
