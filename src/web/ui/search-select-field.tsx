import { Combobox } from '@base-ui/react/combobox'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useRef } from 'react'
import { classNames } from './class-names.ts'
import { INPUT_CLASS, LabeledField, type TextFieldProps } from './field.tsx'
import { uiMessages } from './messages.ts'

/** A pause between two keys. */
const TYPING_MS = 150

export interface SearchSelectFieldProps extends Pick<TextFieldProps, 'label' | 'about' | 'problem' | 'className'> {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly string[]
  /** Called when the typing pauses; the options are then those for the text. Without it they are filtered here. */
  readonly onSearch?: (text: string) => void
  /** Shown when no option matches. */
  readonly nothing: string
  readonly disabled?: boolean
}

/** A select for many options, filtered by typing. */
export function SearchSelectField(props: SearchSelectFieldProps) {
  const { value, onValue, options, onSearch, nothing, disabled, ...field } = props
  const pause = useRef<number>(undefined)
  return (
    <LabeledField {...field}>
      <Combobox.Root
        items={options}
        {...(onSearch !== undefined && { filter: null })}
        onInputValueChange={(text, { reason }) => {
          clearTimeout(pause.current)
          pause.current = window.setTimeout(() => onSearch?.(reason === 'input-change' ? text : ''), TYPING_MS)
        }}
        value={value}
        disabled={disabled === true}
        onValueChange={(chosen) => chosen !== null && onValue(chosen)}
      >
        <div className="relative">
          <Combobox.Input className={classNames(INPUT_CLASS, 'pr-9')} />
          <Combobox.Trigger
            aria-label={uiMessages.allOptions(field.label)}
            className="text-soft absolute inset-y-0 right-0 grid w-9 place-items-center rounded-lg"
          >
            <ChevronsUpDown className="size-4" aria-hidden />
          </Combobox.Trigger>
        </div>
        <Combobox.Portal>
          <Combobox.Positioner sideOffset={6} className="z-40">
            <Combobox.Popup className="bg-sheet border-line flex max-h-[min(20rem,var(--available-height))] w-(--anchor-width) flex-col rounded-xl border shadow-xl outline-none">
              <Combobox.Empty className="text-soft px-3.5 text-sm [&:not(:empty)]:py-3">{nothing}</Combobox.Empty>
              <Combobox.List className="overflow-y-auto overscroll-contain p-1.5 empty:p-0">
                {(option: string) => (
                  <Combobox.Item
                    key={option}
                    value={option}
                    className="group data-highlighted:bg-raised flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none"
                  >
                    <Check className="size-4 shrink-0 opacity-0 group-data-selected:opacity-100" aria-hidden />
                    {option}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </LabeledField>
  )
}
