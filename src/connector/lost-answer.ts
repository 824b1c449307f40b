import { problemSentence } from '../domain/source-problems.ts'
import { SourceError } from './source-error.ts'

/** A request without an answer that can be read. */
interface LostAnswer {
  /** Of the source: `Linear`. */
  readonly title: string
  /** For the log: `the issues of a team`. */
  readonly asked: string
  readonly cause?: unknown
}

/** The address does not answer. */
export function unreachable({ title, asked, cause }: LostAnswer): SourceError {
  return new SourceError('retry', problemSentence('unreachable', { host: title }), { request: asked, cause })
}

/** The answer did not come to its end. */
export function cutOff({ title, asked, cause }: LostAnswer): SourceError {
  return new SourceError('retry', problemSentence('cut_off', { title }), { request: asked, cause })
}

/** Redirects are not followed, because tokens are not sent elsewhere. They may be temporary: of a network that asks for a sign-in. */
export function redirected(host: string, { asked, cause }: Omit<LostAnswer, 'title'>): SourceError {
  return new SourceError('retry', problemSentence('redirected', { host }), { request: asked, cause })
}
