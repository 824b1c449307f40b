import type { MethodOptions } from 'googleapis/build/src/apis/docs/index.js'
import type { z } from 'zod'
import type { DriveFile } from './drive-answers.ts'
import type { DriveSource } from './drive-source.ts'

/** What is needed to read the content of documents. */
export type EditorSource = Pick<DriveSource, 'gateway' | 'api'>

/** The response of an editor's API; `undefined` when it rejects the file, so that an export can be tried. */
export function editorAnswer<T>(
  { gateway, api }: EditorSource,
  { name }: DriveFile,
  request: {
    readonly title: string
    readonly answer: z.ZodType<T>
    readonly send: (options: MethodOptions) => Promise<{ readonly data: unknown }>
  },
): Promise<T | undefined> {
  return gateway.find({ ...request, asked: `"${name}"` }, (refusal) => api.isRefused(refusal))
}
