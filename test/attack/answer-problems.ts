import type { RawAnswer } from '../lib/http-call.ts'

export interface AnswerFacts extends RawAnswer {
  readonly method: string
  readonly isDamaged: boolean
  readonly area: 'v1' | 'app' | 'mcp' | 'pages'
}

/** What is wrong with an answer, whatever was asked: none, a failure of the server, or a refusal without a reason. */
export function answerProblems({ status, head, body, method, isDamaged, area }: AnswerFacts): string[] {
  if (status === undefined) return isDamaged ? [] : ['no answer']
  const isBusy = status === 503 && /\r\nretry-after: \d+/i.test(head)
  if (status >= 500 && !isBusy) return [`answered ${status}: ${body.slice(0, 200)}`]
  if (status < 400 || method === 'HEAD') return []
  const text = /\r\ntransfer-encoding: chunked/i.test(head) ? unchunked(body) : body
  const reason = reasonOf(text)
  if (reason === undefined) return [`answered ${status} without a reason: ${text.slice(0, 200)}`]
  if (/ {4}at .*:\d+|node_modules|SQLITE|\/src\//.test(text))
    return [`${status} shows the inside: ${text.slice(0, 200)}`]
  return area === 'mcp' || reason.isDetail ? [] : [`answered ${status} without "detail": ${text.slice(0, 200)}`]
}

function reasonOf(text: string): { readonly isDetail: boolean } | undefined {
  try {
    const answer = JSON.parse(Buffer.from(text, 'latin1').toString()) as { detail?: unknown; error?: unknown }
    const isDetail = typeof answer.detail === 'string' && answer.detail.trim() !== ''
    return isDetail || answer.error !== undefined ? { isDetail } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function unchunked(body: string): string {
  let text = ''
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, end), 16)
    if (end < 0 || !(size > 0)) return text
    text += body.slice(end + 2, end + 2 + size)
    at = end + 2 + size + 2
  }
}
