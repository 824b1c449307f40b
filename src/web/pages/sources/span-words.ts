/** A time span, as `2 min 5 s`. */
export function spanWords(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 1) return ms > 0 ? 'less than 1 s' : '0 s'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
