import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameWords, textEnd } from '../../../src/retrieval/recall/near-duplicates.ts'

describe('the words that tell texts apart', () => {
  it.each([
    [
      'marks of Markdown',
      '# Prices\n\n- **Pro** costs `12 EUR`\n- _Team_ is free',
      'Prices\n\nPro costs 12 EUR\nTeam is free',
    ],
    ['case and wrapped lines', 'The BUDGET review\nis on Thursday.', 'The budget review is on  Thursday'],
    ['quoting', '> We ship on Friday.\n> Tell Ben.', 'We ship on Friday. Tell Ben.'],
    ['quotation marks', '“We ship”, she said', '"we ship", she said'],
    ['widths and ligatures', 'ｅｆﬁcient', 'efficient'],
    ['dashes', 'open 10–12 — daily', 'open 10-12 daily'],
    ['links', 'See [the plan](https://example.com/a).', 'See the plan https://example.com/a'],
    ['tables', '| plan | price |\n|---|---|\n| pro | 12 |', 'plan price pro 12'],
    ['what is passed on', 'Fwd: Re: The plan is ready', 'The plan is ready'],
    ['greeting and farewell without a name', 'Hi all,\nthe plan is ready.\nThanks!', 'the plan is ready.'],
    ['what Slack adds', 'The plan is ready (edited)', 'The plan is ready'],
    ['what cannot be seen', 'The\u00ADplan\u200B', 'Theplan'],
  ])('are equal without %s', (_, a, b) => {
    expect(sameWords(a)).toEqual(sameWords(b))
    expect(textEnd(a)).toBe(textEnd(b))
  })

  it.each([
    ['numbers', 'It costs 12 EUR', 'It costs 13 EUR'],
    ['decimal points', 'It costs 1.5 EUR', 'It costs 15 EUR'],
    ['leading points', 'The factor is .5', 'The factor is 5'],
    ['signs', 'It is -5 outside', 'It is 5 outside'],
    ['plus and minus', 'It is +5 outside', 'It is −5 outside'],
    ['a difference and a list', 'from 10 - 5 follows', 'from 10 5 follows'],
    ['powers', '10² runs', '102 runs'],
    ['what is owed', 'Balance: (500)', 'Balance: 500'],
    ['units', 'It takes 5 mW', 'It takes 5 MW'],
    ['attached units', 'It takes 5Mb', 'It takes 5MB'],
    ['degrees', 'At 5 °C', 'At 5 °F'],
    ['percent', 'By 5%', 'By 5'],
    ['comparisons', 'when x < 5', 'when x > 5'],
    ['negations', 'We will not ship', 'We will ship'],
    ['contractions', "We can't ship", 'We can ship'],
    ['questions', 'We ship on Friday?', 'We ship on Friday.'],
    ['order', 'Ada paid Ben', 'Ben paid Ada'],
    ['names in greetings', 'Hi Ben,\nthe plan is ready', 'Hi Ada,\nthe plan is ready'],
    ['accents', 'The résumé is here', 'The resume is here'],
    ['ticket numbers', 'Closed #12', 'Closed 12'],
    ['flags', 'Run it with --force', 'Run it with force'],
    ['languages', 'Written in C++', 'Written in C'],
    ['reactions', 'Approved 👍', 'Approved 👎'],
    ['tasks done', '- [x] order chairs', '- [ ] order chairs'],
    ['what is struck out', 'It costs ~~12~~ 15', 'It costs 12 15'],
    ['empty cells', '| a | | 5 |', '| a | 5 | |'],
    ['what a change adds', '+ retries', '- retries'],
  ])('differ in %s', (_, a, b) => {
    expect(sameWords(a)).not.toEqual(sameWords(b))
  })

  it('are the same however a text is wrapped, indented and quoted', () => {
    // No word may be a greeting: one in a line of its own is left out.
    const word = fc.stringMatching(/^(?:x[a-z0-9]{0,7}|[0-9]{1,8})$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), fc.infiniteStream(fc.boolean()), (words, breaks) => {
        const wrapped = words.map((one) => (breaks.next().value ? `${one}\n` : `${one}  `)).join('')
        const quoted = wrapped.trim().replace(/^/gm, '> ')
        expect(sameWords(wrapped)).toEqual(words)
        expect(sameWords(quoted)).toEqual(words)
        expect(textEnd(wrapped.trim())).toBe(textEnd(words.join(' ')))
      }),
      { numRuns: 200 },
    )
  })

  it('never make two numbers one', () => {
    const number = fc.oneof(fc.integer().map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String))
    fc.assert(
      fc.property(number, number, (a, b) => {
        fc.pre(a !== b)
        expect(sameWords(`It costs ${a}.`)).not.toEqual(sameWords(`It costs ${b}.`))
      }),
    )
  })
})
