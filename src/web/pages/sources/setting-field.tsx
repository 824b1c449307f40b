import { Field as BaseField } from '@base-ui/react/field'
import { useId, useState } from 'react'
import type { Field } from '../../../http/app/schemas/sources.ts'
import { fieldLabel, wordsOf } from '../../languages/field-sentence.ts'
import { Button } from '../../ui/button.tsx'
import { CheckBox } from '../../ui/check-box.tsx'
import { INPUT_CLASS, LabeledField, TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { WithCode } from './instructions.tsx'
import { messages } from './messages.ts'

export interface SettingFieldProps {
  readonly field: Field
  /** `null` removes the setting, so that its default applies. */
  readonly value: unknown
  readonly onValue: (value: unknown) => void
  readonly problem: string | undefined
}

/** One setting of a connection, as its connector describes it. */
export function SettingField(props: SettingFieldProps) {
  const { field, value, onValue } = props
  const isChanged = !field.required && value !== null && hasDefault(field) && !isSame(value, field.default)
  return (
    <div className="flex flex-col items-start gap-1">
      <div className="w-full max-w-xl">
        <Control {...props} />
      </div>
      {isChanged && field.kind !== 'boolean' && (
        <Button look="quiet" size="small" className="-ml-2.5" onClick={() => onValue(null)}>
          {messages.resetToDefault}
        </Button>
      )}
    </div>
  )
}

function Control({ field, value, onValue, problem }: SettingFieldProps) {
  const about = field.about === '' ? undefined : <WithCode text={fieldAbout(field)} />
  const label = field.required ? messages.required(fieldLabel(field.name)) : fieldLabel(field.name)
  const shown = value ?? field.default ?? null
  const common = { label, about, problem }
  switch (field.kind) {
    case 'boolean':
      return (
        <SwitchField {...common} checked={shown === true} onChecked={(isOn) => onValue(unlessDefault(isOn, field))} />
      )
    case 'choice':
      return (
        <SelectField
          {...common}
          value={shown === null ? '' : String(shown)}
          onValue={(chosen) => onValue(chosen === '' ? null : unlessDefault(chosen, field))}
          options={choices(field)}
        />
      )
    case 'number':
      return <NumberField {...common} field={field} value={value} onValue={onValue} />
    case 'list':
      return field.options === undefined ? (
        <LinesField {...common} field={field} value={value} onValue={onValue} />
      ) : (
        <CheckedField {...common} field={field} value={value} onValue={onValue} />
      )
    case 'yaml':
      return <YamlField {...common} field={field} value={value} onValue={onValue} />
    default:
      return <LineField {...common} field={field} value={value} onValue={onValue} />
  }
}

type ControlProps = Omit<SettingFieldProps, 'problem'> & {
  readonly label: string
  readonly about: React.ReactNode
  readonly problem: string | undefined
}

const SHORT_INPUT = `${INPUT_CLASS} max-w-52`

function NumberField({ field, value, onValue, ...common }: ControlProps) {
  return (
    <LabeledField {...common}>
      <BaseField.Control
        type="number"
        inputMode="decimal"
        step="any"
        className={SHORT_INPUT}
        value={value === null ? '' : asText(value)}
        placeholder={asText(field.default)}
        onValueChange={(typed) => onValue(typed === '' ? null : parsedNumber(typed))}
      />
    </LabeledField>
  )
}

const DAY = /^(\d{4}-\d{2}-\d{2})?$/

function LineField({ field, value, onValue, ...common }: ControlProps) {
  const text = value === null ? '' : asText(value)
  const change = (typed: string) => onValue(typed === '' ? null : typed)
  // config.yaml can contain a time of day, which a date field would not show.
  if (field.name === 'since' && DAY.test(text))
    return (
      <LabeledField {...common}>
        <BaseField.Control type="date" className={SHORT_INPUT} value={text} onValueChange={change} />
      </LabeledField>
    )
  return (
    <TextField
      {...common}
      type={field.secret ? 'password' : 'text'}
      autoComplete="off"
      spellCheck={false}
      value={text}
      placeholder={field.secret && field.is_set ? messages.secretIsSet : asText(field.default)}
      onValue={change}
    />
  )
}

/** A list, one entry per line. Keeps the text as typed. */
function LinesField({ field, value, onValue, ...common }: ControlProps) {
  // A list default can be edited and emptied.
  const lines = stringList(value ?? field.default)
  const [typed, setTyped] = useState(lines.join('\n'))
  const text = isSame(nonEmptyLines(typed), lines) ? typed : lines.join('\n')
  const rows = Math.min(8, Math.max(2, text.split('\n').length + 1))
  return (
    <LabeledField
      {...common}
      about={
        <>
          {common.about} {messages.onePerLine}
        </>
      }
    >
      <BaseField.Control
        render={
          <textarea
            rows={rows}
            spellCheck={false}
            className={`${INPUT_CLASS} font-mono text-[0.8125rem]`}
            value={text}
            onChange={({ target }) => {
              setTyped(target.value)
              const entered = nonEmptyLines(target.value)
              onValue(entered.length === 0 && !hasDefault(field) ? null : unlessDefault(entered, field))
            }}
          />
        }
      />
    </LabeledField>
  )
}

/** A list with fixed options. */
function CheckedField({ field, value, onValue, label, about, problem }: ControlProps) {
  const explanation = useId()
  const options = field.options ?? []
  const chosen = stringList(value ?? field.default)
  const toggle = (option: string) => {
    const next = options.filter((one) => (one === option ? !chosen.includes(one) : chosen.includes(one)))
    const standard = options.filter((one) => stringList(field.default).includes(one))
    onValue(hasDefault(field) && isSame(next, standard) ? null : next)
  }
  return (
    <fieldset className="flex flex-col gap-1.5" aria-describedby={explanation}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {options.map((option) => (
          <CheckBox key={option} checked={chosen.includes(option)} onToggle={() => toggle(option)}>
            {choiceLabel(option)}
          </CheckBox>
        ))}
      </div>
      <div id={explanation} className="text-soft text-[0.8125rem]">
        {about}
        {problem !== undefined && <p className="text-bad">{problem}</p>}
      </div>
    </fieldset>
  )
}

/** Any other value, as YAML. */
function YamlField({ field, value, onValue, ...common }: ControlProps) {
  const text = asText(value)
  return (
    <LabeledField {...common}>
      <BaseField.Control
        render={
          <textarea
            rows={Math.min(8, text.split('\n').length)}
            spellCheck={false}
            className={`${INPUT_CLASS} font-mono text-[0.8125rem]`}
            placeholder={asText(field.default)}
            value={text}
            onChange={({ target }) => onValue(target.value === '' ? null : target.value)}
          />
        }
      />
    </LabeledField>
  )
}

function choices({ options = [], default: standard, required }: Field) {
  const known = options.map((option) => ({ value: option, label: choiceLabel(option) }))
  return required || typeof standard === 'string' ? known : [{ value: '', label: messages.defaultChoice }, ...known]
}

/** Values equal to the default are not saved. */
function unlessDefault(value: unknown, field: Field): unknown {
  return hasDefault(field) && isSame(value, field.default) ? null : value
}

function hasDefault(field: Field): boolean {
  return field.default !== undefined && field.default !== null
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

function parsedNumber(typed: string): number | string {
  const number = Number(typed)
  return Number.isFinite(number) ? number : typed
}

function stringList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : value == null ? [] : [String(value)]
}

function nonEmptyLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function asText(value: unknown): string {
  if (value == null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The label of an option. */
function choiceLabel(name: string): string {
  return messages.choiceLabels[name] ?? wordsOf(name)
}

/** The switch shows it. */
const SWITCH_DEFAULT = / Default: (?:true|false)\.$/
const LIST = /\[("[^\]]*")\]/g

/** The description of a setting, adapted from config.yaml syntax to form controls. */
function fieldAbout({ about, kind, options = [] }: Pick<Field, 'about' | 'kind' | 'options'>): string {
  const inLines = about.replaceAll(LIST, (_, entries: string) => entries.replaceAll('"', '`'))
  if (kind === 'boolean')
    return inLines.replace(SWITCH_DEFAULT, '').replaceAll('`true`:', messages.on).replaceAll('`false`:', messages.off)
  return options.reduce((text, option) => text.replaceAll(`\`${option}\`:`, `${choiceLabel(option)}:`), inLines)
}
