/** How well it fits, of 100. */
export function ScoreBar({ score }: { readonly score: number }) {
  const percent = Math.round(score * 100)
  return (
    <span className="flex shrink-0 items-center gap-2" title={`Fits ${percent} of 100`}>
      <span className="sr-only">Fits {percent} of 100</span>
      <span aria-hidden className="bg-raised h-1.5 w-14 overflow-hidden rounded-full">
        <span className="bg-accent block h-full rounded-full" style={{ width: `${percent}%` }} />
      </span>
      <span aria-hidden className="w-6 text-right text-xs tabular-nums">
        {percent}
      </span>
    </span>
  )
}
