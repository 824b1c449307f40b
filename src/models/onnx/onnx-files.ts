import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../domain/errors.ts'

/** What the package appends to `model` in the names of files, by dtype. */
export const FILE_SUFFIXES = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
} as const
export type Dtype = keyof typeof FILE_SUFFIXES

/** Where the files of a model lie once it is loaded. */
export interface ModelPlace {
  /** What the package is given: an absolute path, or a name of the hub. */
  readonly name: string
  readonly isFolder: boolean
  /** Its files, once it is loaded. */
  readonly folder: string
}

/** A path begins with `/`, `./`, `../`, `~/` or a drive letter; anything else is a name of the hub. */
export function modelPlace(model: string, cacheFolder: string): ModelPlace {
  if (!/^(\.{0,2}[/\\]|~[/\\]|[A-Za-z]:[/\\])/.test(model)) {
    return { name: model, isFolder: false, folder: join(cacheFolder, model) }
  }
  const folder = resolve(model.replace(/^~(?=[/\\])/, () => homedir()))
  return { name: folder, isFolder: true, folder }
}

/**
 * The folder below the model's in which its .onnx files lie: most often `onnx`.
 *
 * @throws AppError `invalid` when the file of a dtype is not there
 */
export function onnxSubfolder({ folder, isFolder }: ModelPlace, dtype: Dtype): string {
  if (!isFolder) return 'onnx'
  const file = `model${FILE_SUFFIXES[dtype]}.onnx`
  const found = ['onnx', ''].find((subfolder) => existsSync(join(folder, subfolder, file)))
  if (found !== undefined && existsSync(join(folder, 'config.json'))) return found
  const missing = found === undefined ? join('onnx', file) : 'config.json'
  throw new AppError(
    'invalid',
    `${folder} holds no ${missing}: name the folder of an ONNX model, and a dtype that it has.`,
  )
}

/** Over everything that decides what the model computes. */
export async function digestOfFiles({ folder }: ModelPlace, subfolder: string, dtype: Dtype): Promise<string> {
  const weights = `model${FILE_SUFFIXES[dtype]}.onnx`
  const files = [
    ...['config.json', 'tokenizer.json', 'tokenizer_config.json'].filter((name) => existsSync(join(folder, name))),
    // Large models keep their weights in files beside it.
    ...readdirSync(join(folder, subfolder))
      .filter((name) => name.startsWith(weights))
      .sort()
      .map((name) => join(subfolder, name)),
  ]
  const hash = createHash('sha256')
  for (const file of files) await pipeline(createReadStream(join(folder, file)), hash, { end: false })
  return hash.digest('hex').slice(0, 12)
}
