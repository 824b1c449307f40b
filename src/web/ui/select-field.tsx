import { Field as BaseField } from '@base-ui/react/field'
import { INPUT_CLASS, INPUT_LOOK, LabeledField, type TextFieldProps } from './field.tsx'

export interface SelectFieldProps extends Pick<TextFieldProps, 'label' | 'about' | 'problem' | 'className'> {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** The label is for screen readers only. */
  readonly compact?: boolean
}

/** A native select, which phones, keyboards and screen readers handle best. */
export function SelectField({ value, onValue, options, compact = false, ...field }: SelectFieldProps) {
  const select = (
    <select
      className={`${compact ? INPUT_LOOK : INPUT_CLASS} select-arrow`}
      value={value}
      aria-label={compact ? field.label : undefined}
      onChange={(event) => onValue(event.target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
  if (compact) return select
  return (
    <LabeledField {...field}>
      <BaseField.Control render={select} />
    </LabeledField>
  )
}
