import { describe, expect, it } from 'vitest'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

const session = (prompt: string, answer = 'I renamed the import, and the build passes.') =>
  documentOf('agent', [
    [prompt, { type: 'turn', role: 'user' }],
    [answer, { type: 'turn', role: 'assistant' }],
  ])
const narrateSession = (prompt: string) => narrate(session(prompt), { sourceType: 'claude_code' })

const BUILD =
  '$ npm run build\n\n> web@1.4.0 build\n> vite build\n\nvite v5.2.0 building for production...\n✓ 124 modules transformed.\n' +
  'RollupError: Could not resolve "./Chart" from "src/Report.tsx"\n    at getRollupError (file:///app/rollup.js:394:41)'

describe('what was pasted from a terminal into a session', () => {
  it('is the command and its error, and the words below it are a request', async () => {
    const narrative = await narrateSession(`${BUILD}\n\nCan you fix that?`)
    expect(narrative).toMatch(
      /^I shared the output of "npm run build" with the error "RollupError: Could not resolve '\.\/Chart' from 'src\/Report\.tsx'" with Claude Code\. I asked Claude Code to fix that\./,
    )
    expect(narrative).not.toMatch(/124 modules|getRollupError/)
  })

  it.each([
    [
      'a trace of Python',
      'Traceback (most recent call last):\n  File "/srv/worker.py", line 88, in <module>\n    main()\njson.decoder.JSONDecodeError: Expecting value (char 0)',
      'the error "json.decoder.JSONDecodeError: Expecting value (char 0)"',
    ],
    [
      'a log',
      '2026-11-18 10:12:01 INFO  starting worker\n2026-11-18 10:12:05 ERROR job 4411 failed: connection reset\n2026-11-18 10:12:05 INFO  retrying',
      'the error "job 4411 failed: connection reset"',
    ],
    [
      'a shell with its prompt',
      "anna@laptop:~/web$ git push\n ! [rejected]  main -> main\nerror: failed to push some refs to 'acme/web'",
      'the output of "git push" with the error "failed to push some refs to \'acme/web\'"',
    ],
    [
      'a compiler',
      'PS C:\\shop> dotnet test\nC:\\shop\\Cart.cs(41,17): error CS0103: The name total does not exist',
      'the output of "dotnet test" with the error "The name total does not exist"',
    ],
    [
      'an error alone',
      'npm test gives\n\nAssertionError: expected 3 to equal 12\n ❯ src/date.test.ts:14:22',
      'the error "AssertionError: expected 3 to equal 12"',
    ],
  ])('is told in one sentence: %s', async (_, pasted, shared) => {
    expect(await narrateSession(pasted)).toMatch(`I shared ${shared} with Claude Code. It`)
  })

  it('is no headline', async () => {
    const { memories } = await extractFrom(session(BUILD), { sourceType: 'claude_code' })
    expect(memories[0]?.content.headline).not.toMatch(/npm run build|Rollup|vite/)
  })

  it('stays in the text of the memory', async () => {
    const { memories } = await extractFrom(session(BUILD), { sourceType: 'claude_code' })
    expect(memories[0]?.content.body).toContain('✓ 124 modules transformed.')
  })
})

describe('output in a conversation', () => {
  it('is something that its sender shared', async () => {
    const narrative = await narrate(
      documentOf(
        'chat',
        turns(
          ['Ben Ode', 'The deploy is broken again'],
          ['Ben Ode', '$ kubectl get pods\nNAME       READY   STATUS\napi-7f9c   0/1     CrashLoopBackOff'],
        ),
      ),
    )
    expect(narrative).toContain('Ben shared the output of "kubectl get pods".')
    expect(narrative).not.toContain('7f9c')
  })

  it('of a mail stands between what was written around it', async () => {
    const text =
      'The import crashes for files over 2 GB:\n\njava.lang.OutOfMemoryError: Java heap space\n\tat com.acme.Import.main(Import.java:31)\n\nCan you look at it?'
    const narrative = await narrate(
      documentOf('email', [[text, { type: 'turn', speaker: 'Tom Price' }]], { author: 'Tom Price', title: 'Import' }),
    )
    expect(narrative).toContain('shared the error "java.lang.OutOfMemoryError: Java heap space".')
    expect(narrative).not.toContain('Import.java')
  })

  const narrateTurn = (text: string) => narrate(documentOf('chat', turns(['Ben Ode', text])))

  it.each([
    ['AuthenticationException: token expired', 'Petra Lang of Borealis called about it twice.'],
    ['AuthenticationException: token expired', 'Their contract ends on 3 December and is worth 40,000 euros.'],
    ['$ npm run build', 'The build works again'],
    ['$ npm run build', 'Petra ruft morgen wegen der Rechnung an'],
    ['TypeError: x is not a function\n    at run (/app/run.js:3:1)', 'Petra  knows the customer who reported it.'],
  ])('ends where a person goes on: %s / %s', async (output, prose) => {
    const narrative = await narrateTurn(`${output}\n${prose}`)
    expect(narrative).toMatch(/shared the (?:output|error)/)
    expect(narrative).toContain(prose.split(' ').at(-1)!.replace('.', ''))
  })

  it('may have prose between its lines', async () => {
    const narrative = await narrateTurn(
      '$ npm test\n ✗ adds two numbers\nThis test is from Carla.\nAssertionError: expected 3 to equal 12',
    )
    expect(narrative).toContain('Carla')
    expect(narrative).toContain('expected 3 to equal 12')
  })

  it.each([
    '$ 40 for the ticket, paid in cash',
    'Error: I booked the wrong day, it is Friday',
    'There is an ERROR in the report of May',
    'ValidationError: amount must be positive is what the customers see, and we decided to give each a voucher',
    'DecisionError: nobody asked the customers, so the launch moves to 3 December.',
    'anna@berg.de 50% of the deposit is paid, the rest follows on 3 December',
    '$ make sure that Petra gets the key',
    '10:00:00 Train leaves Munich, INFO desk is on platform 11.\n14:12:00 Arrival in Vienna, the code is K7QX2.',
    '10:00:00 INFO desk on platform 11',
    '09:30:00 Start of the ERROR-free relay, Dana runs first\n10:15:00 Handover at the bridge',
    'Dr.med.Wolf: Termin am 3. Dezember um 9:30, bitte die Karte mitbringen',
    'Com.Example.Service: this is our new name for the shop backend',
    'We meet for dinner\nat the station at 10:30',
  ])('is not what a person wrote: %s', async (text) => {
    expect(await narrateTurn(text)).not.toContain('shared')
  })

  it.each([
    [
      'InvalidOperationException: Sequence contains no elements when the customer opens the basket of last year',
      'Ben shared the error "InvalidOperationException"',
    ],
    [
      '$ dotnet run --project src/Shop\nInvalidOperationException: Sequence contains no elements when the basket of last year opens',
      'Ben shared the output of "dotnet run --project src/Shop"',
    ],
  ])('fits a headline without its marker: %s', async (text, headline) => {
    const { memories } = await extractFrom(documentOf('chat', turns(['Ben Ode', text])))
    expect(memories.map(({ content }) => content.headline)).toEqual([headline])
  })
})
