/** Lines of a made-up Claude Code session, each with the one before it as its parent. */
export function claudeSession(name: string, folder = '/home/ada/shop', hour = 9) {
  let parent: string | null = null
  let count = 0
  const line = (type: string, fields: Record<string, unknown>) => {
    count += 1
    const uuid = `${name}-${count}`
    const minute = new Date(Date.UTC(2026, 2, 4, hour, count)).toISOString()
    const value = { type, uuid, parentUuid: parent, sessionId: name, cwd: folder, timestamp: minute, ...fields }
    parent = uuid
    return value
  }
  return {
    user: (text: string, fields: Record<string, unknown> = {}) =>
      line('user', { message: { role: 'user', content: text }, ...fields }),
    assistant: (...content: readonly (string | Record<string, unknown>)[]) =>
      line('assistant', {
        message: {
          id: `answer-${name}-${count}`,
          role: 'assistant',
          content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
        },
      }),
    call: (id: string, tool: string, input: unknown) => ({ type: 'tool_use', id, name: tool, input }),
    result: (id: string, content: unknown) =>
      line('user', { message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] } }),
    other: (type: string, fields: Record<string, unknown>) => line(type, fields),
    /** So many prompts with an answer each. */
    exchanges(from: number, to: number) {
      const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at)
      return numbers.flatMap((number) => [
        this.user(`Prompt ${number} of ${name}.`),
        this.assistant(`Answer ${number}.`),
      ])
    },
  }
}
