/** As it stands in sentences: `"recalld connect google"`. */
export function connectCommand(provider: string): string {
  return `"recalld connect ${provider}"`
}
