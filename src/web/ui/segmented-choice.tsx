import { useId } from 'react'
import { classNames } from './class-names.ts'

/** A segmented control made of native radio buttons. */
export function SegmentedChoice<Value extends string>({
  label,
  value,
  options,
  onValue,
}: {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onValue: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className="bg-raised relative flex w-fit max-w-full min-w-0 gap-0.5 overflow-x-auto rounded-lg p-0.5 [scrollbar-width:none]">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            'flex min-h-8 shrink-0 cursor-pointer items-center rounded-md px-2 sm:px-3 text-[0.8125rem] font-medium whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-accent',
            value === option.value ? 'bg-sheet dark:bg-line text-ink shadow-sm' : 'text-soft hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={value === option.value}
            onChange={() => onValue(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
