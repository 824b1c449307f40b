import { describe, expect, test } from 'vitest'
import { readableMarkdown } from '../../../connectors/github/readable-markdown.ts'

const readable = (...lines: string[]) => readableMarkdown(lines.join('\n'), false)

describe('a text of GitHub reads as people see it:', () => {
  test('without the hints of a template and the headings that were left empty', () => {
    const text = readable(
      '<!-- Thanks for the report!',
      'Run `shop --version` and paste:',
      '```',
      '-->',
      '### What happened?',
      '<!-- Be exact. -->',
      '',
      'It crashes.<!-- really -->',
      '### Steps',
      '',
      '<!-- 1. 2. 3. -->',
      '### Version',
      '_No response_',
      '',
      '#### Of the shop',
      '7',
      '### Anything else?',
      '',
      '_No response_',
      '',
    )
    expect(text).toBe(
      ['### What happened?', '', 'It crashes.', '### Version', '_No response_', '', '#### Of the shop', '7'].join('\n'),
    )
  })

  test('with headings that are all somebody wrote', () => {
    expect(readable('## Well done!')).toBe('## Well done!')
    expect(readable('## Summary', '', '## Test plan', '- [ ] Docs')).toBe('## Summary\n\n## Test plan\n- [ ] Docs')
  })

  test('with code as it is, also where it ends with the text', () => {
    const code = [
      '```html',
      '<!-- kept -->',
      '<img src="a.png">  ',
      '',
      '',
      '',
      '# kept',
      '```',
      'and `<!-- this -->` too',
    ]
    expect(readable(...code)).toBe(code.join('\n'))
    expect(readable('Look:', '~~~', '<!-- kept -->')).toBe('Look:\n~~~\n<!-- kept -->')
    expect(readable('```suggestion', '  const a = 1', '```')).toBe('```suggestion\n  const a = 1\n```')
  })

  test('with a comment that never ends', () => {
    expect(readable('An arrow <!-- is not', 'a comment')).toBe('An arrow <!-- is not\na comment')
  })

  test('with the words of pictures, not their addresses', () => {
    expect(readable('![Login page](https://github.com/user-attachments/assets/1-2)')).toBe('(image: Login page)')
    expect(readable('<img width="9" alt="image" src="https://example.org/a.png">')).toBe('(image)')
    expect(readable('See [the log](https://example.org/log.txt)')).toBe('See [the log](https://example.org/log.txt)')
  })

  test('with folded sections open', () => {
    expect(readable('<details open><summary>Log</summary>', '', 'out of memory', '</details>', 'a<br/>b')).toBe(
      'Log\n\nout of memory\n\na b',
    )
  })

  test('without the folded sections of bots', () => {
    const text = 'Bumps a.\n<details>\n<summary>Notes</summary>\n```\nlong\n```\n</details>\n\n[//]: # (start)\nDone.'
    expect(readableMarkdown(text, true)).toBe('Bumps a.\n\nDone.')
  })

  test('without the mail that was answered', () => {
    const quoted = ['> It crashes.', '>', '> —', '> Reply to this email directly', '']
    expect(readable('Me too.', '', 'On Mon, 2 Mar 2026 at 10:00, Ada ***@***.***> wrote:', '', ...quoted)).toBe(
      'Me too.',
    )
    expect(readable('Ich auch.', '', 'Am 2.3.2026 schrieb Ada <notifications@github.com>:', ...quoted)).toBe(
      'Ich auch.',
    )
    expect(readable('Yes.', '', '> On 2 Mar 2026, Ada ***@***.***> wrote:', '>', ...quoted)).toBe('Yes.')
    expect(readable('No.', 'On Mon, 2 Mar 2026, Ada <', 'notifications@github.com> wrote:', ...quoted)).toBe('No.')
  })

  test('with what somebody quotes to answer it', () => {
    const answer = ['> It crashes.', '', 'When?', '', 'On Monday Ada ***@***.***> wrote:', '> Now.', 'I see.']
    expect(readable(...answer)).toBe(answer.join('\n'))
    expect(readable(...answer, '> Now.')).toBe([...answer, '> Now.'].join('\n'))
  })
})

test.each([
  ['<!-- '],
  ['`'],
  ['``` '],
  ['\n```x'],
  ['<details>'],
  ['![['],
  ['<img '],
  ['# a\n\n'],
  ['_No response_\n'],
  ['# a\n_No response_\n\n'],
  ['> ***@***.***\n'],
  ['> \n'],
  ['On a\n'],
])(
  'a text of %j over and over is read in time',
  (part) => {
    expect(readableMarkdown(part.repeat(65_536 / part.length), true).length).toBeLessThanOrEqual(70_000)
  },
  2000,
)
