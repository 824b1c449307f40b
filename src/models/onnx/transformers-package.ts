import { AppError } from '../../domain/errors.ts'
import { missingPackage } from '../missing-package.ts'

/** As much of `@huggingface/transformers` as is used. It is installed by those who want it, so its own types may be absent. */
export interface TransformersPackage {
  readonly env: {
    logLevel: number
    allowLocalModels: boolean
    allowRemoteModels: boolean
    cacheDir: string | null
    remoteHost: string
  }
  readonly LogLevel: { readonly NONE: number }
  readonly AutoTokenizer: { from_pretrained(model: string, options: object): Promise<Tokenizer> }
  readonly AutoModelForSequenceClassification: { from_pretrained(model: string, options: object): Promise<Classifier> }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<FeatureExtractor>
}

export interface Tensor {
  readonly dims: readonly number[]
  readonly data: ArrayLike<number>
}

export interface Disposable {
  dispose(): Promise<unknown>
}

export interface FeatureExtractor extends Disposable {
  (texts: readonly string[], options: { pooling: 'mean' | 'cls' }): Promise<Tensor>
}

export type Tokenizer = (
  texts: readonly string[],
  options: { text_pair: readonly string[]; padding: true; truncation: true },
) => object

export interface Classifier extends Disposable {
  (inputs: object): Promise<{ readonly logits: Tensor }>
}

export const TRANSFORMERS_PACKAGE = '@huggingface/transformers'

const OFFLINE =
  'On a machine without internet access, set ONNXRUNTIME_NODE_INSTALL=skip for that, so that its install script downloads nothing.'

/**
 * @param address of the package: its name, or that of a module elsewhere
 * @throws AppError `invalid` when it is not installed, or cannot be loaded
 */
export async function loadTransformers(address: string): Promise<TransformersPackage> {
  try {
    return await import(address)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      throw new AppError('invalid', `${missingPackage('onnx', TRANSFORMERS_PACKAGE)} ${OFFLINE}`)
    }
    const reason = error.message.split('\n', 1)[0]
    throw new AppError(
      'invalid',
      `${TRANSFORMERS_PACKAGE} cannot be loaded (${reason}): install it again with --include=optional.`,
    )
  }
}
