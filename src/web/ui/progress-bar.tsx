import { Progress } from '@base-ui/react/progress'

/** @param value progress towards `most`; `null` if unknown */
export function ProgressBar({
  label,
  value,
  most,
}: {
  readonly label: string
  readonly value: number | null
  readonly most: number
}) {
  return (
    <Progress.Root value={value} max={Math.max(1, most)} aria-label={label}>
      <Progress.Track className="bg-raised relative block h-1.5 overflow-hidden rounded-full">
        <Progress.Indicator className="bg-accent block h-full rounded-full transition-[width] duration-300 data-indeterminate:w-1/3 data-indeterminate:animate-pulse" />
      </Progress.Track>
    </Progress.Root>
  )
}
