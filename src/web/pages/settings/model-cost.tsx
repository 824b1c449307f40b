import { useState } from 'react'
import type { LanguageModelChoice, LanguageModelSettings } from '../../../http/app/schemas/settings.ts'
import { TextField } from '../../ui/field.tsx'
import { formatAmount } from '../../ui/formats.ts'
import { dollarsIn, numberProblem, shownNumber } from './dollar-amount.ts'
import { messages } from './messages.ts'

type Cost = Required<Pick<LanguageModelChoice, 'price' | 'dollars_per_month'>>

/** The price of a language model and its budget, as they are typed. */
export function useModelCost(settings: LanguageModelSettings | null) {
  const [input, setInput] = useState(shownNumber(settings?.price?.input))
  const [output, setOutput] = useState(shownNumber(settings?.price?.output))
  const [month, setMonth] = useState(shownNumber(settings?.dollars_per_month))
  return { input, setInput, output, setOutput, month, setMonth, given: givenCost(input, output, month) }
}

/** Fields for what a language model costs, and how much it may cost. */
export function ModelCost({ cost }: { readonly cost: ReturnType<typeof useModelCost> }) {
  const { input, setInput, output, setOutput, month, setMonth } = cost
  const isHalf = (input.trim() === '') !== (output.trim() === '')
  const perMonth = dollarsIn(month)
  const hasPrice = input.trim() !== '' && output.trim() !== ''
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-3 text-sm font-semibold">{messages.priceAndBudget}</legend>
      <div className="grid gap-3 lg:grid-cols-2">
        <TextField
          label={messages.priceInput}
          value={input}
          onValue={setInput}
          inputMode="decimal"
          autoComplete="off"
          placeholder={formatAmount(0.15)}
          problem={numberProblem(input) ?? (isHalf && input.trim() === '' ? messages.priceHalf : undefined)}
        />
        <TextField
          label={messages.priceOutput}
          value={output}
          onValue={setOutput}
          inputMode="decimal"
          autoComplete="off"
          placeholder={formatAmount(0.6)}
          problem={numberProblem(output) ?? (isHalf && output.trim() === '' ? messages.priceHalf : undefined)}
        />
      </div>
      <TextField
        label={messages.monthlyBudget}
        about={typeof perMonth === 'number' ? messages.budgetAMonth : messages.monthlyBudgetAbout}
        value={month}
        onValue={setMonth}
        inputMode="decimal"
        autoComplete="off"
        problem={numberProblem(month) ?? (perMonth !== null && !hasPrice ? messages.budgetNeedsPrice : undefined)}
      />
    </fieldset>
  )
}

function givenCost(input: string, output: string, month: string): Cost | undefined {
  const [inputPrice, outputPrice, perMonth] = [input, output, month].map(dollarsIn)
  if (inputPrice === undefined || outputPrice === undefined || perMonth === undefined) return undefined
  if ((inputPrice === null) !== (outputPrice === null) || (perMonth !== null && inputPrice === null)) return undefined
  const price = inputPrice === null || outputPrice === null ? null : { input: inputPrice, output: outputPrice }
  return { price, dollars_per_month: perMonth }
}
